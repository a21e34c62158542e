import {
  sortsOf,
  Amount,
  Choice,
  Currency,
  Flag,
  Instant,
  Ref,
  Text,
  listQuery,
  type Id,
} from '@commerce/records';

import { REFUND_TARGETS, type RefundTarget } from '../payments/payment-refund.js';
import { PAYMENT_STATUSES, PaymentRecord, type PaymentStatus } from '../payments/payment.record.js';

export class ConfirmPaymentBody {
  @Text({ min: 1, description: "the provider's id of the payment's intent" })
  payment_intent_id: string;

  @Text({ min: 1, description: 'the client secret of that intent' })
  payment_client_secret: string;
}

export class RefundPaymentBody {
  @Amount({ optional: true, description: 'all that is left, or owed, where it is absent' })
  amount?: number | null;

  @Text({
    optional: true,
    description: 'the key of a failed refund that is still owed: it owes so much less from now on',
  })
  instead_of?: string | null;

  @Text({ optional: true, description: 'why; kept with the refund' })
  reason?: string | null;

  @Choice(REFUND_TARGETS, {
    default: 'card',
    fold: 'lower',
    description:
      'card: back to the card, and to the balance of the user beyond what the card paid; balance: all to the balance',
  })
  to?: RefundTarget;
}

/** The payments of one subscription. */
export class ListSubscriptionPaymentsQuery extends listQuery({
  sortable: sortsOf(PaymentRecord),
  sort: '-created',
  dates: ['created', 'updated'],
}) {
  @Choice(PAYMENT_STATUSES, { optional: true, description: 'payments of this status only' })
  status: PaymentStatus | null;
}

export class ListPaymentsQuery extends ListSubscriptionPaymentsQuery {
  @Ref('user', { optional: true, description: 'payments of this user only' })
  user: Id | null;

  @Ref('subscription', { optional: true, description: 'payments of this subscription only' })
  subscription: Id | null;

  @Ref('order', { optional: true, description: 'payments of this order only' })
  order: Id | null;

  @Currency({ optional: true, description: 'payments in this currency only' })
  currency: string | null;

  @Amount({ optional: true, description: 'payments of this amount and above only' })
  min_amount: number | null;

  @Amount({ optional: true, description: 'payments of this amount and below only' })
  max_amount: number | null;

  @Ref('test clock', { optional: true, description: 'payments of customers on this test clock only' })
  test_clock: Id | null;

  @Flag({ optional: true, description: 'true: customers in real time; false: those on test clocks' })
  real_time: boolean | null;
}

/** The range of the payments to add up. */
export class PaymentTotalsQuery {
  @Instant({ description: 'payments created from this date on' })
  from_date: Date;

  @Instant({ description: 'and before this date' })
  to_date: Date;

  @Ref('test clock', {
    optional: true,
    description: 'the customers on this test clock; without it, those in real time',
  })
  test_clock: Id | null;
}
