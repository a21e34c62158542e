import type { EventKind } from '@commerce/kernel';
import type { SubscriptionState } from './subscription-state.js';

/** What a move or an outcome makes of the subscription. `event` null: nothing that anyone is told about. */
export interface Transition<S extends SubscriptionState = SubscriptionState> {
  readonly state: S;
  readonly event: EventKind | null;
}
