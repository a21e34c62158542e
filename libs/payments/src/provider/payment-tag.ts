import { toMinor } from '@commerce/kernel';

import type { PaymentRecord } from '../payments/payment.record.js';
import type { IntentTruth, OwedTag, PaymentTag } from './card-provider.js';

/** The tag by which one attempt of a payment is found at the provider. */
export function paymentTag(payment: PaymentRecord, attempt: number): PaymentTag {
  const { company, _id, subscription, order, kind, period_key } = payment;
  const about = {
    ...(subscription === null ? {} : { subscription: subscription.toHexString() }),
    ...(order === null ? {} : { order: order.toHexString() }),
    kind,
    period_key,
  };
  return { company: company.toHexString(), payment: _id.toHexString(), attempt, about };
}

/** The debt of a payment, for the provider's books. */
export function owedTag(payment: PaymentRecord): OwedTag {
  const { subscription, order, kind, period_key, credit_applied, currency, coupon } = payment;
  return {
    subscription: subscription?.toHexString() ?? null,
    order: order?.toHexString() ?? null,
    kind,
    period_key,
    credit_minor: toMinor(credit_applied, currency),
    coupon: coupon?.toHexString() ?? null,
  };
}

/** True when the intent was made for this payment, and for its amount. */
export function isIntentOf(payment: PaymentRecord, truth: IntentTruth): boolean {
  return (
    truth.tag?.payment === payment._id.toHexString() &&
    truth.tag.company === payment.company.toHexString() &&
    truth.currency === payment.currency &&
    truth.amount_minor === toMinor(payment.amount, payment.currency)
  );
}
