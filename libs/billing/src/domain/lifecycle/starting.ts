import { instantOfWall, wallTimeOf } from '@commerce/kernel';
import { intervalsOf } from '../calendar/calendar.js';
import { Schedule } from '../calendar/schedule.js';
import { timingOf } from '../lines/settlement.js';
import type { CompanyTerms, Terms } from '../pricing/terms.js';
import { edgeEvent } from './lifecycle.js';
import type { Lines } from '../lines/line.js';
import { begunBy } from './periods.js';
import {
  lineOf,
  type CreatedState,
  type EndingState,
  type FutureState,
  type RunningState,
} from './subscription-state.js';
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
  const { setup_due, setup_charged } = before.receivable;
  const owesSetup = plan.setup_fee_minor > 0 && !setup_charged && setup_due === null;
  const isNow = starting_date <= now;
  const receivable = {
    ...before.receivable,
    setup_due: owesSetup ? (isNow ? now : starting_date) : setup_due,
  };
  const { subscribed, derived } = before;
  const lines: Lines = [{ subscribed, schedule, timing: timingOf(plan), next_period: 0, periods: [] }];
  const rest = { lines, last_prorate_date: null, receivable, derived };
  if (!isNow) return { state: { status: 'FUTURE', ...rest }, event: edgeEvent('CREATED', 'start', 'FUTURE') };
  const in_trial = trial_ending_date !== null;
  const state: RunningState = { ...RUNNING, in_trial, ...rest };
  return { state: withFirstPeriod(state, now), event: edgeEvent('CREATED', 'start', 'ACTIVE') };
}

const RUNNING = { status: 'ACTIVE', active: true, pending_change: null, quote: null } as const;

/** Activates the subscription on its starting date. */
export function activated(before: FutureState, at: Date): Transition<RunningState> {
  const in_trial = isInTrial(lineOf(before).schedule, at);
  const state: RunningState = { ...before, ...RUNNING, in_trial };
  return { state: withFirstPeriod(state, at), event: edgeEvent('FUTURE', 'starting_date', 'ACTIVE') };
}

/** The first period begins with the service, or with the end of the trial. */
export function withFirstPeriod<S extends RunningState | EndingState>(state: S, at: Date): S {
  return state.in_trial ? state : begunBy(state, at);
}

export function isInTrial({ facts: { trial_ending_date } }: Schedule, at: Date): boolean {
  return trial_ending_date !== null && at < trial_ending_date;
}

export function daysLater(from: Date, days: number, { timezone }: CompanyTerms): Date {
  const { day, ms } = wallTimeOf(from, timezone);
  return instantOfWall({ day: day + days, ms }, timezone);
}
