import {
  toMajor,
  toMinor,
  vatInside,
  vatLines,
  type AmountBreakdown,
  type RoundingStep,
  type TaxShare,
  type VatLine,
} from '@commerce/kernel';
import { accruedCharge, type AccruedCharge, type PeriodPrice } from './accrual.js';
import type { BillingCalendar, CalendarPeriod, IntervalUnit } from '../calendar/calendar.js';
import { vatField } from './part-tax.js';
import { ratesOf } from './period-rates.js';
import { planPrice, type PlanPriceInput } from './pricing.js';
import { dayOf, prorateStop, usedAndUnused, type ProrationInput, type ProrationMode } from './proration.js';

/** The charge of a period, with the calendar and the price it was computed from. */
export interface PeriodPart {
  readonly kind: 'period';
  readonly amount: number;
  readonly anchor: number;
  readonly timezone: string;
  readonly interval_unit: IntervalUnit;
  readonly billing_interval: IntervalUnit;
  /** Absent in breakdowns from before intervals of several units: 1. */
  readonly interval_count?: number;
  readonly billing_interval_count?: number;
  readonly slice: number;
  readonly start: number;
  readonly end: number;
  readonly service_end: number | null;
  /** Price of one interval and the whole quantity, computed from `priced_from` where that is set. */
  readonly price: number;
  readonly priced_from: PlanPriceInput | null;
  readonly is_prorated: boolean;
  readonly vat: readonly VatLine[];
  readonly steps: readonly RoundingStep[];
}

/**
 * `stop` takes the unused part off (negative); `used` and `unused` collect that part (pause, resume); `day` collects the
 * day of a change.
 */
export type ProrationTake = 'stop' | 'used' | 'unused' | 'day';

/** A part of a period's charge. */
export interface ProrationPart {
  readonly kind: 'proration';
  readonly takes: ProrationTake;
  readonly amount: number;
  readonly mode: ProrationMode;
  readonly timezone: string;
  readonly unit: IntervalUnit;
  /** Absent in breakdowns from before intervals of several units: 1. */
  readonly count?: number;
  readonly base: number;
  readonly start: number;
  readonly end: number;
  readonly at: number;
  /** Date from which the rest of the period was charged, where the part up to `at` is one amount. */
  readonly entered?: number;
  /** As in ProrationInput; absent for a stop. */
  readonly after?: number | null;
  readonly is_prorated: boolean;
  readonly unused: number;
  readonly total: number;
  readonly steps: readonly RoundingStep[];
  /** The tax of the charge that it divides; absent where the rates of products are set by hand. */
  readonly vat?: readonly VatLine[];
}

/**
 * An amount that is given, not computed: the plan's setup fee, debt of earlier periods, the part of a credit that was
 * never collected, or credit that the balance of the customer pays.
 */
export interface FixedPart {
  readonly kind: 'setup' | 'outstanding' | 'uncollected' | 'credit';
  readonly amount: number;
  /** The tax of what it is for; absent where the rates of products are set by hand. */
  readonly vat?: readonly VatLine[];
}

export type BreakdownPart = PeriodPart | ProrationPart | FixedPart;

/** The breakdown that a payment stores. Plain JSON: amounts are decimals in major units, instants UTC milliseconds. */
export type Breakdown = AmountBreakdown<BreakdownPart>;

/** A part with its amount in minor units. */
export interface PricedPart<P extends BreakdownPart = BreakdownPart> {
  readonly amount_minor: number;
  readonly part: P;
}

/** Adds the parts up. */
export function breakdownOf(currency: string, priced: readonly PricedPart[]): PricedBreakdown {
  const amount_minor = totalOf(priced);
  const parts = priced.map(({ part }) => part);
  return { amount_minor, breakdown: { currency, amount: toMajor(amount_minor, currency), parts } };
}

export interface PricedBreakdown {
  readonly amount_minor: number;
  readonly breakdown: Breakdown;
}

export function totalOf(priced: readonly PricedPart[]): number {
  return priced.reduce((sum, { amount_minor }) => sum + amount_minor, 0);
}

/** A period to charge; `service_end` cuts it. */
export interface PeriodInput {
  readonly calendar: BillingCalendar;
  readonly price: PeriodPrice;
  readonly period: CalendarPeriod;
  readonly service_end: Date | null;
  /** The inputs of the price; null where the price itself is the input. */
  readonly priced_from: PlanPriceInput | null;
}

export function periodPart(input: PeriodInput): PricedPart<PeriodPart> {
  const { calendar, price, period, service_end, priced_from } = input;
  const { currency } = price;
  const { amount_minor, steps } = accruedCharge(calendar, price, period, service_end);
  const plan = priced_from && planPrice(priced_from);
  if (plan && plan.price_minor !== price.price_minor) {
    throw new RangeError('A breakdown cannot show a price that was not computed from what it shows');
  }
  const vatSteps: RoundingStep[] = [];
  const vat = vatInside(amount_minor, ratesOf(plan, calendar, period), currency, vatSteps);
  const part: PeriodPart = {
    kind: 'period',
    amount: toMajor(amount_minor, currency),
    anchor: calendar.anchor.getTime(),
    timezone: calendar.timezone,
    interval_unit: calendar.interval_unit,
    billing_interval: calendar.billing_interval,
    interval_count: calendar.interval_count,
    billing_interval_count: calendar.billing_interval_count,
    slice: period.index,
    start: period.start.getTime(),
    end: period.end.getTime(),
    service_end: service_end?.getTime() ?? null,
    price: toMajor(price.price_minor, currency),
    priced_from,
    is_prorated: price.is_prorated,
    vat: vatLines(vat, currency),
    steps: [...(plan?.steps ?? []), ...(plan?.discounted?.priced.steps ?? []), ...steps, ...vatSteps],
  };
  return { amount_minor, part };
}

/** The rates that divide a part; undefined where its tax was not decided. */
type Taxes = readonly TaxShare[] | undefined;

export function setupPart(amount_minor: number, currency: string, taxes?: Taxes): PricedPart<FixedPart> {
  return fixedPart('setup', amount_minor, currency, taxes);
}

/** Debt of earlier payments; negative for amounts already charged or given back. */
export function outstandingPart(
  amount_minor: number,
  currency: string,
  taxes?: Taxes,
): PricedPart<FixedPart> {
  return fixedPart('outstanding', amount_minor, currency, taxes);
}

/** The part of a credit for unused days that was not collected, or was given back before. */
export function uncollectedPart(
  amount_minor: number,
  currency: string,
  taxes?: Taxes,
): PricedPart<FixedPart> {
  return fixedPart('uncollected', amount_minor, currency, taxes);
}

function fixedPart(
  kind: FixedPart['kind'],
  amount_minor: number,
  currency: string,
  taxes: Taxes,
): PricedPart<FixedPart> {
  const vat = vatField(amount_minor, taxes, currency);
  return { amount_minor, part: { kind, amount: toMajor(amount_minor, currency), ...vat } };
}

export function prorationPart(
  input: ProrationInput,
  takes: ProrationTake,
  taxes?: Taxes,
): PricedPart<ProrationPart> {
  const { unused, total, steps } = takes === 'day' ? dayOf(input) : usedAndUnused(input);
  const amount_minor = taken(input, takes);
  const part: ProrationPart = {
    kind: 'proration',
    takes,
    amount: toMajor(amount_minor, input.currency),
    mode: input.mode,
    timezone: input.timezone,
    unit: input.unit,
    count: input.count,
    base: toMajor(input.base_minor, input.currency),
    start: input.start.getTime(),
    end: input.end.getTime(),
    at: input.at.getTime(),
    ...(input.entered === undefined ? {} : { entered: input.entered.getTime() }),
    ...(input.after === undefined ? {} : { after: input.after?.getTime() ?? null }),
    is_prorated: input.is_prorated,
    unused,
    total,
    steps,
    ...vatField(amount_minor, taxes, input.currency),
  };
  return { amount_minor, part };
}

/**
 * The amount in minor units, recomputed from the inputs in the breakdown alone: it equals `amount`, or the charge was
 * wrong.
 */
export function recompute(breakdown: Breakdown): number {
  return breakdown.parts.reduce((sum, part) => sum + recomputePart(part, breakdown.currency), 0);
}

/** Recomputes the amount of one part. */
export function recomputePart(part: BreakdownPart, currency: string): number {
  switch (part.kind) {
    case 'period':
      return recomputePeriod(part, currency).amount_minor;
    case 'proration':
      return recomputeProration(part, currency).amount_minor;
    case 'setup':
    case 'outstanding':
    case 'uncollected':
    case 'credit':
      return toMinor(part.amount, currency);
  }
}

/** The calendar of the period that a part charges. */
export function calendarOf(part: PeriodPart): BillingCalendar {
  const { anchor, timezone, interval_unit, billing_interval } = part;
  const { interval_count = 1, billing_interval_count = 1 } = part;
  const intervals = { interval_unit, interval_count, billing_interval, billing_interval_count };
  return { anchor: new Date(anchor), timezone, ...intervals };
}

export function recomputePeriod(part: PeriodPart, currency: string): AccruedCharge {
  const { priced_from, is_prorated, service_end } = part;
  const plan = priced_from && planPrice(priced_from);
  const price_minor = plan?.price_minor ?? toMinor(part.price, currency);
  return accruedCharge(
    calendarOf(part),
    { price_minor, currency, is_prorated, discounted: plan?.discounted ?? null },
    { index: part.slice, start: new Date(part.start), end: new Date(part.end) },
    service_end === null ? null : new Date(service_end),
  );
}

/** `unused` of `total` as in UsedAndUnused. */
export function recomputeProration(
  part: ProrationPart,
  currency: string,
): { readonly amount_minor: number; readonly unused: number; readonly total: number } {
  const { mode, timezone, unit, count = 1, entered, after, is_prorated } = part;
  const input: ProrationInput = {
    mode,
    timezone,
    unit,
    count,
    base_minor: toMinor(part.base, currency),
    currency,
    start: new Date(part.start),
    end: new Date(part.end),
    at: new Date(part.at),
    ...(entered === undefined ? {} : { entered: new Date(entered) }),
    ...(after === undefined ? {} : { after: after === null ? null : new Date(after) }),
    is_prorated,
  };
  const { unused, total } = part.takes === 'day' ? dayOf(input) : usedAndUnused(input);
  return { amount_minor: taken(input, part.takes), unused, total };
}

function taken(input: ProrationInput, takes: ProrationTake): number {
  switch (takes) {
    case 'stop':
      return prorateStop(input);
    case 'used':
      return usedAndUnused(input).used_minor;
    case 'unused':
      return usedAndUnused(input).unused_minor;
    case 'day':
      return dayOf(input).unused_minor;
  }
}
