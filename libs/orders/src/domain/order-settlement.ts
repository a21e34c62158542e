import { toMinor } from '@commerce/kernel';
import type { PaymentRecord } from '@commerce/payments';

import { edgeFrom, type OrderEdge, type OrderStatus, type PaymentNews } from './order-lifecycle.js';

/** How a payment stands, as far as an order cares. */
export type PaymentStanding = 'under_way' | 'requires_auth' | 'failed' | 'collected' | 'refunded';

/**
 * How a payment stands. A dispute changes nothing of that: what was given back whole stays so, whether the bank holds
 * the money, returns it or keeps it.
 */
export function standingOf(
  payment: Pick<PaymentRecord, 'status' | 'amount' | 'refunded_amount' | 'currency'>,
): PaymentStanding {
  switch (payment.status) {
    case 'CREATED':
    case 'PROCESSING':
    case 'UNKNOWN':
      return 'under_way';
    case 'REQUIRES_AUTH':
      return 'requires_auth';
    case 'FAILED':
      return 'failed';
    case 'SUCCEEDED':
    case 'PARTIALLY_REFUNDED':
      return 'collected';
    case 'REFUNDED':
      return 'refunded';
    case 'DISPUTED':
      return isGivenBack(payment) ? 'refunded' : 'collected';
  }
}

function isGivenBack({
  amount,
  refunded_amount,
  currency,
}: Pick<PaymentRecord, 'amount' | 'refunded_amount' | 'currency'>): boolean {
  return toMinor(refunded_amount, currency) >= toMinor(amount, currency);
}

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
