import type { EventKind } from '@commerce/kernel';
import type { SubscriptionState } from './subscription-state.js';

/** The state that a move, a decision or an outcome leads to. `event` null: nothing that is worth an event. */
export interface Transition<S extends SubscriptionState = SubscriptionState> {
  readonly state: S;
  readonly event: EventKind | null;
}
