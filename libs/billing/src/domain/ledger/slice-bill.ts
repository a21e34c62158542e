import type { Schedule } from '../calendar/schedule.js';
import {
  outstandingPart,
  periodPart,
  prorationPart,
  totalOf,
  type PricedPart,
} from '../pricing/breakdown.js';
import { planPrice } from '../pricing/pricing.js';
import { prorateStop, type ProrationInput } from '../pricing/proration.js';
import type { Terms } from '../pricing/terms.js';
import type { RunningSlice } from './running-slice.js';

/** What is charged for a slice now, part by part, and the slice once that is done. */
export interface SliceBill {
  readonly parts: readonly PricedPart[];
  /** Negative: to be given back. */
  readonly amount_minor: number;
  readonly slice: RunningSlice;
}

/**
 * Bills a slice up to its cut number `upTo`: its price, unless that was charged before, and what the cuts since then
 * take off or add. What has already been given back does not count again.
 */
export function billSlice(schedule: Schedule, terms: Terms, slice: RunningSlice, upTo: number): SliceBill {
  const base =
    slice.base_minor === null ? wholeSlice(schedule, terms, slice) : growth(schedule, terms, slice);
  const cuts = base.slice.cuts
    .slice(slice.settled, upTo)
    .map(({ at, takes }) => prorationPart(prorationInput(schedule, terms, base.slice, at), takes));
  const parts = [...base.parts, ...cuts, ...creditPart(slice, terms)];
  return {
    parts,
    amount_minor: totalOf(parts),
    slice: { ...base.slice, settled: Math.max(slice.settled, upTo), credited_minor: 0 },
  };
}

/** The prorate_amount of a stop in a slice: the unused part of its charge, negative. */
export function prorateMinor(schedule: Schedule, terms: Terms, slice: RunningSlice, at: Date): number {
  if (!terms.plan.is_prorated) return 0;
  const based = slice.base_minor === null ? wholeSlice(schedule, terms, slice).slice : slice;
  return prorateStop(prorationInput(schedule, terms, based, at));
}

interface Base {
  readonly parts: readonly PricedPart[];
  readonly slice: RunningSlice;
}

/** The first charge of a slice, at today's price and with today's end. One entered midway has a base only. */
function wholeSlice(schedule: Schedule, terms: Terms, slice: RunningSlice): Base {
  const whole = wholePart(schedule, terms, slice);
  const based = { ...slice, end: schedule.endOf(slice), base_minor: whole.amount_minor };
  return { parts: slice.whole ? [whole] : [], slice: based };
}

/**
 * A slice that was charged up to an end that has been postponed since: the rest is charged, which is the whole less
 * what was charged.
 */
function growth(schedule: Schedule, terms: Terms, slice: RunningSlice): Base {
  const end = schedule.endOf(slice);
  if (end <= slice.end) return { parts: [], slice };
  const before = slice.base_minor ?? 0;
  const whole = wholePart(schedule, terms, slice);
  if (whole.amount_minor <= before) return { parts: [], slice: { ...slice, end } };
  const parts = [whole, outstandingPart(0 - before, terms.plan.currency)];
  return { parts, slice: { ...slice, end, base_minor: whole.amount_minor } };
}

/** The price of a slice. The part before an end is computed from the whole slice. */
function wholePart(schedule: Schedule, terms: Terms, slice: RunningSlice): PricedPart {
  const calendar = schedule.covering(slice);
  const { currency, is_prorated } = terms.plan;
  const priced_from = terms.price();
  const price = { price_minor: planPrice(priced_from).price_minor, currency, is_prorated };
  return periodPart({
    calendar,
    price,
    slice: calendar.slice(slice.index),
    service_end: calendar.end,
    priced_from,
  });
}

function creditPart({ credited_minor }: RunningSlice, { plan }: Terms): PricedPart[] {
  return credited_minor === 0 ? [] : [outstandingPart(credited_minor, plan.currency)];
}

function prorationInput(
  schedule: Schedule,
  { plan, settings }: Terms,
  slice: RunningSlice,
  at: Date,
): ProrationInput {
  return {
    mode: settings.proration_mode,
    timezone: schedule.timezone,
    unit: plan.billing_interval,
    base_minor: slice.base_minor ?? 0,
    currency: plan.currency,
    start: slice.start,
    end: slice.end,
    at,
    is_prorated: plan.is_prorated,
  };
}
