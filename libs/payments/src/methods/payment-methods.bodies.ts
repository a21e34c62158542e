import { Flag, Ref, createBody, updateBody, type Id } from '@commerce/platform';

import { PaymentMethodRecord } from './payment-method.record.js';

export class CreatePaymentMethodBody extends createBody(PaymentMethodRecord, ['payment_method']) {
  @Ref('user', { optional: true, description: 'whose it will be; an admin must say it, a user need not' })
  user: Id | null;
}

export class UpdatePaymentMethodBody extends updateBody(PaymentMethodRecord, ['payment_method_id']) {
  @Flag({ optional: true, description: "makes it the user's first choice" })
  default?: boolean;
}
