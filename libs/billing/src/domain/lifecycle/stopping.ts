import { endingAt, type Term } from '../calendar/term.js';
import { costMinor } from '../lines/period-cost.js';
import type { Terms } from '../pricing/terms.js';
import { cancelled } from './ending.js';
import { edgeEvent } from './lifecycle.js';
import { endsOf } from '../lines/line.js';
import { stoppedPeriod } from './periods.js';
import {
  boundsOf,
  lasting,
  lineOf,
  type BilledState,
  type CancelledInPauseState,
  type CreatedState,
  type EndingState,
  type FutureState,
  type PausedState,
  type RunningState,
} from './subscription-state.js';
import type { Transition } from './transition.js';

/** Ends a subscription that has not been billed yet, without a charge. */
export function cancelledUnbilled(before: CreatedState | FutureState | RunningState, now: Date): Transition {
  return before.status === 'ACTIVE'
    ? cancelled(lasting(before, endingAt(now)), 'stop')
    : cancelled(before, 'stop');
}

/** Ends a pause for good. Billing still settles the days before it, and its debt remains. */
export function cancelledInPause(before: PausedState, now: Date): Transition<CancelledInPauseState> {
  const { paused_at, lines, last_prorate_date, receivable, derived } = before;
  return {
    state: {
      status: 'CANCELLED',
      reason: null,
      prorate_amount_minor: 0,
      paused_at,
      ending_date: now,
      lines,
      last_prorate_date,
      receivable: { ...receivable, setup_due: null },
      derived,
    },
    event: edgeEvent('PAUSED', 'stop', 'CANCELLED'),
  };
}

/**
 * Stops at a date, which is now for a stop without one. The end of the period that holds the date settles the unused
 * part; a date that is not after the trial leaves no period to bill.
 */
export function stopped(
  before: RunningState,
  terms: Terms,
  ending_date: Date,
  now: Date,
): Transition<EndingState> {
  const { in_trial, lines, last_prorate_date, receivable, derived } = before;
  const state: EndingState = {
    status: 'NON_RENEWING',
    active: ending_date > now,
    in_trial,
    ending_date,
    prorate_amount_minor: 0,
    lines,
    last_prorate_date,
    receivable,
    derived,
  };
  return { state: withProration(state, terms, now), event: edgeEvent('ACTIVE', 'stop', 'NON_RENEWING') };
}

/** A stop shows its prorate_amount once its period runs: what the period costs less by it, negative. */
export function withProration<S extends BilledState>(state: S, terms: Terms, now: Date): S {
  const period = stoppedPeriod(state);
  if (period === null) return state;
  const own = lineOf(state);
  const line = { schedule: own.schedule, terms };
  const { service, settled } = endsOf(own, boundsOf(state), period);
  const prorate_amount_minor =
    costMinor(line, period, { service, settled }) - costMinor(line, period, { service: settled, settled });
  return { ...state, prorate_amount_minor, last_prorate_date: now };
}

/** Takes back a future stop; the subscription then lasts for `term`. */
export function restarted(before: EndingState, term: Term): Transition<RunningState> {
  const { in_trial, lines, last_prorate_date, receivable, derived } = before;
  const state: RunningState = {
    status: 'ACTIVE',
    active: true,
    in_trial,
    pending_change: null,
    quote: null,
    lines,
    last_prorate_date,
    receivable,
    derived,
  };
  return { state: lasting(state, term), event: edgeEvent('NON_RENEWING', 'start', 'ACTIVE') };
}
