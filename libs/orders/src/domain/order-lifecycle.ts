import { TRY_AGAIN_SOON, fault, type EventKind } from '@commerce/kernel';

export const ORDER_STATUSES = ['PENDING_PAYMENT', 'REQUIRES_AUTH', 'PAID', 'CANCELLED', 'REFUNDED'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** The actions of callers; also the names of the routes. */
export type OrderAction = 'pay' | 'cancel';

/** Changes of the order's payment. */
export type PaymentNews =
  | 'payment_succeeded'
  | 'authentication_required'
  | 'payment_failed'
  | 'payment_refunded'
  | 'refund_returned';

/** One edge of the lifecycle. `when` is a condition in words; `allowedActions` and the settlement implement it. */
export interface OrderEdge {
  readonly from: OrderStatus | null;
  readonly by: 'create' | OrderAction | PaymentNews;
  readonly when: string | null;
  readonly to: OrderStatus;
  readonly event: EventKind;
}

/** Every change of an order's status, and the event that reports it. */
export const ORDER_LIFECYCLE: readonly OrderEdge[] = [
  edge(null, 'create', 'PENDING_PAYMENT', 'order.created'),
  edge('PENDING_PAYMENT', 'pay', 'PENDING_PAYMENT', 'order.updated', 'no payment is under way'),
  edge('PENDING_PAYMENT', 'cancel', 'CANCELLED', 'order.cancelled', 'no payment is under way'),
  edge('PENDING_PAYMENT', 'payment_succeeded', 'PAID', 'order.updated'),
  edge('PENDING_PAYMENT', 'authentication_required', 'REQUIRES_AUTH', 'order.updated'),
  edge('REQUIRES_AUTH', 'pay', 'PENDING_PAYMENT', 'order.updated', 'no payment is under way'),
  edge('REQUIRES_AUTH', 'cancel', 'CANCELLED', 'order.cancelled', 'no payment is under way'),
  edge('REQUIRES_AUTH', 'payment_succeeded', 'PAID', 'order.updated'),
  edge('REQUIRES_AUTH', 'payment_failed', 'PENDING_PAYMENT', 'order.updated'),
  edge('PAID', 'payment_refunded', 'REFUNDED', 'order.updated', 'all of it, disputed or not'),
  edge('REFUNDED', 'refund_returned', 'PAID', 'order.updated', 'the bank gave the refund back'),
];

const ACTIONS: readonly OrderAction[] = ['pay', 'cancel'];

/** The fields of an order that its rules use. */
export interface OrderState {
  readonly status: OrderStatus;
  /** A payment of it is in flight. */
  readonly inFlight: boolean;
  /** A payment of it was abandoned, and the provider has not confirmed yet that it takes no money. */
  readonly ending: boolean;
}

/** The actions that a caller may take now. */
export function allowedActions({ status, inFlight, ending }: OrderState): readonly OrderAction[] {
  if (inFlight) return [];
  return ACTIONS.filter((action) => edgeFrom(status, action) !== null && !(ending && action === 'pay'));
}

/** The edge that leaves a status; null when there is none. */
export function edgeFrom(status: OrderStatus, by: OrderAction | PaymentNews): OrderEdge | null {
  return ORDER_LIFECYCLE.find((one) => one.from === status && one.by === by) ?? null;
}

/**
 * The edge of an action.
 * @throws Fault `order.state_conflict` with `current` and `allowed` where the action is not possible now
 */
export function requireAllowed(state: OrderState, action: OrderAction): OrderEdge {
  const allowed = allowedActions(state);
  const found = allowed.includes(action) ? edgeFrom(state.status, action) : null;
  if (found !== null) return found;
  const waits = state.inFlight || (state.ending && edgeFrom(state.status, action) !== null);
  const message = waits
    ? 'A payment of this order is under way; wait for its end'
    : `An order that is ${state.status} cannot be asked to ${action}`;
  const again = waits ? TRY_AGAIN_SOON : {};
  throw fault('order.state_conflict', message, { current: state.status, allowed, ...again });
}

function edge(
  from: OrderStatus | null,
  by: OrderEdge['by'],
  to: OrderStatus,
  event: EventKind,
  when: string | null = null,
): OrderEdge {
  return { from, by, when, to, event };
}
