import { Amount, Choice, Instant, Text } from '@commerce/records';

export const REFUND_STATUSES = ['PENDING', 'SUCCEEDED', 'FAILED'] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];

export const REFUND_TARGETS = ['card', 'balance'] as const;
export type RefundTarget = (typeof REFUND_TARGETS)[number];

/** Money refunded, or being refunded. Pending and done refunds together never exceed the amount paid. */
export class PaymentRefund {
  @Text({ description: 'unique within the payment' })
  key: string;

  @Amount({ description: 'what is given back, in major units of the currency' })
  amount: number;

  @Choice(REFUND_TARGETS, {
    default: 'card',
    fold: 'lower',
    description: 'card: given back by the card provider; balance: added to the balance of the user',
  })
  to?: RefundTarget;

  @Choice(REFUND_STATUSES, { description: 'PENDING until the card provider has given it back' })
  status: RefundStatus;

  @Text({ optional: true, description: 'the reason that the request gave' })
  reason: string | null;

  @Text({ optional: true, description: "the card provider's id of the refund" })
  provider_refund_id: string | null;

  @Text({
    optional: true,
    description:
      'the credential of the admin who asked for it; null where the service gave back by its own rules',
  })
  requested_by?: string | null;

  @Text({ optional: true, description: 'the key of the FAILED refund in whose place it was made' })
  instead_of?: string | null;

  @Amount({
    default: 0,
    description: 'what of a FAILED refund is still to be given back; it is tried again until somebody does',
  })
  owed?: number;

  @Text({ optional: true, description: 'why it failed', example: 'charge_disputed' })
  code?: string | null;

  @Instant({ description: 'when it was asked for' })
  at: Date;
}
