import { unitsBegunBefore } from '../calendar/calendar.js';
import { withDerivedFields } from '../cycle/derived-fields.js';
import { allowedActions, stateConflict } from '../lifecycle/lifecycle.js';
import {
  hasStarted,
  isPaused,
  withReceivable,
  type SubscriptionState,
} from '../lifecycle/subscription-state.js';
import type { Transition } from '../lifecycle/transition.js';
import { renamed } from '../lines/billing-period.js';
import { sameSubscribed, type Subscribed, type Terms } from '../pricing/terms.js';
import { newestPeriod } from '../receivable/receivable.js';

/**
 * Ends the discount with the interval that began before `now`, in a pause with the one that it interrupted. A discount
 * that has lowered no charge ends at once; a charged one stays, so that its payment redeems the coupon.
 * @throws Fault `subscription.state_conflict` where there is none
 */
export function endDiscount(state: SubscriptionState, { plan }: Terms, now: Date): Transition {
  const { discount, ...without } = state.subscribed;
  if (discount === undefined) {
    throw stateConflict(state, 'The subscription has no coupon', allowedActions(state, now));
  }
  const at = isPaused(state) ? state.paused_at : now;
  const next = hasStarted(state) ? unitsBegunBefore(state.schedule, at) : 0;
  const until = Math.min(next, discount.until ?? next);
  const isUnused = until <= Math.max(0, discount.from) && !isCharged(state);
  const left = isUnused ? {} : { discount: { ...discount, until, ended: true as const } };
  const subscribed = { ...without, ...left };
  const after = withTerms({ ...state, subscribed }, state.subscribed, subscribed);
  return { state: withDerivedFields(after, plan), event: 'subscription.updated' };
}

/** The terms of the running period are those of the subscription, as long as it has not been charged. */
function withTerms(state: SubscriptionState, before: Subscribed, after: Subscribed): SubscriptionState {
  if (!hasStarted(state)) return state;
  const periods = state.receivable.periods.map((period) => renamed(period, before, after));
  return withReceivable<SubscriptionState>(state, { periods });
}

/** Whether the running period has been charged, which freezes its price. */
function isCharged({ receivable, subscribed }: SubscriptionState): boolean {
  const terms = newestPeriod(receivable)?.terms ?? [];
  return terms.some((one) => one.price !== null && sameSubscribed(one.subscribed, subscribed));
}
