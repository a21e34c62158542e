import { fault, type EventKind, type FaultDetails } from '@commerce/kernel';

import type { SubscriptionStatus } from './subscription-state.js';

/** What callers can ask for; also the names of the routes. */
export type Action = 'start' | 'stop' | 'pause';

/** What time and payments bring about. */
export type Happening =
  | 'starting_date'
  | 'resume_at'
  | 'trial_end'
  | 'period_end'
  | 'end'
  | 'initial_failure'
  | 'max_fail_attempts';

/** One line of the lifecycle. `when` is a condition in words; the code is in the moves. */
export interface Edge {
  readonly from: SubscriptionStatus | null;
  readonly by: 'create' | Action | Happening;
  readonly when: string | null;
  readonly to: SubscriptionStatus;
  readonly event: EventKind;
}

/** Every way in which the status of a subscription can change, and the event that reports it. There is no other. */
export const LIFECYCLE: readonly Edge[] = [
  edge(null, 'create', 'CREATED', 'subscription.created'),
  edge('CREATED', 'start', 'ACTIVE', 'subscription.activated', 'starting_date has come'),
  edge('CREATED', 'start', 'FUTURE', 'subscription.future', 'starting_date is to come'),
  edge('CREATED', 'stop', 'CANCELLED', 'subscription.cancelled'),
  edge('CREATED', 'initial_failure', 'CANCELLED', 'subscription.cancelled', 'setup fee, under CANCEL'),
  edge('FUTURE', 'starting_date', 'ACTIVE', 'subscription.activated'),
  edge('FUTURE', 'stop', 'CANCELLED', 'subscription.cancelled'),
  edge('FUTURE', 'initial_failure', 'CANCELLED', 'subscription.cancelled', 'setup fee, under CANCEL'),
  edge('ACTIVE', 'stop', 'NON_RENEWING', 'subscription.non_renewing', 'at once or at a date'),
  edge('ACTIVE', 'stop', 'CANCELLED', 'subscription.cancelled', 'in trial, without a date'),
  edge('ACTIVE', 'pause', 'PAUSED', 'subscription.updated'),
  edge('ACTIVE', 'trial_end', 'PAUSED', 'subscription.updated', 'without a usable payment method'),
  edge('ACTIVE', 'end', 'COMPLETED', 'subscription.completed', 'last interval or ending_date'),
  edge('ACTIVE', 'initial_failure', 'CANCELLED', 'subscription.cancelled', 'under CANCEL'),
  edge('ACTIVE', 'max_fail_attempts', 'CANCELLED', 'subscription.cancelled'),
  edge('PAUSED', 'stop', 'CANCELLED', 'subscription.cancelled'),
  edge('PAUSED', 'start', 'ACTIVE', 'subscription.activated'),
  edge('PAUSED', 'resume_at', 'ACTIVE', 'subscription.activated'),
  edge('NON_RENEWING', 'start', 'ACTIVE', 'subscription.activated', 'stopped at a date, before it'),
  edge('NON_RENEWING', 'trial_end', 'CANCELLED', 'subscription.cancelled', 'without a usable payment method'),
  edge('NON_RENEWING', 'period_end', 'CANCELLED', 'subscription.cancelled', 'settled'),
  edge('NON_RENEWING', 'initial_failure', 'CANCELLED', 'subscription.cancelled', 'under CANCEL'),
  edge('NON_RENEWING', 'max_fail_attempts', 'CANCELLED', 'subscription.cancelled'),
];

const ACTIONS: readonly Action[] = ['start', 'stop', 'pause'];

/** The moves that a caller may ask for now. */
export function allowedActions(state: LifecycleState, now: Date): readonly Action[] {
  return ACTIONS.filter(
    (action) =>
      LIFECYCLE.some(({ from, by }) => from === state.status && by === action) && holds(state, action, now),
  );
}

/** Fault `subscription.state_conflict` with `current` and `allowed` where the move is not possible now. */
export function requireAllowed(state: LifecycleState, action: Action, now: Date): void {
  const allowed = allowedActions(state, now);
  if (allowed.includes(action)) return;
  throw stateConflict(state, `A subscription that is ${state.status} cannot be asked to ${action}`, allowed);
}

/** The event of a change of status. RangeError where the lifecycle has no such change. */
export function edgeEvent(from: SubscriptionStatus, by: Edge['by'], to: SubscriptionStatus): EventKind {
  const found = LIFECYCLE.find((one) => one.from === from && one.by === by && one.to === to);
  if (found === undefined) throw new RangeError(`${from} does not become ${to} by ${by}`);
  return found.event;
}

/** The fault for what a subscription cannot do in this state. */
export function stateConflict(
  { status }: LifecycleState,
  message: string,
  allowed: readonly Action[],
  more: FaultDetails = {},
): Error {
  return fault('subscription.state_conflict', message, { current: status, allowed, ...more });
}

/** What decides which moves are possible. */
export type LifecycleState =
  | { readonly status: 'ACTIVE'; readonly active: boolean }
  | { readonly status: 'NON_RENEWING'; readonly active: boolean; readonly ending_date: Date }
  | { readonly status: Exclude<SubscriptionStatus, 'ACTIVE' | 'NON_RENEWING'> };

/**
 * What a move needs beyond the status. A stop at once is final, and so is one whose date has come. A subscription
 * that is ACTIVE without service only waits for its last payment.
 */
function holds(state: LifecycleState, action: Action, now: Date): boolean {
  if (state.status === 'ACTIVE') return state.active;
  if (state.status !== 'NON_RENEWING' || action !== 'start') return true;
  return state.active && now < state.ending_date;
}

function edge(
  from: SubscriptionStatus | null,
  by: Edge['by'],
  to: SubscriptionStatus,
  event: EventKind,
  when: string | null = null,
): Edge {
  return { from, by, when, to, event };
}
