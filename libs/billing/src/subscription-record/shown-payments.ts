import type { PaymentRecord } from '@commerce/payments';
import type { Id } from '@commerce/records';

import { SHOWN_PAYMENTS, type SubscriptionRecord } from './subscription.record.js';

/** The payments that the record names once this one is added: the newest ones. */
export function shownPayments({ payments }: SubscriptionRecord, { _id }: Pick<PaymentRecord, '_id'>): Id[] {
  return payments.some((one) => one.equals(_id)) ? payments : [...payments, _id].slice(-SHOWN_PAYMENTS);
}
