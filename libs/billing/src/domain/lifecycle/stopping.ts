import { fieldFault } from '@commerce/kernel';
import { prorateAmount } from '../cycle/cycle-amounts.js';
import { lastSliceBefore, naturalEnd } from '../cycle/cycle-calendar.js';
import { applied } from '../cycle/cycle-derived.js';
import type { Transition } from '../cycle/decision.js';
import { edgeEvent } from './lifecycle.js';
import { withCut } from './pausing.js';
import { cancelled } from '../ledger/retry.js';
import type { StateChanges, SubscriptionState, Term } from './subscription-state.js';
import type { Terms } from './subscription-terms.js';

/** What has not begun to be billed ends without a charge. */
export function cancelledUnbilled(state: SubscriptionState, now: Date): Transition {
  return cancelled(
    state,
    'stop',
    state.status === 'ACTIVE' ? { ending_date: now, infinite: false, interval_total: null } : {},
  );
}

/**
 * Stops at a date: it is billed up to the end of the period that holds it, and what is unused of that is settled
 * there. The date is that of the stop itself where it is at once.
 */
export function stopped(state: SubscriptionState, terms: Terms, date: Date, now: Date): Transition {
  const last_slice = lastSliceBefore(state, terms.plan, date);
  const { infinite, ending_date, interval_total } = state;
  const changes: StateChanges = {
    status: 'NON_RENEWING',
    active: date > now,
    infinite: false,
    ending_date: date,
    interval_total: null,
    term_before_stop: { infinite, ending_date, interval_total },
    last_slice,
    slice: withCut(state, last_slice, { at: date, takes: 'stop' }),
  };
  const { slice } = state;
  const running = slice !== null && slice.index === last_slice;
  const prorated: StateChanges = running
    ? { prorate_amount: prorateAmount(applied(state, changes), terms, slice, date), last_prorate_date: now }
    : {};
  return {
    changes: { ...changes, ...prorated },
    event: edgeEvent(state.status, 'stop', 'NON_RENEWING'),
  };
}

/** Takes a stop at a date back: it lasts as it did before, unless the request names another term. */
export function restarted(state: SubscriptionState, term: Term): Transition {
  const { slice, last_slice } = state;
  const wasCut = slice !== null && slice.index === last_slice && slice.cuts.length > slice.settled;
  return {
    changes: {
      ...term,
      status: 'ACTIVE',
      active: true,
      prorate_amount: 0,
      last_slice: null,
      term_before_stop: null,
      slice: wasCut ? { ...slice, cuts: slice.cuts.slice(0, -1) } : slice,
    },
    event: edgeEvent(state.status, 'start', 'ACTIVE'),
  };
}

/** Faults `value.invalid` for a date that is no future one, or not before the end that there is already. */
export function requireStopDate(state: SubscriptionState, terms: Terms, date: Date, now: Date): void {
  if (date < now) throw fieldFault('ending_date', 'ending_date must not be in the past');
  const end = naturalEnd(state, terms.plan);
  if (end !== null && date > end) {
    throw fieldFault(
      'ending_date',
      'ending_date must not be after the end that the subscription has already',
    );
  }
}
