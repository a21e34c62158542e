import type { Decision } from './decision.js';
import type { SubscriptionState } from './subscription-state.js';
import type { Terms } from './subscription-terms.js';

/**
 * What billing has to do at `now`: the oldest thing that is due, or nothing and when to ask again. To be asked
 * again after each commit. `canPay`: the subscription has a usable payment method (asked only while `in_trial`).
 * Faults: those of terms.price().
 */
export function decideCycle(state: SubscriptionState, terms: Terms, canPay: boolean, now: Date): Decision {
  throw new Error(`to be written ${String([state, terms, canPay, now])}`);
}
