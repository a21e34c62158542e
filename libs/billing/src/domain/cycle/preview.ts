import type { Breakdown } from '../pricing/breakdown.js';
import type { Terms } from '../pricing/terms.js';
import type { ChargeKind } from '../ledger/open-payment.js';
import type { SubscriptionState } from '../lifecycle/subscription-state.js';
import { decideCycle } from './cycle.js';
import { settleCharge } from './settle.js';

export interface PreviewedCharge {
  readonly date: Date;
  /** Major units. */
  readonly amount: number;
  readonly kind: ChargeKind;
  readonly period_start: Date;
  readonly period_end: Date;
  readonly breakdown: Breakdown;
}

/** Between two charges there are a few other decisions, never as many as this. */
const DECISIONS_PER_CHARGE = 16;

/** The next `count` charges, assuming that each succeeds on its date: the very decisions that billing will make. */
export function previewCharges(
  state: SubscriptionState,
  terms: Terms,
  now: Date,
  count: number,
): PreviewedCharge[] {
  const charges: PreviewedCharge[] = [];
  if (count === 0) return charges;
  for (const charge of chargesAhead(state, terms, true, now)) {
    charges.push(charge);
    if (charges.length === count) break;
  }
  return charges;
}

/**
 * All charges to come, in order, each computed when it is asked for; without an end where the subscription has none.
 * A payment that is open already is none of them: it is taken to succeed now.
 */
export function* chargesAhead(
  state: SubscriptionState,
  terms: Terms,
  canPay: boolean,
  now: Date,
): Generator<PreviewedCharge, void> {
  let at = now;
  let ahead = settledWell(state, terms, at);
  for (let left = DECISIONS_PER_CHARGE; left > 0; left -= 1) {
    const { due } = ahead.outlook;
    if (due === null) return;
    at = due > at ? due : at;
    const decision = decideCycle(ahead, terms, canPay, at);
    if (decision.do === 'nothing') return;
    ahead = settledWell(decision.state, terms, at);
    if (decision.do !== 'charge') continue;
    const { kind, period_start, period_end, breakdown } = decision.charge;
    yield { date: at, amount: breakdown.amount, kind, period_start, period_end, breakdown };
    left = DECISIONS_PER_CHARGE;
  }
}

/** The state once its open payment has succeeded. */
function settledWell(state: SubscriptionState, terms: Terms, at: Date): SubscriptionState {
  const { open_payment: open } = state.ledger;
  if (open === null) return state;
  const { kind, slice, attempts, amount_minor } = open;
  const result = { kind, slice, status: 'SUCCEEDED', decline: null, attempts, amount_minor } as const;
  return settleCharge(state, terms, result, at).state;
}
