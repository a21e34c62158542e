import { instantOfWall, wallTimeOf } from '@commerce/kernel';
import { intervalsOf } from '../calendar/calendar.js';
import { Schedule } from '../calendar/schedule.js';
import { enterPeriod } from '../receivable/billing-period.js';
import type { StartedReceivable } from '../receivable/receivable.js';
import type { CompanyTerms, Terms } from '../pricing/terms.js';
import { edgeEvent } from './lifecycle.js';
import type { CreatedState, FutureState, RunningState } from './subscription-state.js';
import type { Transition } from './transition.js';

/** The first start fixes the calendar, and the setup fee falls due. */
export function started(
  before: CreatedState,
  { plan, settings }: Terms,
  starting_date: Date,
  now: Date,
): Transition<FutureState | RunningState> {
  const { trial_days } = plan;
  const trial_ending_date = trial_days > 0 ? daysLater(starting_date, trial_days, settings) : null;
  const schedule = new Schedule({
    starting_date,
    trial_ending_date,
    anchor: trial_ending_date ?? starting_date,
    timezone: settings.timezone,
    run: 0,
    units_before: 0,
    term: before.term,
    ...intervalsOf(plan),
  });
  const first = enterPeriod(schedule, 0);
  const { setup_due, setup_charged } = before.receivable;
  const owesSetup = plan.setup_fee_minor > 0 && !setup_charged && setup_due === null;
  const isNow = starting_date <= now;
  const receivable: StartedReceivable = {
    ...before.receivable,
    setup_due: owesSetup ? (isNow ? now : starting_date) : setup_due,
    last_prorate_date: null,
    next_period: 0,
    period: first.end > first.start ? first : null,
    ended_periods: [],
  };
  const { subscribed, derived } = before;
  const rest = { subscribed, schedule, receivable, derived };
  const state: FutureState | RunningState = isNow
    ? { status: 'ACTIVE', active: true, in_trial: trial_ending_date !== null, pending_change: null, ...rest }
    : { status: 'FUTURE', ...rest };
  return { state, event: edgeEvent('CREATED', 'start', state.status) };
}

/** Activates the subscription on its starting date. */
export function activated(before: FutureState, at: Date): Transition<RunningState> {
  const in_trial = isInTrial(before.schedule, at);
  return {
    state: { ...before, status: 'ACTIVE', active: true, in_trial, pending_change: null },
    event: edgeEvent('FUTURE', 'starting_date', 'ACTIVE'),
  };
}

export function isInTrial({ facts: { trial_ending_date } }: Schedule, at: Date): boolean {
  return trial_ending_date !== null && at < trial_ending_date;
}

function daysLater(from: Date, days: number, { timezone }: CompanyTerms): Date {
  const { day, ms } = wallTimeOf(from, timezone);
  return instantOfWall({ day: day + days, ms }, timezone);
}
