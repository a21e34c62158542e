import { groupByTax, toMinor, type TaxShare } from '@commerce/kernel';

import { bookedPart, type PricedPart } from '../pricing/breakdown.js';
import type { PaymentKey, PeriodShare } from './payment-key.js';
import { periodKey, type BillingPeriod } from './billing-period.js';
import { ask, bookedMinor, received } from './books.js';
import type { HoldingOf } from './credit.js';
import {
  creditAll,
  dividedCredits,
  isAmong,
  type Moved,
  type Refund,
  type TakenPeriod,
} from './period-credits.js';
import { periodCost, withFewSpans, type LineBasis } from './period-cost.js';
import { dueOf, settledUntil, type PeriodEnds, type Timing } from './settlement.js';
import { sharingDays } from './shared-day.js';

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
  /** The payments whose results may take days. */
  readonly awaited: readonly PaymentKey[];
  /** Keeps the periods that end after this date, of a quote that is not answered yet. */
  readonly keepsFrom?: Date;
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
  /** Credits against payments whose results are awaited. */
  readonly awaited: readonly Refund[];
}

/** A charge of one period or several. */
export interface PeriodsCharge extends PaymentKey {
  readonly parts: readonly PricedPart[];
  readonly amount_minor: number;
  readonly own: readonly PeriodShare[];
  /** The newest of its periods, which names it. */
  readonly period: BillingPeriod;
}

/** Takes the differences of all periods that are due: a credit pays for what is charged, and the rest is given back. */
export function settlePeriods(input: SettlementInput): SettledPeriods {
  const all = sharingDays(input.line, input.periods);
  const due = all.filter((period) => isDue(period, input));
  const taken = due.map((period) => take(period, input));
  const credited = creditAll(taken, { ...input, currency: input.line.terms.plan.currency });
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
    awaited: credited.awaited,
  };
}

function isDue(period: BillingPeriod, { timing, endsOf, at }: SettlementInput): boolean {
  const due = dueOf(period, timing, endsOf(period));
  return due !== null && due <= at;
}

function take(before: BillingPeriod, { line, endsOf }: SettlementInput): TakenPeriod {
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

/** The charged periods: credits pay for the oldest first, and the payment is asked for the rest. */
function payingFor(
  charged: readonly TakenPeriod[],
  moved: readonly Moved[],
  key: PaymentKey | undefined,
): {
  readonly books: ReadonlyMap<
    TakenPeriod,
    { readonly period: BillingPeriod; readonly books: BillingPeriod['books'] }
  >;
  readonly own: readonly PeriodShare[];
} {
  const books = new Map<
    TakenPeriod,
    { readonly period: BillingPeriod; readonly books: BillingPeriod['books'] }
  >();
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
  { parts }: TakenPeriod,
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
  { timing, endsOf, awaited, keepsFrom }: SettlementInput,
): boolean {
  if (keepsFrom !== undefined && period.end > keepsFrom) return true;
  if (period.books.some(({ payment }) => isAmong(payment, awaited))) return true;
  return dueOf(period, timing, endsOf(period)) !== null || own.some(({ of }) => of === periodKey(period));
}

function isSame(a: BillingPeriod, b: BillingPeriod): boolean {
  return a.run === b.run && a.index === b.index;
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((a, b) => a + b, 0);
}
