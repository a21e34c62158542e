import { edgeFrom, type OrderEdge, type OrderStatus, type PaymentNews } from './order-lifecycle.js';

/** How a payment stands, as far as an order cares. */
export type PaymentStanding = 'under_way' | 'requires_auth' | 'failed' | 'collected' | 'refunded';

/** An order, and one of its payments before and after it changed. */
export interface OrderPaymentChange {
  readonly status: OrderStatus;
  /** Whether it is the payment that the order counts on now; others were given up. */
  readonly isCurrent: boolean;
  readonly before: PaymentStanding;
  readonly after: PaymentStanding;
}

/** What follows for the order. */
export interface OrderSettlement {
  readonly edge: OrderEdge | null;
  /** The money came in for an order that does not want it: all of it is given back. */
  readonly giveBack: boolean;
}

/** What the change of a payment does to its order. */
export function settleOrder(change: OrderPaymentChange): OrderSettlement {
  const { status, isCurrent, before, after } = change;
  if (isCollected(after) && !isCollected(before)) {
    const edge = edgeFrom(status, 'payment_succeeded');
    return { edge, giveBack: edge === null };
  }
  const news = isCurrent ? newsOf(before, after) : null;
  return { edge: news === null ? null : edgeFrom(status, news), giveBack: false };
}

function isCollected(standing: PaymentStanding): boolean {
  return standing === 'collected' || standing === 'refunded';
}

function newsOf(before: PaymentStanding, after: PaymentStanding): PaymentNews | null {
  switch (after) {
    case 'requires_auth':
      return 'authentication_required';
    case 'failed':
      return 'payment_failed';
    case 'refunded':
      return 'payment_refunded';
    case 'collected':
      return before === 'refunded' ? 'refund_returned' : null;
    // It is still the customer's turn until the provider has said something definite.
    case 'under_way':
      return null;
  }
}
