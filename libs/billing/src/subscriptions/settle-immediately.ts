import type { HoldingOf } from '../domain/lines/credit.js';
import { BELOW_MINIMUM, grossMinor, isAwaited, type PaymentRecord } from '@commerce/payments';

import type { ChargeResult, Settled } from '../domain/cycle/decision.js';
import { settleCharge } from '../domain/cycle/settle.js';
import type { SubscriptionState } from '../domain/lifecycle/subscription-state.js';
import type { Terms } from '../domain/pricing/terms.js';

/**
 * The result for the subscription of a payment that is settled, accepted or waits for its customer; null before the
 * provider's answer.
 */
export function resultOf(payment: PaymentRecord): ChargeResult | null {
  const { kind, period_key, status, attempts, coupon } = payment;
  if (kind === 'order') return null;
  const result = {
    kind,
    period_key,
    attempts: attempts.length,
    amount_minor: grossMinor(payment),
    decline: null,
    redeems: coupon?.toHexString() ?? null,
  };
  switch (status) {
    case 'SUCCEEDED':
    case 'REQUIRES_AUTH':
      return { ...result, status };
    case 'FAILED':
      return {
        ...result,
        status,
        decline: attempts.at(-1)?.decline ?? 'soft',
        below_minimum: attempts.at(-1)?.code === BELOW_MINIMUM,
      };
    case 'PROCESSING':
      return isAwaited(payment) ? { ...result, status } : null;
    case 'CREATED':
    case 'UNKNOWN':
    case 'PARTIALLY_REFUNDED':
    case 'REFUNDED':
    case 'DISPUTED':
      return null;
  }
}

/**
 * The outcome where a payment is final when it is opened: an amount of 0, or no payment method to charge. None where
 * the provider has to answer first.
 */
export function settleImmediately(
  state: SubscriptionState,
  terms: Terms,
  payment: PaymentRecord,
  now: Date,
  holdingOf?: HoldingOf,
): Settled[] {
  const result = resultOf(payment);
  return result === null ? [] : [settleCharge(state, terms, result, now, holdingOf)];
}
