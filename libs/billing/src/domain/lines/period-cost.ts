import { instantOfWall, wallTimeOf, type TaxShare, type VatMinor } from '@commerce/kernel';

import { chargeInterval, unitBoundary, unitsUpTo, type BillingCalendar } from '../calendar/calendar.js';
import { earlier, type Schedule } from '../calendar/schedule.js';
import { accruedCharge } from '../pricing/accrual.js';
import { periodPart, type PricedPart } from '../pricing/breakdown.js';
import { ratesOf } from '../pricing/period-rates.js';
import { planPrice, type PlanPriceInput } from '../pricing/pricing.js';
import type { Terms } from '../pricing/terms.js';
import type { BillingPeriod, FrozenPrice, HeldTerms } from './billing-period.js';
import { compacted } from './compact.js';
import { cost, totalMinor, type CostBasis, type CostPart, type WholePrice } from './cost.js';
import type { PeriodEnds } from './settlement.js';
import { within } from './spans.js';

/** The calendar of a line, and the terms in force, which lead to all others that its periods name. */
export interface LineBasis {
  readonly schedule: Schedule;
  readonly terms: Terms;
}

/** What a period costs by what held in it, the parts of a breakdown that show it, and the period with frozen prices. */
export interface PeriodCost {
  readonly cost_minor: number;
  readonly parts: readonly PricedPart[];
  readonly period: BillingPeriod;
}

/** The cost of a period with these ends; reads the prices that are not frozen yet. */
export function periodCost(line: LineBasis, before: BillingPeriod, ends: PeriodEnds): PeriodCost {
  const priced = before.terms.map((one) => pricedTerms(line, before, one));
  const period = { ...before, terms: priced.map(({ held }) => held) };
  const shown: ShownPeriod = { line, period, ends, priced };
  const end = countedEnd(line, period, ends);
  const divided = { ...period, end, yields: instantsOf(period), service_end: ends.service };
  const parts = cost(divided, basisOf(line, period, ends));
  return { cost_minor: totalMinor(parts), parts: parts.map((part) => shownPart(shown, part)), period };
}

/** The amount of `periodCost` alone. */
export function costMinor(line: LineBasis, period: BillingPeriod, ends: PeriodEnds): number {
  return periodCost(line, period, ends).cost_minor;
}

/** Spans that a period may have without being compacted. */
const FEW_SPANS = 8;

/** The settled period without spans that decide nothing. */
export function withFewSpans(
  line: LineBasis,
  period: BillingPeriod,
  ends: PeriodEnds,
  now: Date,
): BillingPeriod {
  if (period.spans.length <= FEW_SPANS) return period;
  const { counting, priceOf, same } = basisOf(line, period, ends);
  const rank = (place: number): number => priceOf(place).whole_minor;
  const { start } = period;
  const end = countedEnd(line, period, ends);
  const spans = compacted(period.spans, {
    start,
    end,
    yields: instantsOf(period),
    counting,
    rank,
    same,
    now,
  });
  return { ...period, spans };
}

/**
 * The end up to which days are counted: that of the day in which the subscription ends, which counts. At the end of a price
 * interval it is the first of the next, as for the price that accrues.
 */
function countedEnd({ schedule, terms }: LineBasis, period: BillingPeriod, { settled }: PeriodEnds): Date {
  if (settled >= period.end || terms.settings.proration_mode === 'second') return settled;
  const units = unitsUpTo(schedule, settled);
  if (unitBoundary(schedule, units).getTime() === settled.getTime()) return settled;
  const { day, ms } = wallTimeOf(settled, schedule.timezone);
  return ms === 0 ? settled : earlier(instantOfWall({ day: day + 1, ms: 0 }, schedule.timezone), period.end);
}

function instantsOf({ yields }: BillingPeriod): Date[] {
  return yields.map(({ at }) => at);
}

export interface PricedTerms {
  readonly held: HeldTerms;
  /** The inputs of a price that was frozen just now; null for one that was frozen before. */
  readonly priced_from: PlanPriceInput | null;
}

/** The terms with the price of the whole period. */
export function pricedTerms(line: LineBasis, period: BillingPeriod, held: HeldTerms): PricedTerms {
  if (held.price !== null) return { held, priced_from: null };
  const own = line.terms.for(held.subscribed);
  const { is_prorated } = own.plan;
  const calendar = line.schedule.covering(period, own.plan);
  const priced_from = own.price(period.start);
  const plan = planPrice(priced_from);
  const { price_minor, discounted } = plan;
  const taxes = sharesOf(ratesOf(plan, calendar, period));
  const lower = discounted && {
    price_minor: discounted.price_minor,
    from: discounted.from,
    until: discounted.until,
  };
  const frozen: FrozenPrice = { price_minor, ...(lower && { discounted: lower }), is_prorated, taxes };
  return { held: { ...held, price: frozen }, priced_from };
}

/** The shares of the rates in an amount. */
function sharesOf(vat: readonly VatMinor[]): TaxShare[] {
  return vat.map(({ rate, tax, gross_minor: weight }) => ({ rate, ...(tax && { tax }), weight }));
}

export function basisOf(line: LineBasis, period: BillingPeriod, ends: PeriodEnds): CostBasis<number> {
  const { terms, schedule } = line;
  const calendar = calendarOf(line, period);
  const { currency } = terms.plan;
  const prices = new Map<number, WholePrice>();
  return {
    currency,
    counting: {
      mode: terms.settings.proration_mode,
      timezone: schedule.timezone,
      interval: chargeInterval(calendar),
    },
    priceOf: (place) => {
      const known = prices.get(place);
      if (known !== undefined) return known;
      const price = priceAt(period, place);
      const { amount_minor } = accruedCharge(calendar, { ...price, currency }, period, ends.settled);
      const whole = { whole_minor: amount_minor, is_prorated: price.is_prorated };
      prices.set(place, whole);
      return whole;
    },
    same: (a, b) => a === b,
  };
}

function priceAt({ terms }: BillingPeriod, place: number): FrozenPrice {
  const price = terms[place]?.price;
  if (price == null) throw new RangeError('A period names terms without a price');
  return price;
}

/** The calendar of a period, which may be that of an earlier run. */
function calendarOf({ schedule, terms }: LineBasis, period: BillingPeriod): BillingCalendar {
  const [first] = period.terms;
  if (first === undefined || period.run === schedule.run) return schedule;
  return schedule.covering(period, terms.for(first.subscribed).plan);
}

interface ShownPeriod {
  readonly line: LineBasis;
  readonly period: BillingPeriod;
  readonly ends: PeriodEnds;
  readonly priced: readonly PricedTerms[];
}

function shownPart(
  { line, period, ends, priced }: ShownPeriod,
  { terms: place, ranges, total, whole_minor, amount_minor }: CostPart<number>,
): PricedPart {
  const spans = within(period.spans, period.start, ends.service).filter(({ terms }) => terms === place);
  const { is_prorated, taxes } = priceAt(period, place);
  return periodPart({
    calendar: calendarOf(line, period),
    period,
    service_end: ends.settled < period.end ? ends.settled : null,
    currency: line.terms.plan.currency,
    ...{ amount_minor, whole_minor, ranges, total, is_prorated, taxes },
    mode: line.terms.settings.proration_mode,
    from: spans[0]?.from ?? period.start,
    to: spans.at(-1)?.to ?? period.end,
    priced_from: priced[place]?.priced_from ?? null,
  });
}
