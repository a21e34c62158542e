import { unitsUpTo } from '../calendar/calendar.js';
import { withDerivedFields } from '../cycle/derived-fields.js';
import { allowedActions, stateConflict } from '../lifecycle/lifecycle.js';
import { hasStarted, isPaused, type SubscriptionState } from '../lifecycle/subscription-state.js';
import type { Transition } from '../lifecycle/transition.js';
import type { Terms } from '../pricing/terms.js';

/**
 * Ends the discount from the next interval on; one that has not been charged yet ends at once. In a pause, the interval
 * that it interrupted is the last.
 * @throws Fault `subscription.state_conflict` where there is none
 */
export function endDiscount(state: SubscriptionState, { plan }: Terms, now: Date): Transition {
  const { discount, ...without } = state.subscribed;
  if (discount === undefined) {
    throw stateConflict(state, 'The subscription has no coupon', allowedActions(state, now));
  }
  const at = isPaused(state) ? state.paused_at : now;
  const next = hasStarted(state) && at >= state.schedule.anchor ? unitsUpTo(state.schedule, at) + 1 : 0;
  const until = Math.min(next, discount.until ?? next);
  const left =
    until <= Math.max(0, discount.from) ? {} : { discount: { ...discount, until, ended: true as const } };
  const after = { ...state, subscribed: { ...without, ...left } };
  return { state: withDerivedFields(after, plan), event: 'subscription.updated' };
}
