import { toMinor } from '@commerce/kernel';
import type { PaymentRecord } from '@commerce/payments';

import { edgeFrom, type OrderEdge, type OrderStatus, type PaymentNews } from './order-lifecycle.js';

/** The state of a payment, as far as it concerns an order. */
export type PaymentStanding = 'under_way' | 'requires_auth' | 'failed' | 'collected' | 'refunded';

/**
 * The standing of a payment. A dispute does not change it: a fully refunded payment stays so, even if the bank
 * withholds, returns or keeps the money.
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

/** An order, and one of its payments before and after a change. */
export interface OrderPaymentChange {
  readonly status: OrderStatus;
  /** Whether it is the order's current payment; others were abandoned. */
  readonly isCurrent: boolean;
  readonly before: PaymentStanding;
  readonly after: PaymentStanding;
}

/** The consequences for the order. */
export interface OrderSettlement {
  readonly edge: OrderEdge | null;
  /** The money came in for an order that does not need it: all of it is refunded. */
  readonly giveBack: boolean;
}

/** The consequences of a payment's change for its order. */
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
    // It is still the customer's turn until the provider gives a definite answer.
    case 'under_way':
      return null;
  }
}
