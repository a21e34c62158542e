import type { EventKind } from '@commerce/kernel';
import type { SubscriptionState } from './subscription-state.js';

/** The state after an action, a decision or an outcome. `event` is null where no event reports it. */
export interface Transition<S extends SubscriptionState = SubscriptionState> {
  readonly state: S;
  readonly event: EventKind | null;
}
