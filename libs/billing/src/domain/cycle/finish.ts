import { giveBack } from '../ledger/credit.js';
import { unsettledCuts } from '../ledger/running-slice.js';
import { billSlice } from '../ledger/slice-bill.js';
import { finished } from '../lifecycle/ending.js';
import { isStopped } from '../lifecycle/slices.js';
import {
  withLedger,
  type EndingState,
  type RunningState,
  type SubscriptionState,
} from '../lifecycle/subscription-state.js';
import type { Transition } from '../lifecycle/transition.js';
import type { PlanTerms, Terms } from '../pricing/terms.js';
import { nextItem } from './agenda.js';
import type { Decision } from './decision.js';

/** Ends a subscription; after a stop, prepay gives the money for the remaining days back first. */
export function finish(state: RunningState | EndingState, terms: Terms): Decision {
  const { slice } = state.ledger;
  if (slice === null || !owesRefund(state, terms.plan)) return { do: 'change', ...finished(state) };
  const bill = billSlice(state.schedule, terms, slice, slice.cuts.length);
  if (bill.amount_minor >= 0) {
    return { do: 'change', ...finished(withLedger(state, { slice: bill.slice })) };
  }
  const { settled, refund, ...books } = giveBack(state.ledger, bill, slice, 'stop');
  const after = withLedger(state, books);
  const end: Transition = settled ? finished(after) : { state: after, event: 'subscription.updated' };
  return refund === null ? { do: 'change', ...end } : { do: 'refund', refund, ...end };
}

/** Adds the end where that is due next, so that it goes into the commit of the last payment. */
export function finishedIfDue(transition: Transition, plan: PlanTerms, now: Date): Transition {
  const { state } = transition;
  const item = nextItem(state, plan);
  if (item === null || item.do !== 'finish' || item.at > now || owesRefund(state, plan)) return transition;
  return finished(item.state);
}

/** Whether prepay has a stop to settle. */
function owesRefund(state: SubscriptionState, plan: PlanTerms): boolean {
  if (state.status !== 'NON_RENEWING' || !plan.prepay) return false;
  const { slice } = state.ledger;
  return slice !== null && isStopped(state, slice) && unsettledCuts(slice).length > 0;
}
