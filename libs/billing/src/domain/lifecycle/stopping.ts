import { endingAt, type Term } from '../calendar/term.js';
import { isPeriod, type BillingPeriod } from '../receivable/billing-period.js';
import { prorateMinor } from '../receivable/period-charge.js';
import type { Terms } from '../pricing/terms.js';
import { cancelled } from './ending.js';
import { edgeEvent } from './lifecycle.js';
import { cutAt, isStopped, lastPeriodBefore } from './periods.js';
import { isInTrial } from './starting.js';
import type {
  BilledState,
  CancelledInPauseState,
  CreatedState,
  EndingState,
  FutureState,
  PausedState,
  RunningState,
} from './subscription-state.js';
import type { Transition } from './transition.js';

/** Ends a subscription that has not been billed yet, without a charge. */
export function cancelledUnbilled(before: CreatedState | FutureState | RunningState, now: Date): Transition {
  return before.status === 'ACTIVE'
    ? cancelled({ ...before, schedule: before.schedule.lasting(endingAt(now)) }, 'stop')
    : cancelled(before, 'stop');
}

/** Ends a pause for good. Billing still settles the days before it, and its debt remains. */
export function cancelledInPause(before: PausedState, now: Date): Transition<CancelledInPauseState> {
  const { paused_at, last_period, subscribed, schedule, receivable, derived } = before;
  return {
    state: {
      status: 'CANCELLED',
      reason: null,
      prorate_amount_minor: 0,
      paused_at,
      ending_date: now,
      last_period,
      subscribed,
      schedule,
      receivable: { ...receivable, setup_due: null },
      derived,
    },
    event: edgeEvent('PAUSED', 'stop', 'CANCELLED'),
  };
}

/**
 * Stops at a date, which is now for a stop without one. The period that holds the date is the last to be billed, and
 * its end settles the unused part; a date that is not after the trial leaves no period to bill.
 */
export function stopped(
  before: RunningState,
  terms: Terms,
  ending_date: Date,
  now: Date,
): Transition<EndingState> {
  const { in_trial, subscribed, schedule, receivable, derived } = before;
  const endsInTrial = in_trial && isInTrial(schedule, new Date(ending_date.getTime() - 1));
  const last_period = endsInTrial ? -1 : lastPeriodBefore(before, ending_date);
  const state: EndingState = {
    status: 'NON_RENEWING',
    active: ending_date > now,
    in_trial,
    ending_date,
    last_period,
    prorate_amount_minor: 0,
    subscribed,
    schedule,
    receivable: { ...receivable, period: cutAt(before, last_period, ending_date) },
    derived,
  };
  const { period } = receivable;
  return {
    // A trial costs nothing; its stop is prorated when the first period begins.
    state: period === null || in_trial ? state : withProration(state, terms, period, now),
    event: edgeEvent('ACTIVE', 'stop', 'NON_RENEWING'),
  };
}

/** A stop shows its prorate_amount once its period is the current one. */
export function withProration<S extends BilledState>(
  state: S,
  terms: Terms,
  period: BillingPeriod,
  now: Date,
): S {
  if (state.status !== 'NON_RENEWING' || !isStopped(state, period)) return state;
  const prorate_amount_minor = prorateMinor(state.schedule, terms, period, state.ending_date);
  return { ...state, prorate_amount_minor, receivable: { ...state.receivable, last_prorate_date: now } };
}

/** Takes back a future stop; the subscription then lasts for `term`. */
export function restarted(before: EndingState, term: Term): Transition<RunningState> {
  const { in_trial, last_period, subscribed, receivable, derived } = before;
  const schedule = before.schedule.lasting(term);
  const { period } = receivable;
  const wasCut = isPeriod(period, schedule, last_period) && period.cuts.length > period.settled;
  const uncut = wasCut ? { ...period, cuts: period.cuts.slice(0, -1) } : period;
  return {
    state: {
      status: 'ACTIVE',
      active: true,
      in_trial,
      pending_change: null,
      subscribed,
      schedule,
      receivable: { ...receivable, period: uncut },
      derived,
    },
    event: edgeEvent('NON_RENEWING', 'start', 'ACTIVE'),
  };
}
