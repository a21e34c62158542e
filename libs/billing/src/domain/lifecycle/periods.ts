import {
  withStop,
  enterPeriod,
  unsettledCuts,
  isPeriod,
  type BillingPeriod,
  type PeriodCut,
} from '../receivable/billing-period.js';
import type { Schedule } from '../calendar/schedule.js';
import type { StartedReceivable } from '../receivable/receivable.js';
import type { PlanTerms } from '../pricing/terms.js';
import {
  isPaused,
  isScheduled,
  type PausedState,
  type ScheduledState,
  type SubscriptionState,
} from './subscription-state.js';

/** The next period to charge, with any stop or pause within it; null when there is none. */
export function nextPeriod(state: SubscriptionState): BillingPeriod | null {
  if (!isScheduled(state)) return null;
  const { schedule } = state;
  const { period, next_period } = state.receivable;
  const halt = haltOf(state);
  if (halt !== null && next_period > halt.last_period) return null;
  const next = isPeriod(period, schedule, next_period) ? period : entered(schedule, next_period, halt);
  return schedule.end !== null && schedule.end <= next.start ? null : next;
}

/** Index of the last period that began before `instant`, or was entered at exactly that instant; -1: none. */
export function lastPeriodBefore({ schedule, receivable }: ScheduledState, instant: Date): number {
  const { period } = receivable;
  const entered = period !== null && period.start <= instant ? period.index : -1;
  return Math.max(entered, schedule.indexAt(new Date(instant.getTime() - 1)));
}

/** The current period, cut at `at` if it has that index. A later period is cut when it is entered. */
export function cutAt(
  { schedule, receivable }: ScheduledState,
  index: number,
  at: Date,
): BillingPeriod | null {
  const { period } = receivable;
  return isPeriod(period, schedule, index) ? withStop(period, at) : period;
}

/** Whether the stop falls into this period, whose end settles it. */
export function isStopped(state: SubscriptionState, period: BillingPeriod): boolean {
  return state.status === 'NON_RENEWING' && isPeriod(period, state.schedule, state.last_period);
}

/** Whether the pause falls into this period. */
export function isPausedIn(state: SubscriptionState, period: BillingPeriod): boolean {
  return isPaused(state) && period.index === state.last_period;
}

/** Whether the periods before the pause have been charged, so that it can end. */
export function isChargedUpToPause({ last_period, receivable }: PausedState): boolean {
  return last_period < 0 || receivable.period?.index === last_period;
}

/** The cuts to settle now; a stop waits for the end of its period. */
export function settleableCuts(state: SubscriptionState, period: BillingPeriod): readonly PeriodCut[] {
  const waits = isStopped(state, period) ? 1 : 0;
  return period.cuts.slice(period.settled, period.cuts.length - waits);
}

/** Whether its end was postponed after it had been charged: the rest is due at the old end. */
export function hasGrown(state: SubscriptionState, plan: PlanTerms, period: BillingPeriod): boolean {
  // A stop beyond the part that was charged leaves days of it to charge, too.
  const isServed =
    state.status === 'ACTIVE' || (state.status === 'NON_RENEWING' && state.ending_date > period.end);
  if (!isServed || period.base_minor === null || !plan.is_prorated) return false;
  return period.run === state.schedule.run && state.schedule.endOf(period) > period.end;
}

/** Leaves the current period; one whose pause is not settled yet joins the ended periods. */
export function withoutPeriod(receivable: StartedReceivable): StartedReceivable {
  const { period, ended_periods } = receivable;
  if (period === null || unsettledCuts(period).length === 0) return receivable;
  const settled = { ...period, settled: period.cuts.length };
  return { ...receivable, ended_periods: [...ended_periods, period], period: settled };
}

interface Halt {
  readonly last_period: number;
  readonly at: Date;
}

/** The stop or pause after which no period is charged. */
function haltOf(state: ScheduledState): Halt | null {
  switch (state.status) {
    case 'PAUSED':
    case 'CANCELLED':
      return { last_period: state.last_period, at: state.paused_at };
    case 'NON_RENEWING':
      return { last_period: state.last_period, at: state.ending_date };
    case 'FUTURE':
    case 'ACTIVE':
      return null;
  }
}

function entered(schedule: Schedule, index: number, halt: Halt | null): BillingPeriod {
  const period = enterPeriod(schedule, index);
  return halt?.last_period === index ? withStop(period, halt.at) : period;
}
