import { isStopped, nextStep } from './cycle-agenda.js';
import { unsettledCuts } from './cycle-calendar.js';
import type { Transition } from './decision.js';
import { edgeEvent } from '../lifecycle/lifecycle.js';
import { cancelled } from '../ledger/retry.js';
import type { StateChanges, SubscriptionState } from '../lifecycle/subscription-state.js';
import type { PlanTerms } from '../lifecycle/subscription-terms.js';

/** The end itself: COMPLETED by its own term, CANCELLED after a stop. */
export function finished(state: SubscriptionState, changes: StateChanges): Transition {
  if (state.status === 'NON_RENEWING') return cancelled(state, 'period_end', changes);
  return {
    changes: { ...changes, status: 'COMPLETED', active: false, in_trial: false },
    event: edgeEvent(state.status, 'end', 'COMPLETED'),
  };
}

/** The end, where it is the next thing and its date has come; so it goes into one commit with the last payment. */
export function finishIfDue(state: SubscriptionState, plan: PlanTerms, now: Date): Transition {
  const step = nextStep(state, plan);
  if (step === null || step.do !== 'finish' || step.at > now || owesRefund(state, plan)) {
    return { changes: {}, event: null };
  }
  return finished(state, {});
}

/** A stop that prepay has not settled yet. */
export function owesRefund(state: SubscriptionState, plan: PlanTerms): boolean {
  const { slice } = state;
  return plan.prepay && slice !== null && isStopped(state, slice) && unsettledCuts(slice).length > 0;
}
