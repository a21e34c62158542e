import { giveBack, type RestOf } from '../receivable/credit.js';
import { unsettledCuts } from '../receivable/billing-period.js';
import { periodCharge } from '../receivable/period-charge.js';
import { finished } from '../lifecycle/ending.js';
import { isStopped } from '../lifecycle/periods.js';
import {
  withReceivable,
  type EndingState,
  type RunningState,
  type SubscriptionState,
} from '../lifecycle/subscription-state.js';
import type { Transition } from '../lifecycle/transition.js';
import type { PlanTerms, Terms } from '../pricing/terms.js';
import { nextDueAction } from './due-actions.js';
import type { Decision } from './decision.js';

/** Ends a subscription; after a stop, prepay first refunds the remaining days. */
export function finish(state: RunningState | EndingState, terms: Terms, restOf: RestOf): Decision {
  const { period } = state.receivable;
  if (period === null || !owesRefund(state, terms.plan)) return { do: 'change', ...finished(state) };
  const bill = periodCharge(state.schedule, terms, period, period.cuts.length);
  if (bill.amount_minor >= 0) {
    return { do: 'change', ...finished(withReceivable(state, { period: bill.period })) };
  }
  const { refunds, ...books } = giveBack(state.receivable, bill, period, 'stop', restOf);
  const end = finished(withReceivable(state, books));
  return refunds.length === 0 ? { do: 'change', ...end } : { do: 'refund', refunds, ...end };
}

/** Adds the end if it is due next, so that it goes into the commit of the last payment. */
export function finishedIfDue(transition: Transition, plan: PlanTerms, now: Date): Transition {
  const { state } = transition;
  const item = nextDueAction(state, plan);
  if (item === null || item.do !== 'finish' || item.at > now || owesRefund(state, plan)) return transition;
  return finished(item.state);
}

/** Whether a stop of a prepaid subscription has days to refund. */
function owesRefund(state: SubscriptionState, plan: PlanTerms): boolean {
  if (state.status !== 'NON_RENEWING' || !plan.prepay) return false;
  const { period } = state.receivable;
  return period !== null && isStopped(state, period) && unsettledCuts(period).length > 0;
}
