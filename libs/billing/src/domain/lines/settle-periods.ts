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
import { eachLine, endsOf, type Line, type Lines, type ServiceBounds } from './line.js';
import { dueOf, settledUntil, type PeriodEnds } from './settlement.js';
import type { Terms } from '../pricing/terms.js';
import { isSameDay, sharingDays } from './shared-day.js';

/** The lines of a subscription, and what a settlement of their periods depends on. */
export interface SettlementInput {
  readonly lines: Lines;
  readonly bounds: ServiceBounds;
  /** Those of one line, which lead to all others. */
  readonly terms: Terms;
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
  readonly lines: Lines;
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
  readonly ends: PeriodEnds;
}

/** A line with its ends and terms at hand. */
interface SettledLine {
  readonly line: Line;
  readonly basis: LineBasis;
  readonly endsOf: (period: BillingPeriod) => PeriodEnds;
}

/** Takes the differences of all periods that are due: a credit pays for what is charged, and the rest is given back. */
export function settlePeriods(input: SettlementInput): SettledPeriods {
  const lines = eachLine(input.lines, (line) => ({
    ...line,
    periods: sharingDays(basisOf(line, input), line.periods),
  }));
  const settling = lines.map((line) => settledLine(line, input));
  const taken = settling.flatMap((one) =>
    one.line.periods.filter((period) => isDue(one, period, input.at)).map((period) => take(one, period)),
  );
  const credited = creditAll(taken, { ...input, currency: input.terms.plan.currency });
  const charged = taken.filter(({ difference_minor, isFirst }) => difference_minor > 0 || isFirst);
  const needed_minor = sum(charged.map(({ difference_minor }) => difference_minor));
  const { moved, refunds } = dividedCredits(credited.credits, needed_minor);
  const own_minor = needed_minor - sum(moved.map(({ minor }) => minor));
  const lead = own_minor > 0 || credited.credits.length === 0 ? charged.at(-1) : undefined;
  const key =
    lead && (input.payment ?? keyOf(lead.period, charged.length === 1 && credited.books.size === 0));
  const paid = payingFor(charged, moved, key);
  const parts = taken.flatMap((one) => [...one.parts, ...(credited.books.get(one)?.uncollected ?? [])]);
  const after = (line: Line): Line => {
    const own = settledLine(line, input);
    const periods = line.periods.map((before) => {
      const found = taken.find(({ period }) => isSame(period, before));
      if (found === undefined) return before;
      const booked = credited.books.get(found)?.period ?? paid.books.get(found) ?? found.period;
      const bills = booked.bills + (found === lead ? 1 : 0);
      return settled(own, { ...booked, bills }, found, input.at);
    });
    const isLast = (index: number): boolean => index === periods.length - 1;
    return {
      ...line,
      periods: periods.filter((period, index) => isLast(index) || isKept(own, period, paid.own, input)),
    };
  };
  return {
    lines: eachLine(lines, after),
    charge:
      lead === undefined || key === undefined
        ? null
        : { ...key, parts, amount_minor: own_minor, own: paid.own, period: lead.period, ends: lead.ends },
    refunds,
    forgiven_minor: credited.forgiven_minor,
    awaited: credited.awaited,
  };
}

function basisOf({ schedule, subscribed }: Line, { terms }: SettlementInput): LineBasis {
  return { schedule, terms: terms.for(subscribed) };
}

function settledLine(line: Line, input: SettlementInput): SettledLine {
  return { line, basis: basisOf(line, input), endsOf: (period) => endsOf(line, input.bounds, period) };
}

function isDue({ line, endsOf: ends }: SettledLine, period: BillingPeriod, at: Date): boolean {
  const due = dueOf(period, line.timing, ends(period));
  return due !== null && due <= at;
}

function take({ basis, endsOf: endsIn }: SettledLine, before: BillingPeriod): TakenPeriod {
  const ends = endsIn(before);
  const { cost_minor, parts, period } = periodCost(basis, before, ends);
  const booked_minor = bookedMinor(period.books);
  const difference_minor = cost_minor - booked_minor;
  const isFirst = period.bills === 0 && period.credits === 0 && period.books.length === 0 && parts.length > 0;
  const { currency } = basis.terms.plan;
  const booked = booked_minor === 0 ? [] : [bookedPart(booked_minor, currency, period.taxes)];
  const taxes = difference_minor === 0 ? period.taxes : taxesOf(parts, currency);
  return {
    period: { ...period, taxes },
    ends,
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
): { readonly books: ReadonlyMap<TakenPeriod, BillingPeriod>; readonly own: readonly PeriodShare[] } {
  const after = new Map<TakenPeriod, BillingPeriod>();
  const own: PeriodShare[] = [];
  const left = moved.map((one) => ({ ...one }));
  for (const one of charged) {
    let needed = one.difference_minor;
    let { books } = one.period;
    for (const part of left) {
      const minor = Math.min(needed, part.minor);
      books = received(books, part.payment, minor);
      part.minor -= minor;
      needed -= minor;
    }
    if (key !== undefined && needed > 0) {
      books = ask(books, key, needed);
      own.push({ of: periodKey(one.period), amount_minor: needed });
    }
    after.set(one, { ...one.period, books });
  }
  return { books: after, own };
}

function keyOf(period: BillingPeriod, isAlone: boolean): PaymentKey {
  const key = periodKey(period);
  return {
    kind: period.bills === 0 && isAlone ? 'period' : 'proration',
    period_key: period.bills === 0 ? key : `${key}-${String(period.bills)}`,
  };
}

function settled(
  { line, basis, endsOf: ends }: SettledLine,
  period: BillingPeriod,
  { parts }: TakenPeriod,
  at: Date,
): BillingPeriod {
  const settled_until = settledUntil(line.timing, ends(period));
  const done = { ...period, settled_until, credit_to: null };
  return parts.length === 0 ? done : withFewSpans(basis, done, ends(period), at);
}

/** Whether anything of an earlier period is left to settle, or being collected. */
function isKept(
  { line, endsOf: ends }: SettledLine,
  period: BillingPeriod,
  own: readonly PeriodShare[],
  { awaited, keepsFrom, at }: SettlementInput,
): boolean {
  if (keepsFrom !== undefined && period.end > keepsFrom) return true;
  // What holds later in the day in which a new calendar began may give that day back to this period.
  if (period.run !== line.schedule.run && isSameDay(line, line.schedule.anchor, at)) return true;
  if (period.books.some(({ payment }) => isAmong(payment, awaited))) return true;
  return dueOf(period, line.timing, ends(period)) !== null || own.some(({ of }) => of === periodKey(period));
}

function isSame(a: BillingPeriod, b: BillingPeriod): boolean {
  return a.run === b.run && a.index === b.index;
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((a, b) => a + b, 0);
}
