import { TRY_AGAIN_SOON } from '@commerce/kernel';
import { unitsBegunBefore } from '../calendar/calendar.js';
import { beginPeriod, held } from '../lines/billing-period.js';
import { discounted, laterBy } from '../pricing/discount.js';
import type { Subscribed } from '../pricing/terms.js';

import { edgeEvent, stateConflict } from './lifecycle.js';
import { isBilledUpToPause, periodHolding, withRunning } from './periods.js';
import { isInTrial } from './starting.js';
import { withStarted, type PausedState, type RunningState } from './subscription-state.js';
import type { Transition } from './transition.js';

/** Pauses at `at`: from then on nothing holds in the current period. */
export function paused(
  before: RunningState,
  at: Date,
  by: 'pause' | 'trial_end',
  resume_at: Date | null,
): Transition<PausedState> {
  const { subscribed, schedule, receivable, derived, pending_change } = before;
  const running = periodHolding(before, at);
  const state: PausedState = {
    status: 'PAUSED',
    paused_at: at,
    resume_at,
    pending_change,
    subscribed,
    schedule,
    receivable: running === null ? receivable : { ...receivable, last_prorate_date: at },
    derived,
  };
  return {
    state: running === null ? state : withRunning(state, held(running, at, null)),
    event: edgeEvent('ACTIVE', by, 'PAUSED'),
  };
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
  const state = reanchor ? resumedOnNewAnchor(before, at) : resumedOnCalendar(before, at);
  return { state, event: edgeEvent('PAUSED', by, 'ACTIVE') };
}

function resumedOnCalendar(before: PausedState, at: Date): RunningState {
  const { schedule, receivable, subscribed } = before;
  const { end } = schedule;
  const running = { ...resumedState(before), schedule, receivable } as const;
  if (end !== null && end <= at) {
    // Its end has passed meanwhile: only its completion remains.
    const next_period = Math.max(receivable.next_period, schedule.indexAt(new Date(end.getTime() - 1)) + 1);
    return withStarted(running, { next_period });
  }
  const index = schedule.indexAt(at);
  if (index < 0) return { ...running, in_trial: isInTrial(schedule, at) };
  const current = periodHolding(running, at);
  if (current !== null) return withRunning(running, held(current, at, subscribed));
  const period = beginPeriod(schedule, index, subscribed, at);
  return withStarted(running, {
    next_period: index + 1,
    periods: [...receivable.periods, period],
  });
}

function resumedOnNewAnchor(before: PausedState, at: Date): RunningState {
  const schedule = before.schedule.anchoredAnew(at, before.paused_at);
  const hasEnded = schedule.end !== null && schedule.end <= at;
  const subscribed = withLater(before.subscribed, unitsBegunBefore(before.schedule, before.paused_at));
  const state = { ...resumedState(before), subscribed, schedule, receivable: before.receivable };
  if (hasEnded) return withStarted(state, { next_period: 0 });
  const period = beginPeriod(schedule, 0, subscribed);
  return withStarted(state, {
    next_period: 1,
    periods: [...before.receivable.periods, period],
  });
}

/** The discount goes on as counted before the pause; the interval that the pause broke off has had its own. */
function withLater({ discount, ...rest }: Subscribed, passed: number): Subscribed {
  return { ...rest, ...discounted(laterBy(discount, passed)) };
}

/** The fields of a resumed subscription besides its calendar and receivable. */
function resumedState({ subscribed, pending_change, derived }: PausedState) {
  const running = { status: 'ACTIVE', active: true, in_trial: false, quote: null } as const;
  return { ...running, subscribed, pending_change, derived };
}
