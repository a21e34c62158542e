import { endingAt, type Term } from '../calendar/term.js';
import { isSlice, type RunningSlice } from '../ledger/running-slice.js';
import { prorateMinor } from '../ledger/slice-bill.js';
import type { Terms } from '../pricing/terms.js';
import { cancelled } from './ending.js';
import { edgeEvent } from './lifecycle.js';
import { cutAt, isStopped, lastSliceBefore } from './slices.js';
import type {
  BilledState,
  CreatedState,
  EndingState,
  FutureState,
  RunningState,
} from './subscription-state.js';
import type { Transition } from './transition.js';

/** Ends a subscription that has not been billed yet, without a charge. */
export function cancelledUnbilled(before: CreatedState | FutureState | RunningState, now: Date): Transition {
  return before.status === 'ACTIVE'
    ? cancelled({ ...before, schedule: before.schedule.lasting(endingAt(now)) }, 'stop')
    : cancelled(before, 'stop');
}

/**
 * Stops at a date, which is now for a stop at once. The period that holds the date is the last to be billed; its unused
 * part is settled where it ends.
 */
export function stopped(
  before: RunningState,
  terms: Terms,
  ending_date: Date,
  now: Date,
): Transition<EndingState> {
  const { schedule, ledger, outlook } = before;
  const last_slice = lastSliceBefore(before, ending_date);
  const state: EndingState = {
    status: 'NON_RENEWING',
    active: ending_date > now,
    ending_date,
    last_slice,
    prorate_amount_minor: 0,
    schedule,
    ledger: { ...ledger, slice: cutAt(before, last_slice, ending_date) },
    outlook,
  };
  const { slice } = ledger;
  return {
    state: slice === null ? state : withProration(state, terms, slice, now),
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
  const { last_slice, ledger, outlook } = before;
  const schedule = before.schedule.lasting(term);
  const { slice } = ledger;
  const wasCut = isSlice(slice, schedule, last_slice) && slice.cuts.length > slice.settled;
  const uncut = wasCut ? { ...slice, cuts: slice.cuts.slice(0, -1) } : slice;
  return {
    state: {
      status: 'ACTIVE',
      active: true,
      in_trial: false,
      schedule,
      ledger: { ...ledger, slice: uncut },
      outlook,
    },
    event: edgeEvent('NON_RENEWING', 'start', 'ACTIVE'),
  };
}
