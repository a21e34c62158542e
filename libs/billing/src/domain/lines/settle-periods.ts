import { groupByTax, toMinor, type TaxShare } from '@commerce/kernel';

import { bookedPart, uncollectedPart, type PricedPart } from '../pricing/breakdown.js';
import { paymentName, type PaymentKey, type PeriodShare } from './payment-key.js';
import { periodKey, type BillingPeriod } from './billing-period.js';
import { ask, bookedMinor, received } from './books.js';
import { credit, type Holding, type HoldingOf } from './credit.js';
import { periodCost, withFewSpans, type LineBasis } from './period-cost.js';
import { dueOf, settledUntil, type PeriodEnds, type Timing } from './settlement.js';
import { sharingDays } from './shared-day.js';

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

/** The periods of a line, and what a settlement of them depends on. */
export interface SettlementInput {
  readonly line: LineBasis;
  readonly periods: readonly BillingPeriod[];
  readonly timing: Timing;
  readonly endsOf: (period: BillingPeriod) => PeriodEnds;
  readonly at: Date;
  /** Why a period gives money back where no change does. */
  readonly reason: 'pause' | 'stop';
  readonly holdingOf: HoldingOf;
  /** The payment that asks for what is to be charged; left out, a new one, which its newest period names. */
  readonly payment?: PaymentKey;
}

/** The differences of all periods that are due, taken. */
export interface SettledPeriods {
  readonly periods: readonly BillingPeriod[];
  /** The payment that is to be opened; null where nothing is to be charged. */
  readonly charge: PeriodsCharge | null;
  readonly refunds: readonly Refund[];
  /** Debt that is written off. */
  readonly forgiven_minor: number;
}

/** A charge of one period or several. */
export interface PeriodsCharge extends PaymentKey {
  readonly parts: readonly PricedPart[];
  readonly amount_minor: number;
  readonly own: readonly PeriodShare[];
  /** The newest of its periods, which names it. */
  readonly period: BillingPeriod;
}

/** A due period with its cost taken. */
interface Taken {
  readonly period: BillingPeriod;
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

/** Takes the differences of all periods that are due: a credit pays for what is charged, and the rest is given back. */
export function settlePeriods(input: SettlementInput): SettledPeriods {
  const all = sharingDays(input.line, input.periods);
  const due = all.filter((period) => isDue(period, input));
  const taken = due.map((period) => take(period, input));
  const credited = creditAll(taken, input);
  const charged = taken.filter(({ difference_minor, isFirst }) => difference_minor > 0 || isFirst);
  const needed_minor = sum(charged.map(({ difference_minor }) => difference_minor));
  const { moved, refunds } = dividedCredits(credited.credits, needed_minor);
  const own_minor = needed_minor - sum(moved.map(({ minor }) => minor));
  const lead = own_minor > 0 || credited.credits.length === 0 ? charged.at(-1)?.period : undefined;
  const key = lead && (input.payment ?? keyOf(lead, charged.length === 1 && credited.books.size === 0));
  const paid = payingFor(charged, moved, key);
  const after = all.map((before) => {
    const found = taken.find(({ period }) => isSame(period, before));
    if (found === undefined) return before;
    const { period, books } = credited.books.get(found) ??
      paid.books.get(found) ?? { ...found, books: found.period.books };
    const bills = period.bills + (lead !== undefined && isSame(period, lead) ? 1 : 0);
    return settled({ ...period, books, bills }, found, input);
  });
  const parts = taken.flatMap((one) => [...one.parts, ...(credited.books.get(one)?.uncollected ?? [])]);
  return {
    periods: after.filter((period, index) => index === after.length - 1 || isKept(period, paid.own, input)),
    charge:
      lead === undefined || key === undefined
        ? null
        : { ...key, parts, amount_minor: own_minor, own: paid.own, period: lead },
    refunds,
    forgiven_minor: credited.forgiven_minor,
  };
}

function isDue(period: BillingPeriod, { timing, endsOf, at }: SettlementInput): boolean {
  const due = dueOf(period, timing, endsOf(period));
  return due !== null && due <= at;
}

function take(before: BillingPeriod, { line, endsOf }: SettlementInput): Taken {
  const { cost_minor, parts, period } = periodCost(line, before, endsOf(before));
  const booked_minor = bookedMinor(period.books);
  const difference_minor = cost_minor - booked_minor;
  const isFirst = period.bills === 0 && period.credits === 0 && period.books.length === 0 && parts.length > 0;
  const { currency } = line.terms.plan;
  const booked = booked_minor === 0 ? [] : [bookedPart(booked_minor, currency, period.taxes)];
  const taxes = difference_minor === 0 ? period.taxes : taxesOf(parts, currency);
  return {
    period: { ...period, taxes },
    difference_minor,
    parts: difference_minor === 0 && !isFirst ? [] : [...parts, ...booked],
    isFirst,
  };
}

/** The rates in what a period costs by now: what its books hold once the difference is taken. */
function taxesOf(parts: readonly PricedPart[], currency: string): TaxShare[] {
  const lines = parts.flatMap(({ part }) => part.vat ?? []);
  const shares = lines.map(({ rate, tax, gross }) => ({
    rate,
    ...(tax && { tax }),
    weight: toMinor(gross, currency),
  }));
  return groupByTax(shares).map((share) => ({ ...share, weight: Math.max(0, share.weight) }));
}

interface CreditedPeriod {
  readonly period: BillingPeriod;
  readonly books: BillingPeriod['books'];
  readonly uncollected: readonly PricedPart[];
}

interface CreditedPeriods {
  readonly books: ReadonlyMap<Taken, CreditedPeriod>;
  /** The newest period first, and of one the newest payment. */
  readonly credits: readonly Credit[];
  readonly forgiven_minor: number;
}

/** Credits each period of which more is booked than it costs; they share what their payments hold. */
function creditAll(all: readonly Taken[], input: SettlementInput): CreditedPeriods {
  const books = new Map<Taken, CreditedPeriod>();
  const credits: Credit[][] = [];
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
    forgiven_minor += outcome.forgiven_minor;
    credits.unshift(outcome.taken.flatMap((taken) => creditsOf(one.period, taken, input.reason)));
    const given_minor = sum(outcome.taken.map((taken) => taken.given_minor));
    const missing_minor = 0 - one.difference_minor - given_minor;
    const { currency } = input.line.terms.plan;
    books.set(one, {
      period: { ...one.period, credits: one.period.credits + 1 },
      books: outcome.books,
      uncollected: missing_minor === 0 ? [] : [uncollectedPart(missing_minor, currency, one.period.taxes)],
    });
  }
  return { books, credits: credits.flat(), forgiven_minor };
}

function creditsOf(
  period: BillingPeriod,
  { payment, given_minor, owed_minor }: { payment: PaymentKey; given_minor: number; owed_minor: number },
  otherwise: 'pause' | 'stop',
): Credit[] {
  const { credit_to, credits } = period;
  const reason = credit_to === null ? otherwise : 'change';
  const key = `${reason}-${periodKey(period)}${credits === 0 ? '' : `-${String(credits)}`}`;
  const to = credit_to === 'balance' ? 'balance' : 'card';
  const refund = (amount_minor: number, name: string): Refund => ({
    payment,
    key: name,
    amount_minor,
    reason,
    to,
  });
  return [
    ...(given_minor > 0 ? [{ refund: refund(given_minor, key), held: false }] : []),
    ...(owed_minor > 0 ? [{ refund: refund(owed_minor, `${key}-disputed`), held: true }] : []),
  ];
}

interface Moved {
  readonly payment: PaymentKey;
  readonly minor: number;
}

/** Divides credits into what pays for the charge and what is given back: the newest payments are given back. */
function dividedCredits(
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

/** The charged periods: credits pay for the oldest first, and the payment is asked for the rest. */
function payingFor(
  charged: readonly Taken[],
  moved: readonly Moved[],
  key: PaymentKey | undefined,
): {
  readonly books: ReadonlyMap<
    Taken,
    { readonly period: BillingPeriod; readonly books: BillingPeriod['books'] }
  >;
  readonly own: readonly PeriodShare[];
} {
  const books = new Map<Taken, { readonly period: BillingPeriod; readonly books: BillingPeriod['books'] }>();
  const own: PeriodShare[] = [];
  const left = moved.map((one) => ({ ...one }));
  for (const one of charged) {
    let needed = one.difference_minor;
    let now = one.period.books;
    for (const part of left) {
      const minor = Math.min(needed, part.minor);
      now = received(now, part.payment, minor);
      part.minor -= minor;
      needed -= minor;
    }
    if (key !== undefined && needed > 0) {
      now = ask(now, key, needed);
      own.push({ of: periodKey(one.period), amount_minor: needed });
    }
    books.set(one, { period: one.period, books: now });
  }
  return { books, own };
}

function keyOf(period: BillingPeriod, isAlone: boolean): PaymentKey {
  const key = periodKey(period);
  return {
    kind: period.bills === 0 && isAlone ? 'period' : 'proration',
    period_key: period.bills === 0 ? key : `${key}-${String(period.bills)}`,
  };
}

function settled(
  period: BillingPeriod,
  { parts }: Taken,
  { line, timing, endsOf, at }: SettlementInput,
): BillingPeriod {
  const ends = endsOf(period);
  const settled_until = settledUntil(timing, ends);
  const done = { ...period, settled_until, credit_to: null };
  return parts.length === 0 ? done : withFewSpans(line, done, ends, at);
}

/** Whether anything of an earlier period is left to settle, or being collected. */
function isKept(
  period: BillingPeriod,
  own: readonly PeriodShare[],
  { timing, endsOf }: SettlementInput,
): boolean {
  return dueOf(period, timing, endsOf(period)) !== null || own.some(({ of }) => of === periodKey(period));
}

function isSame(a: BillingPeriod, b: BillingPeriod): boolean {
  return a.run === b.run && a.index === b.index;
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((a, b) => a + b, 0);
}
