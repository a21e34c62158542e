import { TRY_AGAIN_SOON } from '@commerce/kernel';
import { unitsUpTo } from '../calendar/calendar.js';
import { discounted, laterBy } from '../pricing/discount.js';
import type { Subscribed } from '../pricing/terms.js';

import type { StartedReceivable } from '../receivable/receivable.js';
import { enterPeriod, isPeriod, onOwnTerms, withResume } from '../receivable/billing-period.js';
import { edgeEvent, stateConflict } from './lifecycle.js';
import { cutAt, isChargedUpToPause, lastPeriodBefore, withoutPeriod } from './periods.js';
import { isInTrial } from './starting.js';
import type { PausedState, RunningState } from './subscription-state.js';
import type { Transition } from './transition.js';

/** Pauses at `at`. The cycle bills the current period up to then, or refunds the rest of it. */
export function paused(
  before: RunningState,
  at: Date,
  by: 'pause' | 'trial_end',
  resume_at: Date | null,
): Transition<PausedState> {
  const { subscribed, schedule, receivable, derived, pending_change } = before;
  // As a stop: until billing has ended the trial, its very end belongs to it.
  const isInside = before.in_trial && isInTrial(schedule, new Date(at.getTime() - 1));
  const last_period = by === 'trial_end' || isInside ? -1 : lastPeriodBefore(before, at);
  const cut: StartedReceivable = {
    ...receivable,
    period: cutAt(before, last_period, at),
    last_prorate_date: last_period === -1 ? receivable.last_prorate_date : at,
  };
  return {
    state: {
      status: 'PAUSED',
      paused_at: at,
      resume_at,
      last_period,
      pending_change: pending_change?.state === 'SCHEDULED' ? pending_change : null,
      subscribed,
      schedule,
      receivable: cut,
      derived,
    },
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
  if (!isChargedUpToPause(before)) {
    const message = 'Periods from before the pause are still being charged; try again';
    throw stateConflict(before, message, ['start', 'stop'], TRY_AGAIN_SOON);
  }
  const state = reanchor ? resumedOnNewAnchor(before, at) : resumedOnCalendar(before, at);
  return { state, event: edgeEvent('PAUSED', by, 'ACTIVE') };
}

function resumedOnCalendar(before: PausedState, at: Date): RunningState {
  const { schedule, receivable, last_period } = before;
  const { end } = schedule;
  const running = { ...resumedState(before), schedule } as const;
  if (end !== null && end <= at) {
    // Its end has passed meanwhile: only its completion remains.
    const next_period = Math.max(receivable.next_period, schedule.indexAt(new Date(end.getTime() - 1)) + 1);
    return { ...running, receivable: { ...withoutPeriod(receivable), next_period } };
  }
  const index = schedule.indexAt(at);
  if (index < 0) return { ...running, in_trial: isInTrial(schedule, at), receivable };
  if (index === last_period && isPeriod(receivable.period, schedule, index)) {
    return { ...running, receivable: { ...receivable, period: withResume(receivable.period, at) } };
  }
  const period = enterPeriod(schedule, index, at);
  return { ...running, receivable: { ...withoutPeriod(receivable), next_period: index, period } };
}

function resumedOnNewAnchor(before: PausedState, at: Date): RunningState {
  const schedule = before.schedule.anchoredAnew(at, before.paused_at);
  const hasEnded = schedule.end !== null && schedule.end <= at;
  const left = withoutPeriod(before.receivable);
  // The discount is counted from the new anchor, so earlier periods keep their own.
  const isCounted = before.subscribed.discount !== undefined;
  const ended_periods = isCounted
    ? left.ended_periods.map((one) => onOwnTerms(one, before.subscribed))
    : left.ended_periods;
  const receivable = { ...left, ended_periods, next_period: 0 };
  const passed = unitsUpTo(before.schedule, before.paused_at);
  return {
    ...resumedState(before),
    subscribed: withLater(before.subscribed, passed),
    schedule,
    receivable: hasEnded ? receivable : { ...receivable, period: enterPeriod(schedule, 0) },
  };
}

/** The discount goes on as counted before the pause. */
function withLater({ discount, ...rest }: Subscribed, passed: number): Subscribed {
  return { ...rest, ...discounted(laterBy(discount, passed)) };
}

/** The fields of a resumed subscription besides its calendar and receivable. */
function resumedState({ subscribed, pending_change, derived }: PausedState) {
  return { status: 'ACTIVE', active: true, in_trial: false, subscribed, pending_change, derived } as const;
}
