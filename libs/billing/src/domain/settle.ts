import type { ChargeResult, Settled } from './decision.js';
import type { SubscriptionState } from './subscription-state.js';
import type { Terms } from './subscription-terms.js';

/**
 * Takes the outcome of a payment of the subscription in, also a late one of a payment that was given up. To be
 * called in the unit of work that settles the payment, also where the payment is settled as it is opened (0, or no
 * payment method). Never asks terms.price().
 */
export function settleCharge(
  state: SubscriptionState,
  terms: Terms,
  result: ChargeResult,
  now: Date,
): Settled {
  throw new Error(`to be written ${String([state, terms, result, now])}`);
}
