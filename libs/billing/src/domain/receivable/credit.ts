import type { StartedReceivable } from './receivable.js';
import type { PaymentKey } from './open-payment.js';
import { periodKey, type PaidPart, type BillingPeriod } from './billing-period.js';
import type { PeriodCharge } from './period-charge.js';

/** A refund of a payment, capped at the rest of it. */
export interface Refund {
  readonly payment: PaymentKey;
  /** Unique within the payment. */
  readonly key: string;
  readonly amount_minor: number;
  readonly reason: string;
  /** The card that paid, unless it goes to the customer's balance. */
  readonly to?: 'card' | 'balance';
}

/**
 * The part of a credit that is given back now, and the period afterwards, whose cuts count as settled when `settled`.
 */
export interface GivenBack {
  readonly outstanding_amount_minor: number;
  readonly period: BillingPeriod;
  readonly refund: Refund | null;
  readonly settled: boolean;
}

/**
 * Gives back the unused part of a period. Debt for it is written off first, then collected money is refunded, the
 * newest payment first; the rest was never paid.
 */
export function giveBack(
  receivable: StartedReceivable,
  bill: PeriodCharge,
  before: BillingPeriod,
  why: 'pause' | 'stop',
): GivenBack {
  const { outstanding_amount_minor: outstanding } = receivable;
  const credit = 0 - bill.amount_minor;
  const forgiven = Math.min(credit, before.owed_minor, outstanding);
  const last = before.paid.at(-1);
  const amount_minor = Math.min(credit - forgiven, last?.amount_minor ?? 0);
  const paid = withoutLast(before.paid, amount_minor);
  const settled = credit === forgiven + amount_minor || paid.length === 0;
  const books = { paid, owed_minor: before.owed_minor - forgiven };
  const credited_minor = before.credited_minor + forgiven + amount_minor;
  return {
    outstanding_amount_minor: outstanding - forgiven,
    period: settled
      ? { ...bill.period, ...books, credited_minor: 0 }
      : { ...before, ...books, credited_minor },
    refund: last === undefined || amount_minor === 0 ? null : refundOf(last, bill, why, amount_minor),
    settled,
  };
}

/** The payments after `amount_minor` of the newest is given back; a payment with nothing left is removed. */
function withoutLast(paid: readonly PaidPart[], amount_minor: number): readonly PaidPart[] {
  const last = paid.at(-1);
  const others = paid.slice(0, -1);
  return last === undefined || last.amount_minor <= amount_minor
    ? others
    : [...others, { ...last, amount_minor: last.amount_minor - amount_minor }];
}

function refundOf(
  { kind, slice }: PaymentKey,
  bill: PeriodCharge,
  why: 'pause' | 'stop',
  amount_minor: number,
): Refund {
  const key = `${why}-${periodKey(bill.period)}-${bill.period.settled}`;
  return { payment: { kind, slice }, key, amount_minor, reason: why };
}
