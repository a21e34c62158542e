import { fault } from '@commerce/kernel';

import type { CalendarPeriod } from '../calendar/calendar.js';
import { earlier } from '../calendar/schedule.js';
import { beginPeriod, held, type BillingPeriod } from '../lines/billing-period.js';
import { dueOf, timingOf, type PeriodEnds, type Timing } from '../lines/settlement.js';
import type { PlanTerms } from '../pricing/terms.js';
import {
  isPaused,
  withStarted,
  type BilledState,
  type PausedState,
  type ScheduledState,
} from './subscription-state.js';

/** The end of service that is known now; null: none. A pause ends none. */
export function serviceEnd(state: ScheduledState): Date | null {
  const { end } = state.schedule;
  return state.status === 'NON_RENEWING' ? earlier(state.ending_date, end) : end;
}

/** The ends of a period: one of an earlier calendar has its own. */
export function endsOf(state: ScheduledState, period: BillingPeriod): PeriodEnds {
  if (period.run !== state.schedule.run) return { service: period.end, settled: period.end };
  const settled = earlier(period.end, state.schedule.end);
  return { service: earlier(settled, serviceEnd(state)), settled };
}

/** The next period of the calendar that will begin; null where none does: not after an end, nor in a pause. */
export function nextPeriod(state: ScheduledState): CalendarPeriod | null {
  const next = state.schedule.period(state.receivable.next_period);
  const end = isPaused(state) ? state.paused_at : serviceEnd(state);
  return end !== null && end <= next.start ? null : next;
}

/** The state in which the next period has begun, where it starts by then. */
export function begun<S extends BilledState>(state: S, at: Date): S {
  const next = nextPeriod(state);
  if (next === null || next.start > at) return state;
  const { schedule, receivable, subscribed } = state;
  const whole = beginPeriod(schedule, next.index, subscribed);
  const period = isPaused(state) && state.paused_at < next.end ? held(whole, state.paused_at, null) : whole;
  return withStarted(state, {
    next_period: receivable.next_period + 1,
    periods: [...receivable.periods, period],
  });
}

/** The newest period, where it belongs to the present calendar. */
export function runningPeriod({ schedule, receivable }: ScheduledState): BillingPeriod | null {
  const newest = receivable.periods.at(-1);
  return newest?.run === schedule.run ? newest : null;
}

/** The period that holds `at`, where it has begun. */
export function periodHolding(state: ScheduledState, at: Date): BillingPeriod | null {
  const running = runningPeriod(state);
  return running !== null && running.start <= at && at < running.end ? running : null;
}

/** The state with another value in place of its newest period. */
export function withRunning<S extends ScheduledState>(state: S, period: BillingPeriod): S {
  return withStarted(state, { periods: [...state.receivable.periods.slice(0, -1), period] });
}

/** The running period in which a stop ends the service. */
export function stoppedPeriod(state: ScheduledState): BillingPeriod | null {
  if (state.status !== 'NON_RENEWING') return null;
  const running = runningPeriod(state);
  const { ending_date } = state;
  return running !== null && running.start <= ending_date && ending_date <= running.end ? running : null;
}

/** Whether the periods before the pause have begun, so that it can end. */
export function isBilledUpToPause(state: PausedState): boolean {
  return nextPeriod(state) === null;
}

/** The date on which a period begins or the difference of one is taken next; null: not as things are. */
export function nextSettlement(state: BilledState, plan: PlanTerms): Date | null {
  if (!isPaused(state) && state.in_trial) return null;
  const timing = timingOf(plan);
  const dates = state.receivable.periods.map((period) => dueOf(period, timing, endsOf(state, period)));
  return [...dates, nextPeriod(state)?.start ?? null].reduce((first, date) => earliest(first, date), null);
}

/** The date on which the next whole period is charged; null where none is. */
export function nextPeriodCharge(state: ScheduledState, timing: Timing): Date | null {
  const next = nextPeriod(state);
  if (timing === 'advance') return next?.start ?? null;
  const running = runningPeriod(state);
  if (running !== null && !isPaused(state)) {
    const { settled } = endsOf(state, running);
    if (running.settled_until < settled) return settled;
  }
  return next === null ? null : earlier(next.end, state.schedule.end);
}

export function earliest(a: Date | null, b: Date | null): Date | null {
  return a === null ? b : earlier(a, b);
}

/** A bound on what held one after the other within a period. */
const MAX_SPANS = 64;

/** @throws Fault `subscription.changed_too_often` where a period can have no more changes and pauses */
export function requireFewSpans(state: ScheduledState): void {
  if ((runningPeriod(state)?.spans.length ?? 0) < MAX_SPANS) return;
  const message = `Within a billing period a subscription can change and pause ${String(MAX_SPANS)} times`;
  throw fault('subscription.changed_too_often', message, { limit: MAX_SPANS });
}
