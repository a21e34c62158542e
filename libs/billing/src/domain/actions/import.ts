import { fieldFault } from '@commerce/kernel';

import { intervalsOf, type Interval, type PlanIntervals } from '../calendar/calendar.js';
import { earlier, Schedule, type ScheduleFacts } from '../calendar/schedule.js';
import { endingAt } from '../calendar/term.js';
import { withDerivedFields } from '../cycle/derived-fields.js';
import { beginPeriod, periodKey, type BillingPeriod } from '../lines/billing-period.js';
import { received } from '../lines/books.js';
import { timingOf } from '../lines/settlement.js';
import { periodCost } from '../lines/period-cost.js';
import type { CreatedState, RunningState } from '../lifecycle/subscription-state.js';
import type { Subscribed, Terms } from '../pricing/terms.js';

/** The history of a subscription that ran elsewhere until now. */
export interface ImportFacts {
  readonly starting_date: Date;
  /** Start of its first period, counted in this timezone. */
  readonly anchor: Date;
  readonly timezone: string;
  /** End of a trial that is still running; equals the anchor. */
  readonly trial_ending_date: Date | null;
  /** Periods before this date were charged elsewhere, those from it on are charged here. */
  readonly next_date: Date;
  readonly ending_date: Date | null;
}

/** Whether a period begins at this date, counted from the anchor. */
export function isBoundary(
  { anchor, timezone, next_date }: Pick<ImportFacts, 'anchor' | 'timezone' | 'next_date'>,
  interval: Interval,
): boolean {
  if (next_date < anchor) return false;
  return startsAt(scheduleOf({ anchor, timezone, starting_date: anchor }, chargedEach(interval)), next_date);
}

/** The index of the first interval that begins at this date or after it, counted from the anchor. */
export function intervalFrom(
  { anchor, timezone }: Pick<ImportFacts, 'anchor' | 'timezone'>,
  interval: Interval,
  date: Date,
): number {
  if (date <= anchor) return 0;
  const schedule = scheduleOf({ anchor, timezone, starting_date: anchor }, chargedEach(interval));
  const index = schedule.indexAt(date);
  return startsAt(schedule, date) ? index : index + 1;
}

/** The start of the first interval that begins at this date or after it, counted from the anchor. */
export function boundaryFrom(
  { anchor, timezone }: Pick<ImportFacts, 'anchor' | 'timezone'>,
  interval: Interval,
  date: Date,
): Date {
  const schedule = scheduleOf({ anchor, timezone, starting_date: anchor }, chargedEach(interval));
  return schedule.period(intervalFrom({ anchor, timezone }, interval, date)).start;
}

/**
 * The state of an imported subscription, whose plan must be charged in advance. The current period counts as charged: a
 * stop takes its rest off, and money collected elsewhere is never refunded.
 * @throws Fault `value.invalid` where no period begins at `next_date`, or it lies in the past
 */
export function importSubscription(
  blank: CreatedState,
  terms: Terms,
  facts: ImportFacts,
  now: Date,
): RunningState {
  const { trial_ending_date, next_date, ending_date, anchor, timezone, starting_date } = facts;
  const { plan } = terms;
  const timing = timingOf(plan);
  if (timing !== 'advance') throw fieldFault('plan', 'plan must be one that is charged in advance');
  if (next_date <= now) throw fieldFault('next_date', 'next_date must lie ahead');
  const schedule = new Schedule({
    ...scheduleOf({ anchor, timezone, starting_date }, intervalsOf(plan)).facts,
    trial_ending_date,
    term:
      ending_date === null
        ? { infinite: true, ending_date: null, interval_total: null }
        : endingAt(ending_date),
  });
  if (next_date < anchor || !startsAt(schedule, next_date)) {
    throw fieldFault('next_date', 'next_date must be the start of a period, counted from the anchor');
  }
  const next_period = schedule.indexAt(next_date);
  const { subscribed, derived } = blank;
  const periods = next_period === 0 ? [] : [chargedElsewhere(schedule, terms, subscribed, next_period - 1)];
  const state: RunningState = {
    status: 'ACTIVE',
    active: true,
    in_trial: trial_ending_date !== null,
    pending_change: null,
    quote: null,
    lines: [{ subscribed, schedule, timing, next_period, periods }],
    last_prorate_date: null,
    receivable: { ...blank.receivable, setup_charged: true, paid_before: true },
    derived,
  };
  return withDerivedFields(state, plan);
}

/** A period whose whole price was paid for elsewhere: its books hold it under a payment that holds no money here. */
function chargedElsewhere(
  schedule: Schedule,
  terms: Terms,
  subscribed: Subscribed,
  index: number,
): BillingPeriod {
  const begins = beginPeriod(schedule, index, subscribed);
  const end = earlier(begins.end, schedule.end);
  const { cost_minor: minor, period } = periodCost({ schedule, terms }, begins, {
    service: end,
    settled: end,
  });
  const payment = { kind: 'period', period_key: periodKey(period) } as const;
  const books = received([], payment, minor);
  return { ...period, books, bills: 1, settled_until: end, taxes: period.terms[0]?.price?.taxes ?? [] };
}

function startsAt(schedule: Schedule, date: Date): boolean {
  return schedule.period(schedule.indexAt(date)).start.getTime() === date.getTime();
}

function chargedEach({ unit, count }: Interval): PlanIntervals {
  return {
    interval_unit: unit,
    interval_count: count,
    billing_interval: unit,
    billing_interval_count: count,
  };
}

function scheduleOf(
  { anchor, timezone, starting_date }: Pick<ScheduleFacts, 'anchor' | 'timezone' | 'starting_date'>,
  intervals: PlanIntervals,
): Schedule {
  return new Schedule({
    starting_date,
    trial_ending_date: null,
    anchor,
    timezone,
    run: 0,
    units_before: 0,
    term: { infinite: true, ending_date: null, interval_total: null },
    ...intervals,
  });
}
