import { TRY_AGAIN_SOON } from '@commerce/kernel';
import { unitsBegunBefore } from '../calendar/calendar.js';
import { beginPeriod, held } from '../lines/billing-period.js';
import { eachLine, periodHolding, withRunning, type Line } from '../lines/line.js';
import { discounted, laterBy } from '../pricing/discount.js';
import type { Subscribed } from '../pricing/terms.js';

import { edgeEvent, stateConflict } from './lifecycle.js';
import { isBilledUpToPause } from './periods.js';
import { isInTrial } from './starting.js';
import type { PausedState, RunningState } from './subscription-state.js';
import type { Transition } from './transition.js';

/** Pauses at `at`: from then on nothing holds in the current period. */
export function paused(
  before: RunningState,
  at: Date,
  by: 'pause' | 'trial_end',
  resume_at: Date | null,
): Transition<PausedState> {
  const { lines, last_prorate_date, receivable, derived, pending_change } = before;
  const isBroken = lines.some((line) => periodHolding(line, at) !== null);
  const state: PausedState = {
    status: 'PAUSED',
    paused_at: at,
    resume_at,
    pending_change,
    lines: eachLine(lines, (line) => pausedLine(line, at)),
    last_prorate_date: isBroken ? at : last_prorate_date,
    receivable,
    derived,
  };
  return { state, event: edgeEvent('ACTIVE', by, 'PAUSED') };
}

/** From then on nothing holds in the running period. */
function pausedLine(line: Line, at: Date): Line {
  const running = periodHolding(line, at);
  return running === null ? line : withRunning(line, held(running, at, null));
}

/**
 * Resumes at `at`, either on the old calendar with the rest of the current period, or on a new calendar that begins
 * there; periods entirely within the pause are not charged.
 * @throws Fault `subscription.state_conflict` where periods from before the pause have not been charged yet
 */
export function resumed(
  before: PausedState,
  at: Date,
  by: 'start' | 'resume_at',
  reanchor: boolean,
): Transition<RunningState> {
  if (!isBilledUpToPause(before)) {
    const message = 'Periods from before the pause are still being charged; try again';
    throw stateConflict(before, message, ['start', 'stop'], TRY_AGAIN_SOON);
  }
  const resume = reanchor ? resumedOnNewAnchor : resumedOnCalendar;
  const lines = eachLine(before.lines, (line) => resume(line, before.paused_at, at));
  const { last_prorate_date, receivable, pending_change, derived } = before;
  const { schedule } = lines[0];
  const in_trial = schedule.indexAt(at) < 0 && isInTrial(schedule, at);
  const running = { status: 'ACTIVE', active: true, in_trial, quote: null } as const;
  const state = { ...running, lines, last_prorate_date, receivable, pending_change, derived };
  return { state, event: edgeEvent('PAUSED', by, 'ACTIVE') };
}

function resumedOnCalendar(line: Line, _paused_at: Date, at: Date): Line {
  const { schedule, subscribed, periods } = line;
  const { end } = schedule;
  if (end !== null && end <= at) {
    // Its end has passed meanwhile: only its completion remains.
    const next_period = Math.max(line.next_period, schedule.indexAt(new Date(end.getTime() - 1)) + 1);
    return { ...line, next_period };
  }
  const index = schedule.indexAt(at);
  if (index < 0) return line;
  const current = periodHolding(line, at);
  if (current !== null) return withRunning(line, held(current, at, subscribed));
  return {
    ...line,
    next_period: index + 1,
    periods: [...periods, beginPeriod(schedule, index, subscribed, at)],
  };
}

function resumedOnNewAnchor(line: Line, paused_at: Date, at: Date): Line {
  const schedule = line.schedule.anchoredAnew(at, paused_at);
  // Its end has passed meanwhile: no new calendar begins.
  if (schedule.end !== null && schedule.end <= at) return resumedOnCalendar(line, paused_at, at);
  const subscribed = withLater(line.subscribed, unitsBegunBefore(line.schedule, paused_at));
  const after = { ...line, subscribed, schedule };
  return { ...after, next_period: 1, periods: [...line.periods, beginPeriod(schedule, 0, subscribed)] };
}

/** The discount goes on as counted before the pause; the interval that the pause broke off has had its own. */
function withLater({ discount, ...rest }: Subscribed, passed: number): Subscribed {
  return { ...rest, ...discounted(laterBy(discount, passed)) };
}
