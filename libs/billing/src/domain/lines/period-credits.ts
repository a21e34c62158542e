import { uncollectedPart, type PricedPart } from '../pricing/breakdown.js';
import { periodKey, type BillingPeriod } from './billing-period.js';
import { credit, type Holding, type HoldingOf } from './credit.js';
import { paymentName, type PaymentKey } from './payment-key.js';
import type { PeriodEnds } from './settlement.js';

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

/** A due period with its cost taken. */
export interface TakenPeriod {
  readonly period: BillingPeriod;
  readonly ends: PeriodEnds;
  readonly difference_minor: number;
  readonly parts: readonly PricedPart[];
  /** Its first charge, which is made even where it is free. */
  readonly isFirst: boolean;
}

interface Credit {
  readonly refund: Refund;
  /** A dispute holds the money: it pays for nothing. */
  readonly held: boolean;
}

/** What the credits of periods depend on. */
export interface CreditInput {
  readonly currency: string;
  /** Why a period gives money back where no change does. */
  readonly reason: 'pause' | 'stop';
  readonly holdingOf: HoldingOf;
  /** The payments whose results may take days. */
  readonly awaited: readonly PaymentKey[];
}

interface CreditedPeriod {
  readonly period: BillingPeriod;
  readonly uncollected: readonly PricedPart[];
}

export interface CreditedPeriods {
  readonly books: ReadonlyMap<TakenPeriod, CreditedPeriod>;
  /** The newest period first, and of one the newest payment. */
  readonly credits: readonly Credit[];
  readonly forgiven_minor: number;
  readonly awaited: readonly Refund[];
}

/** Credits each period of which more is booked than it costs; they share what their payments hold. */
export function creditAll(all: readonly TakenPeriod[], input: CreditInput): CreditedPeriods {
  const books = new Map<TakenPeriod, CreditedPeriod>();
  const credits: Credit[][] = [];
  const awaited: Refund[] = [];
  let forgiven_minor = 0;
  const left = new Map<string, Holding>();
  const holdingOf: HoldingOf = (payment) => left.get(paymentName(payment)) ?? input.holdingOf(payment);
  for (const one of all) {
    if (one.difference_minor >= 0) continue;
    const outcome = credit(one.period.books, 0 - one.difference_minor, holdingOf);
    for (const { payment, given_minor, owed_minor } of outcome.taken) {
      const { free, disputed } = holdingOf(payment);
      left.set(paymentName(payment), { free: free - given_minor, disputed: disputed - owed_minor });
    }
    for (const { payment, minor } of outcome.forgiven) {
      if (!isAmong(payment, input.awaited)) forgiven_minor += minor;
      else awaited.push(refundOf(one.period, { payment, amount_minor: minor }, input.reason));
    }
    credits.unshift(outcome.taken.flatMap((taken) => creditsOf(one.period, taken, input.reason)));
    const given_minor = sum(outcome.taken.map((taken) => taken.given_minor));
    const missing_minor = 0 - one.difference_minor - given_minor;
    books.set(one, {
      period: { ...one.period, credits: one.period.credits + 1, books: outcome.books },
      uncollected:
        missing_minor === 0 ? [] : [uncollectedPart(missing_minor, input.currency, one.period.taxes)],
    });
  }
  return { books, credits: credits.flat(), forgiven_minor, awaited };
}

function creditsOf(
  period: BillingPeriod,
  { payment, given_minor, owed_minor }: { payment: PaymentKey; given_minor: number; owed_minor: number },
  otherwise: 'pause' | 'stop',
): Credit[] {
  const given = refundOf(period, { payment, amount_minor: given_minor }, otherwise);
  const owed = refundOf(period, { payment, amount_minor: owed_minor }, otherwise);
  return [
    ...(given_minor > 0 ? [{ refund: given, held: false }] : []),
    ...(owed_minor > 0 ? [{ refund: { ...owed, key: `${owed.key}-disputed` }, held: true }] : []),
  ];
}

function refundOf(
  period: BillingPeriod,
  of: Pick<Refund, 'payment' | 'amount_minor'>,
  otherwise: 'pause' | 'stop',
): Refund {
  const { credit_to, credits } = period;
  const reason = credit_to === null ? otherwise : 'change';
  const key = `${reason}-${periodKey(period)}${credits === 0 ? '' : `-${String(credits)}`}`;
  return { ...of, key, reason, to: credit_to === 'balance' ? 'balance' : 'card' };
}

/** Money of a payment that pays for a charge. */
export interface Moved {
  readonly payment: PaymentKey;
  readonly minor: number;
}

/** Divides credits into what pays for the charge and what is given back: the newest payments are given back. */
export function dividedCredits(
  credits: readonly Credit[],
  needed_minor: number,
): { readonly moved: readonly Moved[]; readonly refunds: readonly Refund[] } {
  let excess = Math.max(
    0,
    sum(credits.map(({ refund, held }) => (held ? 0 : refund.amount_minor))) - needed_minor,
  );
  const moved: Moved[] = [];
  const refunds: Refund[] = [];
  for (const { refund, held } of credits) {
    const { payment, amount_minor } = refund;
    const given = held ? amount_minor : Math.min(excess, amount_minor);
    excess -= held ? 0 : given;
    if (given > 0) refunds.push({ ...refund, amount_minor: given });
    if (amount_minor > given) moved.unshift({ payment, minor: amount_minor - given });
  }
  return { moved, refunds };
}

export function isAmong(payment: PaymentKey, all: readonly PaymentKey[]): boolean {
  return all.some((one) => paymentName(one) === paymentName(payment));
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((a, b) => a + b, 0);
}
