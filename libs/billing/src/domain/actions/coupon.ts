import { unitsBegunBefore } from '../calendar/calendar.js';
import { withDerivedFields } from '../cycle/derived-fields.js';
import { allowedActions, stateConflict } from '../lifecycle/lifecycle.js';
import {
  hasStarted,
  isPaused,
  lineOf,
  subscribedOf,
  withLine,
  type SubscriptionState,
} from '../lifecycle/subscription-state.js';
import type { Transition } from '../lifecycle/transition.js';
import { renamed } from '../lines/billing-period.js';
import { sameSubscribed, type Subscribed, type Terms } from '../pricing/terms.js';
import { newestPeriod } from '../receivable/accounts.js';

/**
 * Ends the discount with the interval that began before `now`, in a pause with the one that it interrupted. A discount
 * that has lowered no charge ends at once; a charged one stays, so that its payment redeems the coupon.
 * @throws Fault `subscription.state_conflict` where there is none
 */
export function endDiscount(state: SubscriptionState, { plan }: Terms, now: Date): Transition {
  const before = subscribedOf(state);
  const { discount, ...without } = before;
  if (discount === undefined) {
    throw stateConflict(state, 'The subscription has no coupon', allowedActions(state, now));
  }
  const at = isPaused(state) ? state.paused_at : now;
  const next = hasStarted(state) ? unitsBegunBefore(lineOf(state).schedule, at) : 0;
  const until = Math.min(next, discount.until ?? next);
  const isUnused = until <= Math.max(0, discount.from) && !isCharged(state);
  const left = isUnused ? {} : { discount: { ...discount, until, ended: true as const } };
  const subscribed = { ...without, ...left };
  const after = withTerms(state, before, subscribed);
  return { state: withDerivedFields(after, plan), event: 'subscription.updated' };
}

/** The terms of the running period are those of the subscription, as long as it has not been charged. */
function withTerms(state: SubscriptionState, before: Subscribed, after: Subscribed): SubscriptionState {
  if (!hasStarted(state)) return { ...state, subscribed: after };
  const periods = lineOf(state).periods.map((period) => renamed(period, before, after));
  return withLine<SubscriptionState & typeof state>(state, { subscribed: after, periods });
}

/** Whether the running period has been charged, which freezes its price. */
function isCharged(state: SubscriptionState): boolean {
  const terms = newestPeriod(state)?.terms ?? [];
  return terms.some((one) => one.price !== null && sameSubscribed(one.subscribed, subscribedOf(state)));
}
