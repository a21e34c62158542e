import { Ref, Text, type Id } from '@commerce/records';

export class PayByCardBody {
  @Ref('payment method', { description: 'the one that was opened for the card' })
  payment_method: Id;

  @Text({ min: 1, description: "the provider's id of the card that was saved" })
  payment_method_id: string;
}
