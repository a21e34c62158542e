import { toMinor } from '@commerce/kernel';

import type { PaymentRecord } from './payment.record.js';

/** The amount owed before the balance of the user paid part of it, in minor units. */
export function grossMinor({
  amount,
  credit_applied,
  currency,
}: Pick<PaymentRecord, 'amount' | 'credit_applied' | 'currency'>): number {
  return toMinor(amount, currency) + toMinor(credit_applied, currency);
}
