import { nextChargeDate, nextStep } from './cycle-agenda.js';
import { earlier, endOfSlice, naturalEnd } from './cycle-calendar.js';
import type { CollectionState, StateChanges, SubscriptionState } from '../lifecycle/subscription-state.js';
import type { PlanTerms } from '../lifecycle/subscription-terms.js';

export function applied(state: SubscriptionState, changes: StateChanges): SubscriptionState {
  return { ...state, ...changes };
}

/**
 * The changes, with the fields that follow from the others brought up to date. Every decision and every move ends
 * here, so that `due` is never forgotten.
 */
export function withDerived(state: SubscriptionState, changes: StateChanges, plan: PlanTerms): StateChanges {
  const after = applied(state, changes);
  return {
    ...changes,
    ...periodOf(after, plan),
    collection_state: collectionState(after),
    next_billing_date: nextChargeDate(after, plan),
    due: nextStep(after, plan)?.at ?? null,
  };
}

function collectionState(state: SubscriptionState): CollectionState {
  const { open_payment, outstanding_amount, collection_state } = state;
  if (open_payment !== null && open_payment.state !== 'IN_FLIGHT') return open_payment.state;
  // A retry on its way says nothing new; a first attempt leaves what was there.
  if (open_payment !== null) return collection_state;
  return outstanding_amount > 0 ? 'PAST_DUE' : 'OK';
}

/** The running slice, or the trial; of a subscription that rests or has ended the last one that ran. */
function periodOf(state: SubscriptionState, plan: PlanTerms): StateChanges {
  const { status, slice, starting_date, trial_ending_date } = state;
  if (status !== 'FUTURE' && status !== 'ACTIVE' && status !== 'NON_RENEWING') return {};
  const awaitsTrial = status === 'FUTURE' && trial_ending_date !== null;
  if ((state.in_trial || awaitsTrial) && trial_ending_date !== null) {
    return {
      current_billing_date_period_start: starting_date,
      current_billing_date_period_end: earlier(trial_ending_date, naturalEnd(state, plan)),
    };
  }
  if (slice === null) return {};
  return {
    current_billing_date_period_start: slice.start,
    current_billing_date_period_end: endOfSlice(state, plan, slice),
  };
}
