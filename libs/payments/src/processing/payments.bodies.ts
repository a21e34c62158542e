import { Amount, Text } from '@commerce/platform';

export class ConfirmPaymentBody {
  @Text({ min: 1, description: "the provider's id of the payment's intent" })
  payment_intent_id: string;

  @Text({ min: 1, description: 'the client secret of that intent' })
  payment_client_secret: string;
}

export class RefundPaymentBody {
  @Amount({ optional: true, description: 'all that is left where it is absent' })
  amount?: number | null;

  @Text({ optional: true })
  reason?: string | null;
}
