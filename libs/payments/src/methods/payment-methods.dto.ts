import { sortsOf, Flag, Ref, createBody, listQuery, updateBody, type Id } from '@commerce/records';

import { PaymentMethodRecord } from './payment-method.record.js';

export class CreatePaymentMethodBody extends createBody(PaymentMethodRecord, ['payment_method']) {
  @Ref('user', { optional: true, description: 'whose it will be; an admin must say it, a user need not' })
  user: Id | null;
}

export class UpdatePaymentMethodBody extends updateBody(PaymentMethodRecord, ['payment_method_id']) {
  @Flag({ optional: true, description: "makes it the user's first choice" })
  default?: boolean;
}

export class ListPaymentMethodsQuery extends listQuery({
  sortable: sortsOf(PaymentMethodRecord),
  sort: '-created',
  dates: ['created', 'updated'],
}) {
  @Ref('user', { optional: true, description: 'payment methods of this user only' })
  user: Id | null;
}

export class DeletePaymentMethodQuery {
  @Ref('payment method', {
    optional: true,
    description: 'another payment method of the same user, which live subscriptions use from now on',
  })
  replacement: Id | null;
}
