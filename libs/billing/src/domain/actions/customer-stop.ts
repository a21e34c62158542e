import { earlier, type Schedule } from '../calendar/schedule.js';
import { isScheduled, lineOf, type SubscriptionState } from '../lifecycle/subscription-state.js';
import type { PlanTerms } from '../pricing/terms.js';

/** The end of the running period, or of the subscription, if that is earlier; null while no period runs. */
export function runningPeriodEnd(state: SubscriptionState, now: Date): Date | null {
  if (state.status !== 'ACTIVE') return null;
  const { schedule } = lineOf(state);
  const index = schedule.indexAt(now);
  return index < 0 ? null : earlier(schedule.period(index).end, schedule.end);
}

/** Whether the action gives the subscription an end within a period that it did not have before. */
export function bringsEndWithinPeriod(before: SubscriptionState, after: SubscriptionState): boolean {
  if (!endsWithinPeriod(after)) return false;
  return !endsWithinPeriod(before) || endOf(before)?.getTime() !== endOf(after)?.getTime();
}

/** Whether a change to a plan at this date begins a calendar that the end of the subscription cuts within a period. */
export function changeEndsWithinPeriod(state: SubscriptionState, plan: PlanTerms, at: Date): boolean {
  if (endOf(state) === null || !isScheduled(state) || lineOf(state).schedule.hasIntervals(plan)) return false;
  const { schedule } = lineOf(state);
  const begun = schedule.indexAt(at) < 0 ? schedule : schedule.anchoredAnew(at, at);
  const next = begun.withIntervals(plan);
  return isWithinPeriod(next, next.end);
}

/** The date at which service ends by what is known; null for none. */
function endOf(state: SubscriptionState): Date | null {
  if (state.status === 'NON_RENEWING') return state.ending_date;
  return isScheduled(state) && state.status !== 'CANCELLED' ? lineOf(state).schedule.end : null;
}

function endsWithinPeriod(state: SubscriptionState): boolean {
  return isScheduled(state) && isWithinPeriod(lineOf(state).schedule, endOf(state));
}

/** A date before the first period is within none. */
function isWithinPeriod(schedule: Schedule, date: Date | null): boolean {
  if (date === null) return false;
  const index = schedule.indexAt(date);
  return index >= 0 && schedule.period(index).start.getTime() !== date.getTime();
}
