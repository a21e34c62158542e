import { fault, type EventKind, type FaultDetails } from '@commerce/kernel';

import type { SubscriptionStatus } from './subscription-state.js';

/** The actions of callers; also the names of the routes. */
export type Action = 'start' | 'stop' | 'pause';

/** Events of time and of payments that change the status. */
export type Happening =
  | 'starting_date'
  | 'resume_at'
  | 'trial_end'
  | 'period_end'
  | 'end'
  | 'initial_failure'
  | 'max_fail_attempts';

/** One edge of the lifecycle. `when` is a condition in words; the code of the action implements it. */
export interface Edge {
  readonly from: SubscriptionStatus | null;
  readonly by: 'create' | Action | Happening;
  readonly when: string | null;
  readonly to: SubscriptionStatus;
  readonly event: EventKind;
}

/** Every change of a subscription's status, and the event that reports it. */
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
  edge('ACTIVE', 'trial_end', 'PAUSED', 'subscription.updated', 'where nothing can pay'),
  edge('ACTIVE', 'end', 'COMPLETED', 'subscription.completed', 'last interval or ending_date'),
  edge('ACTIVE', 'initial_failure', 'CANCELLED', 'subscription.cancelled', 'under CANCEL'),
  edge('ACTIVE', 'max_fail_attempts', 'CANCELLED', 'subscription.cancelled'),
  edge('PAUSED', 'stop', 'CANCELLED', 'subscription.cancelled'),
  edge('PAUSED', 'start', 'ACTIVE', 'subscription.activated'),
  edge('PAUSED', 'resume_at', 'ACTIVE', 'subscription.activated'),
  edge('NON_RENEWING', 'start', 'ACTIVE', 'subscription.activated', 'stopped at a date, before it'),
  edge('NON_RENEWING', 'trial_end', 'CANCELLED', 'subscription.cancelled', 'where nothing can pay'),
  edge('NON_RENEWING', 'period_end', 'CANCELLED', 'subscription.cancelled', 'settled'),
  edge('NON_RENEWING', 'initial_failure', 'CANCELLED', 'subscription.cancelled', 'under CANCEL'),
  edge('NON_RENEWING', 'max_fail_attempts', 'CANCELLED', 'subscription.cancelled'),
];

const ACTIONS: readonly Action[] = ['start', 'stop', 'pause'];

/** The actions that a caller may take now. */
export function allowedActions(state: LifecycleState, now: Date): readonly Action[] {
  return ACTIONS.filter(
    (action) =>
      LIFECYCLE.some(({ from, by }) => from === state.status && by === action) && holds(state, action, now),
  );
}

/** @throws Fault `subscription.state_conflict` with `current` and `allowed` where the action is not possible now */
export function requireAllowed(state: LifecycleState, action: Action, now: Date): void {
  const allowed = allowedActions(state, now);
  if (allowed.includes(action)) return;
  throw stateConflict(state, `A subscription that is ${state.status} cannot be asked to ${action}`, allowed);
}

/**
 * The event of a change of status.
 * @throws RangeError where the lifecycle has no such change
 */
export function edgeEvent(from: SubscriptionStatus, by: Edge['by'], to: SubscriptionStatus): EventKind {
  const found = LIFECYCLE.find((one) => one.from === from && one.by === by && one.to === to);
  if (found === undefined) throw new RangeError(`${from} does not become ${to} by ${by}`);
  return found.event;
}

/** The fault for an action or change that this state does not allow. */
export function stateConflict(
  { status }: LifecycleState,
  message: string,
  allowed: readonly Action[],
  more: FaultDetails = {},
): Error {
  return fault('subscription.state_conflict', message, { current: status, allowed, ...more });
}

/** The part of the state that decides which actions are possible. */
export type LifecycleState =
  | { readonly status: 'ACTIVE'; readonly active: boolean }
  | { readonly status: 'NON_RENEWING'; readonly active: boolean; readonly ending_date: Date }
  | { readonly status: Exclude<SubscriptionStatus, 'ACTIVE' | 'NON_RENEWING'> };

/**
 * The conditions of an action beyond the status. A stop without a date is final, and so is one whose date has passed; a
 * subscription that is ACTIVE without service only waits for its last payment.
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
