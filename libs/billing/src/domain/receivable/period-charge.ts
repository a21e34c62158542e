import type { Schedule } from '../calendar/schedule.js';
import {
  outstandingPart,
  periodPart,
  prorationPart,
  totalOf,
  type PeriodPart,
  type PricedPart,
} from '../pricing/breakdown.js';
import { taxesField } from '../pricing/part-tax.js';
import { planPrice, type PlanPriceInput } from '../pricing/pricing.js';
import { prorateStop, type ProrationInput } from '../pricing/proration.js';
import type { Terms } from '../pricing/terms.js';
import { endedBefore, type BillingPeriod, type PeriodCut } from './billing-period.js';

/** The amount to charge for a period now, part by part, and the period afterwards. */
export interface PeriodCharge {
  readonly parts: readonly PricedPart[];
  /** Negative: to be given back. */
  readonly amount_minor: number;
  readonly period: BillingPeriod;
}

/**
 * Bills a period up to its cut number `upTo`: its price, unless that was charged before, and the amounts of the cuts
 * since then. Amounts already given back do not count again.
 */
export function periodCharge(
  schedule: Schedule,
  terms: Terms,
  period: BillingPeriod,
  upTo: number,
): PeriodCharge {
  const base =
    period.base_minor === null ? wholePeriod(schedule, terms, period) : growth(schedule, terms, period);
  const cuts = base.period.cuts
    .slice(period.settled, upTo)
    .flatMap((cut) => cutParts(schedule, terms, base.period, cut));
  const parts = [...base.parts, ...cuts, ...creditPart(period, terms)];
  return {
    parts,
    amount_minor: totalOf(parts),
    period: { ...base.period, settled: Math.max(period.settled, upTo), credited_minor: 0 },
  };
}

/** The terms under which a period ran: its own, where a change has given the subscription others since. */
export function termsOfPeriod(terms: Terms, { subscribed }: BillingPeriod): Terms {
  return subscribed === undefined ? terms : terms.for(subscribed);
}

/** The prorate_amount of a stop in a period: the unused part of its charge, negative. */
export function prorateMinor(schedule: Schedule, terms: Terms, period: BillingPeriod, at: Date): number {
  if (!terms.plan.is_prorated) return 0;
  const based = period.base_minor === null ? wholePeriod(schedule, terms, period).period : period;
  return prorateStop(prorationInput(schedule, terms, based, at));
}

/** The price of the whole period by today's terms. */
export function basePriceMinor(schedule: Schedule, terms: Terms, period: BillingPeriod): number {
  return wholePart(schedule, terms, period, terms.price(period.start)).amount_minor;
}

/** The amount of a cut, and what dearer terms that begin within a used day cost more for it. */
function cutParts(schedule: Schedule, terms: Terms, period: BillingPeriod, cut: PeriodCut): PricedPart[] {
  const part = cutPart(schedule, terms, period, cut);
  const entry = cut.takes === 'unused' ? cut : entryAt(period, cut);
  const more = (period.base_minor ?? 0) - (entry?.over_minor ?? Infinity);
  if (entry === undefined || more <= 0 || !terms.plan.is_prorated) return [part];
  const input = { ...prorationInput(schedule, terms, period, entry.at), base_minor: more };
  const day = prorationPart(input, 'day', period.taxes);
  if (entry === cut) return [part, day];
  return [part, outstandingPart(0 - day.amount_minor, input.currency, period.taxes)];
}

/** The beginning of terms that this cut ends at the same instant: they have held for no time. */
function entryAt({ cuts }: BillingPeriod, cut: PeriodCut): PeriodCut | undefined {
  const before = cuts.slice(0, cuts.indexOf(cut));
  return before.find(({ takes, at }) => takes === 'unused' && at.getTime() === cut.at.getTime());
}

/** A period that a change replaces as it begins costs nothing, prorated or not: the new terms hold from its start. */
function cutPart(schedule: Schedule, terms: Terms, period: BillingPeriod, cut: PeriodCut): PricedPart {
  const begins = cut.takes === 'unused' || cut.after !== undefined;
  const after = begins ? { after: endedBefore(period, cut) } : {};
  const input = { ...prorationInput(schedule, terms, period, cut.at), ...after };
  const { taxes } = period;
  if (period.changed === undefined || cut !== period.cuts.at(-1))
    return prorationPart(input, cut.takes, taxes);
  if (cut.at <= period.start) return outstandingPart(0 - input.base_minor, input.currency, taxes);
  const before = period.cuts.at(-2);
  const entered =
    before?.takes === 'unused' ? { ...input, entered: before.at, after: endedBefore(period, before) } : input;
  return prorationPart(entered, cut.takes, taxes);
}

interface Base {
  readonly parts: readonly PricedPart[];
  readonly period: BillingPeriod;
}

/** The first charge of a period, at today's price and with today's end. One entered midway has a base only. */
function wholePeriod(schedule: Schedule, terms: Terms, period: BillingPeriod): Base {
  const priced_from = terms.price(period.start);
  const whole = wholePart(schedule, terms, period, priced_from);
  const end = schedule.endOf(period);
  const isCut = end < schedule.covering(period, terms.plan).period(period.index).end;
  const taxes = taxesField([whole.part], terms.plan.currency);
  const based = {
    ...period,
    end,
    base_minor: whole.amount_minor,
    ...taxes,
    ...(isCut ? { priced_from } : {}),
  };
  return { parts: period.whole ? [whole] : [], period: based };
}

/**
 * The rest of a period that was charged up to an end that has been postponed since: the whole at the price of that
 * charge, less the amount already charged.
 */
function growth(schedule: Schedule, terms: Terms, period: BillingPeriod): Base {
  const end = schedule.endOf(period);
  if (end <= period.end) return { parts: [], period };
  const before = period.base_minor ?? 0;
  const whole = wholePart(schedule, terms, period, period.priced_from ?? terms.price(period.start));
  if (whole.amount_minor <= before) return { parts: [], period: { ...period, end } };
  // After a settled pause, the resume collects the whole rest, up to the new end.
  const isPaused = period.cuts[period.settled - 1]?.takes === 'stop';
  const parts = isPaused ? [] : [whole, outstandingPart(0 - before, terms.plan.currency, period.taxes)];
  const taxes = taxesField([whole.part], terms.plan.currency);
  return { parts, period: { ...period, end, base_minor: whole.amount_minor, ...taxes } };
}

/** The price of a period. A part that an end cuts is computed from the whole period. */
function wholePart(
  schedule: Schedule,
  terms: Terms,
  period: BillingPeriod,
  priced_from: PlanPriceInput,
): PricedPart<PeriodPart> {
  const calendar = schedule.covering(period, terms.plan);
  const { currency, is_prorated } = terms.plan;
  const { price_minor, discounted } = planPrice(priced_from);
  const price = { price_minor, discounted, currency, is_prorated };
  return periodPart({
    calendar,
    price,
    period: calendar.period(period.index),
    service_end: calendar.end,
    priced_from,
  });
}

function creditPart({ credited_minor, taxes }: BillingPeriod, { plan }: Terms): PricedPart[] {
  return credited_minor === 0 ? [] : [outstandingPart(credited_minor, plan.currency, taxes)];
}

function prorationInput(
  schedule: Schedule,
  { plan, settings }: Terms,
  period: BillingPeriod,
  at: Date,
): ProrationInput {
  return {
    mode: settings.proration_mode,
    timezone: schedule.timezone,
    unit: plan.billing_interval,
    count: plan.billing_interval_count,
    base_minor: period.base_minor ?? 0,
    currency: plan.currency,
    start: period.start,
    end: period.end,
    at,
    is_prorated: plan.is_prorated,
  };
}
