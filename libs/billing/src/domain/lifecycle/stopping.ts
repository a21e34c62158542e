import { endingAt, type Term } from '../calendar/term.js';
import { isSlice, type RunningSlice } from '../ledger/running-slice.js';
import { prorateMinor } from '../ledger/slice-bill.js';
import type { Terms } from '../pricing/terms.js';
import { cancelled } from './ending.js';
import { edgeEvent } from './lifecycle.js';
import { cutAt, isStopped, lastSliceBefore } from './slices.js';
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

/** Ends a pause for good. Billing still settles the days before it, and what was owed stays owed. */
export function cancelledInPause(before: PausedState, now: Date): Transition<CancelledInPauseState> {
  const { paused_at, last_slice, schedule, ledger, outlook } = before;
  return {
    state: {
      status: 'CANCELLED',
      reason: null,
      prorate_amount_minor: 0,
      paused_at,
      ending_date: now,
      last_slice,
      schedule,
      ledger: { ...ledger, setup_due: null },
      outlook,
    },
    event: edgeEvent('PAUSED', 'stop', 'CANCELLED'),
  };
}

/**
 * Stops at a date, which is now for a stop at once. The period that holds the date is the last to be billed; its unused
 * part is settled where it ends. A date that is not after the trial leaves no period to bill.
 */
export function stopped(
  before: RunningState,
  terms: Terms,
  ending_date: Date,
  now: Date,
): Transition<EndingState> {
  const { in_trial, schedule, ledger, outlook } = before;
  const endsInTrial = in_trial && isInTrial(schedule, new Date(ending_date.getTime() - 1));
  const last_slice = endsInTrial ? -1 : lastSliceBefore(before, ending_date);
  const state: EndingState = {
    status: 'NON_RENEWING',
    active: ending_date > now,
    in_trial,
    ending_date,
    last_slice,
    prorate_amount_minor: 0,
    schedule,
    ledger: { ...ledger, slice: cutAt(before, last_slice, ending_date) },
    outlook,
  };
  const { slice } = ledger;
  return {
    // A trial costs nothing; its stop is prorated when the first period begins.
    state: slice === null || in_trial ? state : withProration(state, terms, slice, now),
    event: edgeEvent('ACTIVE', 'stop', 'NON_RENEWING'),
  };
}

/** A stop shows its prorate_amount as soon as its slice is the running one. */
export function withProration<S extends BilledState>(
  state: S,
  terms: Terms,
  slice: RunningSlice,
  now: Date,
): S {
  if (state.status !== 'NON_RENEWING' || !isStopped(state, slice)) return state;
  const prorate_amount_minor = prorateMinor(state.schedule, terms, slice, state.ending_date);
  return { ...state, prorate_amount_minor, ledger: { ...state.ledger, last_prorate_date: now } };
}

/** Takes back a stop that lies ahead; the subscription then lasts for `term`. */
export function restarted(before: EndingState, term: Term): Transition<RunningState> {
  const { in_trial, last_slice, ledger, outlook } = before;
  const schedule = before.schedule.lasting(term);
  const { slice } = ledger;
  const wasCut = isSlice(slice, schedule, last_slice) && slice.cuts.length > slice.settled;
  const uncut = wasCut ? { ...slice, cuts: slice.cuts.slice(0, -1) } : slice;
  return {
    state: {
      status: 'ACTIVE',
      active: true,
      in_trial,
      schedule,
      ledger: { ...ledger, slice: uncut },
      outlook,
    },
    event: edgeEvent('NON_RENEWING', 'start', 'ACTIVE'),
  };
}
