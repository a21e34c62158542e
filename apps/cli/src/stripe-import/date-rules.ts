import { boundaryFrom, isBoundary, type TakeOverFacts } from '@commerce/billing';

import { isSet } from './fields/field-table.js';
import type { StripeSubscription } from './stripe-objects.js';
import { dateOf, planInterval, type Interval, type Unit } from './stripe-units.js';

/** Stripe counts its periods in UTC. */
const TIMEZONE = 'UTC';

/** Months in each unit; none in those that do not begin on a day of the month. */
const MONTHS: Readonly<Record<Unit, number>> = { DAY: 0, WEEK: 0, MONTH: 1, ANNUAL: 12 };

/** A leap year comes after at most eight years. */
const MOST_MONTHS = 96;

/** Why no period begins here when one begins at Stripe. */
export function dateRefusals(
  { billing_cycle_anchor_config: config }: StripeSubscription,
  facts: TakeOverFacts,
  interval: Interval,
  now: Date,
): string[] {
  const { next_date, trial_ending_date, anchor } = facts;
  if (next_date <= now) return ['its period has ended since the export: export it again'];
  if (trial_ending_date !== null && trial_ending_date.getTime() !== anchor.getTime()) {
    return ['its periods do not begin with the end of its trial'];
  }
  if (isSet(config) && config?.day_of_month !== anchor.getUTCDate()) {
    return [`its periods begin on day ${String(config?.day_of_month)}, which its anchor has not`];
  }
  return isBoundary(facts, interval) ? [] : ['its period does not end on a date counted from its anchor'];
}

/** The dates of a subscription; the reason where Stripe's have no meaning here. */
export function factsOf(from: StripeSubscription): TakeOverFacts | string {
  const ends = from.items.data.map((item) => item.current_period_end ?? from.current_period_end);
  const [end] = ends;
  if (end === undefined) return 'it does not say when its period ends';
  if (ends.some((one) => one !== end)) return 'the periods of its items end at different dates';
  const next_date = dateOf(end);
  const cancel = from.cancel_at ?? (from.cancel_at_period_end ? end : null);
  return {
    starting_date: dateOf(from.start_date),
    anchor: anchorOf(from),
    timezone: TIMEZONE,
    trial_ending_date: from.status === 'trialing' && from.trial_end !== null ? dateOf(from.trial_end) : null,
    next_date,
    ending_date: cancel === null ? null : dateOf(cancel),
  };
}

/**
 * The dates after a pause, in which Stripe collects nothing and the subscription goes on: those of a trial that ends with
 * the first period after it. The reason where they differ from Stripe's.
 */
export function resumedFacts(
  { pause_collection: pause }: StripeSubscription,
  facts: TakeOverFacts,
  interval: Interval,
): TakeOverFacts | string {
  if (pause === undefined || pause === null) return facts;
  const { behavior = 'keep_as_draft', resumes_at = null } = pause;
  if (behavior === 'keep_as_draft') return 'the invoices of its pause will be collected at Stripe';
  if (resumes_at === null) return 'its collection is paused without an end';
  const next_date = boundaryFrom(facts, interval, dateOf(resumes_at));
  if (next_date <= facts.next_date) return facts;
  if (MONTHS[interval.unit] > 0 && next_date.getUTCDate() !== facts.anchor.getUTCDate()) {
    return 'its collection is paused until a month that has no such day';
  }
  return { ...facts, anchor: next_date, trial_ending_date: next_date, next_date };
}

/** The anchor lies in a month that has the day of its configuration, so that dates are counted from that day. */
function anchorOf({
  billing_cycle_anchor,
  billing_cycle_anchor_config: config,
  items,
}: StripeSubscription): Date {
  const anchor = dateOf(billing_cycle_anchor);
  const interval = planInterval(items.data[0]?.price.recurring ?? null);
  const step = interval === null ? 0 : MONTHS[interval.unit] * interval.count;
  const day = config?.day_of_month ?? 0;
  if (step === 0 || day <= anchor.getUTCDate() || !isLastOfMonth(anchor)) return anchor;
  for (let months = step; months <= MOST_MONTHS; months += step) {
    const earlier = new Date(anchor);
    earlier.setUTCDate(1);
    earlier.setUTCMonth(anchor.getUTCMonth() - months, day);
    if (earlier.getUTCDate() === day) return earlier;
  }
  return anchor;
}

function isLastOfMonth(date: Date): boolean {
  return new Date(date.getTime() + 86_400_000).getUTCDate() === 1;
}
