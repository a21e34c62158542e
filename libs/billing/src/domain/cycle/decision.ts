import type { Breakdown } from '../pricing/breakdown.js';
import type { Refund } from '../lines/period-credits.js';
import type { ChargeKind, PaymentKey } from '../lines/payment-key.js';
import type { Transition } from '../lifecycle/transition.js';

/** A payment to be opened. It and the new state go into one commit. */
export interface Charge {
  readonly kind: ChargeKind;
  readonly period_key: string;
  readonly amount_minor: number;
  /** The part of the amount that earlier payments have failed to collect. */
  readonly debt_minor: number;
  readonly period_start: Date;
  readonly period_end: Date;
  readonly breakdown: Breakdown;
  readonly off_session: boolean;
  /** Id of the coupon whose discount the period has, which the success of the payment redeems; null without one. */
  readonly redeems: string | null;
}

/** The next action of billing. `state` always holds the next `due`. */
export type Decision =
  | { readonly do: 'nothing'; readonly due: Date | null }
  | ({ readonly do: 'change' } & Transition)
  /** The refunds are of disputed payments, which pay for no charge. */
  | ({ readonly do: 'charge'; readonly charge: Charge; readonly refunds: readonly Refund[] } & Transition)
  /** Another attempt of the payment, which the state shows as in flight. */
  | ({ readonly do: 'retry'; readonly payment: PaymentKey } & Transition)
  /** The payment has finally failed. */
  | ({ readonly do: 'abandon'; readonly payment: PaymentKey; readonly code: string } & Transition)
  | ({ readonly do: 'refund'; readonly refunds: readonly Refund[] } & Transition);

/** The outcome of a payment: its key, its attempts so far and the result of the last one. */
export interface ChargeResult extends PaymentKey {
  /** PROCESSING: the provider has accepted it, and says later whether it succeeded. */
  readonly status: 'SUCCEEDED' | 'FAILED' | 'REQUIRES_AUTH' | 'PROCESSING';
  /** Null unless FAILED. */
  readonly decline: 'soft' | 'hard' | null;
  /** True where FAILED because the amount is too small to be charged: the provider was not asked. */
  readonly below_minimum?: boolean;
  readonly attempts: number;
  readonly amount_minor: number;
  /** As in its Charge; null where its success redeems nothing. */
  readonly redeems?: string | null;
}

/** `refunds`: money that is not owed any more, or that the change which was paid for gives back. */
export interface Settled extends Transition {
  readonly refunds: readonly Refund[];
  /** Id of the coupon that the payment has redeemed, in time or late; null for none. */
  readonly redeems: string | null;
}

export function redeemedBy({ status, redeems = null }: ChargeResult): string | null {
  return status === 'SUCCEEDED' ? redeems : null;
}

/** The refund of a part of a payment that is not owed any more; none for nothing. */
export function notOwed({ kind, period_key }: PaymentKey, amount_minor: number): Refund[] {
  if (amount_minor <= 0) return [];
  return [{ payment: { kind, period_key }, key: 'late', amount_minor, reason: 'not owed any more' }];
}
