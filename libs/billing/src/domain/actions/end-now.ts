import { allowedActions } from '../lifecycle/lifecycle.js';
import { isQuoted, withoutQuote } from '../lifecycle/quoted-state.js';
import { restarted } from '../lifecycle/stopping.js';
import { lineOf, type SubscriptionState } from '../lifecycle/subscription-state.js';
import type { Transition } from '../lifecycle/transition.js';
import type { Terms } from '../pricing/terms.js';
import { hasReachedEnd, stopSubscription } from './actions.js';

/**
 * Stops a subscription now, as a stop without a date does, even where it has a future stop. Null where no service is
 * left to end.
 */
export function endSubscription(state: SubscriptionState, terms: Terms, now: Date): Transition | null {
  if (isQuoted(state)) return endSubscription(withoutQuote(state), terms, now);
  const lastsOn = state.status === 'NON_RENEWING' && allowedActions(state, now).includes('start');
  const before = lastsOn ? restarted(state, lineOf(state).schedule.term).state : state;
  if (!allowedActions(before, now).includes('stop') || hasReachedEnd(before, now)) return null;
  const stopped = stopSubscription(before, terms, {}, now);
  return stopped.state.status === state.status ? { ...stopped, event: 'subscription.updated' } : stopped;
}
