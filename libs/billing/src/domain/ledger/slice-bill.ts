import type { Schedule } from '../calendar/schedule.js';
import {
  outstandingPart,
  periodPart,
  prorationPart,
  totalOf,
  type PricedPart,
} from '../pricing/breakdown.js';
import { planPrice, type PlanPriceInput } from '../pricing/pricing.js';
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
  const priced_from = terms.price();
  const whole = wholePart(schedule, terms, slice, priced_from);
  const end = schedule.endOf(slice);
  const isCut = end < schedule.covering(slice).slice(slice.index).end;
  const based = { ...slice, end, base_minor: whole.amount_minor, ...(isCut ? { priced_from } : {}) };
  return { parts: slice.whole ? [whole] : [], slice: based };
}

/**
 * A slice that was charged up to an end that has been postponed since: the rest is charged, which is the whole at the
 * price of that charge less what was charged.
 */
function growth(schedule: Schedule, terms: Terms, slice: RunningSlice): Base {
  const end = schedule.endOf(slice);
  if (end <= slice.end) return { parts: [], slice };
  const before = slice.base_minor ?? 0;
  const whole = wholePart(schedule, terms, slice, slice.priced_from ?? terms.price());
  if (whole.amount_minor <= before) return { parts: [], slice: { ...slice, end } };
  // After a pause that is settled, the resume collects all that is left, up to the new end.
  const isPaused = slice.cuts[slice.settled - 1]?.takes === 'stop';
  const parts = isPaused ? [] : [whole, outstandingPart(0 - before, terms.plan.currency)];
  return { parts, slice: { ...slice, end, base_minor: whole.amount_minor } };
}

/** The price of a slice. The part before an end is computed from the whole slice. */
function wholePart(
  schedule: Schedule,
  terms: Terms,
  slice: RunningSlice,
  priced_from: PlanPriceInput,
): PricedPart {
  const calendar = schedule.covering(slice);
  const { currency, is_prorated } = terms.plan;
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
