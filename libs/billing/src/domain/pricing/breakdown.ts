import {
  toMajor,
  toMinor,
  vatLines,
  vatOfShares,
  type AmountBreakdown,
  type RoundingStep,
  type TaxShare,
  type VatLine,
} from '@commerce/kernel';
import { accruedCharge, type AccruedCharge } from './accrual.js';
import type { BillingCalendar, CalendarPeriod, IntervalUnit } from '../calendar/calendar.js';
import { vatField } from './part-tax.js';
import { planPrice, type PlanPriceInput } from './pricing.js';
import { ownedMinor, ownsAll, type OwnedShare, type ProrationMode } from './proration.js';

/**
 * What a period costs by some of the terms that held in it: the `ranges` that they own of its `total` days (milliseconds in
 * mode `second`), with the calendar and the price that it was computed from.
 */
export interface PeriodPart extends OwnedShare {
  readonly kind: 'period';
  readonly amount: number;
  readonly anchor: number;
  readonly timezone: string;
  readonly interval_unit: IntervalUnit;
  readonly billing_interval: IntervalUnit;
  readonly interval_count: number;
  readonly billing_interval_count: number;
  readonly index: number;
  readonly start: number;
  readonly end: number;
  /** The end of the subscription within the period, up to which its price accrues; null: it does not end in it. */
  readonly service_end: number | null;
  /** The time in which the terms held: from their first beginning to their last end. */
  readonly from: number;
  readonly to: number;
  /** The price of the whole period, or up to that end, computed from `priced_from` where that is set: it was charged before otherwise. */
  readonly whole: number;
  readonly priced_from: PlanPriceInput | null;
  readonly mode: ProrationMode;
  readonly is_prorated: boolean;
  readonly vat: readonly VatLine[];
  readonly steps: readonly RoundingStep[];
}

/**
 * An amount that is given, not computed: the plan's setup fee, debt of earlier periods, what the books of a period hold
 * already (negative), the part of a credit that was never collected, or credit that the balance of the customer pays.
 */
export interface FixedPart {
  readonly kind: 'setup' | 'outstanding' | 'booked' | 'uncollected' | 'credit';
  readonly amount: number;
  /** The tax of what it is for; absent where the rates of products are set by hand. */
  readonly vat?: readonly VatLine[];
}

export type BreakdownPart = PeriodPart | FixedPart;

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

/** A part of the cost of a period. */
export interface PeriodInput extends OwnedShare {
  readonly calendar: BillingCalendar;
  readonly period: CalendarPeriod;
  readonly service_end: Date | null;
  readonly currency: string;
  readonly whole_minor: number;
  readonly amount_minor: number;
  readonly mode: ProrationMode;
  readonly is_prorated: boolean;
  readonly from: Date;
  readonly to: Date;
  /** The inputs of the price; null for one that was frozen before. */
  readonly priced_from: PlanPriceInput | null;
  /** The rates in the price of the whole period. */
  readonly taxes: readonly TaxShare[];
}

export function periodPart(input: PeriodInput): PricedPart<PeriodPart> {
  const { calendar, period, currency, amount_minor, whole_minor, ranges, total, priced_from, taxes } = input;
  const steps = stepsOf(input);
  const vat = vatOfShares(amount_minor, taxes, 'inclusive', currency, steps);
  const part: PeriodPart = {
    kind: 'period',
    amount: toMajor(amount_minor, currency),
    anchor: calendar.anchor.getTime(),
    timezone: calendar.timezone,
    interval_unit: calendar.interval_unit,
    billing_interval: calendar.billing_interval,
    interval_count: calendar.interval_count,
    billing_interval_count: calendar.billing_interval_count,
    index: period.index,
    start: period.start.getTime(),
    end: period.end.getTime(),
    service_end: input.service_end?.getTime() ?? null,
    from: input.from.getTime(),
    to: input.to.getTime(),
    whole: toMajor(whole_minor, currency),
    priced_from,
    mode: input.mode,
    ranges,
    total,
    is_prorated: input.is_prorated,
    vat: vatLines(vat, currency),
    steps,
  };
  return { amount_minor, part };
}

/** The roundings of a price that was computed just now, and of its part. */
function stepsOf({ calendar, period, currency, whole_minor, ...rest }: PeriodInput): RoundingStep[] {
  const { service_end, priced_from, is_prorated, mode, ranges, total } = rest;
  const share = { ranges, total };
  const steps: RoundingStep[] = [];
  if (priced_from !== null) {
    const plan = planPrice(priced_from);
    const { price_minor, discounted } = plan;
    const accrued = accruedCharge(
      calendar,
      { price_minor, discounted, currency, is_prorated },
      period,
      service_end,
    );
    if (accrued.amount_minor !== whole_minor) {
      throw new RangeError('A breakdown cannot show a price that was not computed from what it shows');
    }
    steps.push(...plan.steps, ...(discounted?.priced.steps ?? []), ...accrued.steps);
  }
  if (!ownsAll(share)) ownedMinor(whole_minor, share, currency, { steps, mode });
  return steps;
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

/** What the books of a period hold already, which its cost is charged less. */
export function bookedPart(amount_minor: number, currency: string, taxes: Taxes): PricedPart<FixedPart> {
  return fixedPart('booked', 0 - amount_minor, currency, taxes);
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

/**
 * The amount in minor units, recomputed from the inputs in the breakdown alone: it equals `amount`, or the charge was
 * wrong.
 */
export function recompute(breakdown: Breakdown): number {
  return breakdown.parts.reduce((sum, part) => sum + recomputePart(part, breakdown.currency), 0);
}

/** Recomputes the amount of one part. */
export function recomputePart(part: BreakdownPart, currency: string): number {
  return part.kind === 'period'
    ? recomputePeriod(part, currency).amount_minor
    : toMinor(part.amount, currency);
}

/** The calendar of the period that a part is of. */
export function calendarOf(part: PeriodPart): BillingCalendar {
  const { anchor, timezone, interval_unit, billing_interval, interval_count, billing_interval_count } = part;
  const intervals = { interval_unit, interval_count, billing_interval, billing_interval_count };
  return { anchor: new Date(anchor), timezone, ...intervals };
}

/** The amount of a part, and the price of the whole period that it is a part of. */
export interface RecomputedPeriod {
  readonly amount_minor: number;
  readonly whole_minor: number;
  /** Accrued by the end of the period and before it, counted from the price interval in which it begins. */
  readonly steps: readonly RoundingStep[];
}

export function recomputePeriod(part: PeriodPart, currency: string): RecomputedPeriod {
  const { amount_minor: whole_minor, steps } = recomputeWhole(part, currency);
  const amount_minor = ownedMinor(whole_minor, part, currency);
  return { amount_minor, whole_minor, steps };
}

function recomputeWhole(part: PeriodPart, currency: string): Pick<AccruedCharge, 'amount_minor' | 'steps'> {
  const { priced_from, is_prorated } = part;
  if (priced_from === null) return { amount_minor: toMinor(part.whole, currency), steps: [] };
  const { price_minor, discounted } = planPrice(priced_from);
  return accruedCharge(
    calendarOf(part),
    { price_minor, currency, is_prorated, discounted },
    { start: new Date(part.start), end: new Date(part.end) },
    part.service_end === null ? null : new Date(part.service_end),
  );
}
