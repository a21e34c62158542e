import { toMinor } from '@commerce/kernel';

import type { PaymentRecord } from '../payments/payment.record.js';
import type { IntentTruth, OwedTag, PaymentTag } from './card-provider.js';

/** The tag by which one attempt of a payment is found at the provider. */
export function paymentTag({ company, _id }: PaymentRecord, attempt: number): PaymentTag {
  return { company: company.toHexString(), payment: _id.toHexString(), attempt };
}

/** What a payment is for, in the provider's books. */
export function owedTag({ subscription, order, kind, slice }: PaymentRecord): OwedTag {
  return {
    subscription: subscription?.toHexString() ?? null,
    order: order?.toHexString() ?? null,
    kind,
    slice,
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
