import { toMinor } from '@commerce/kernel';

import type { PaymentRecord } from '../payments/payment.record.js';
import type { CreditDraft } from './balance-writer.js';

/** The entries that follow from a change of a payment: credit that it returns, and refunds to the balance. */
export function creditsOfPayment(before: PaymentRecord, after: PaymentRecord): CreditDraft[] {
  const { user, currency, _id: payment, subscription } = after;
  const about = { user, currency, payment, subscription };
  const returned = toMinor(before.credit_applied, currency) - toMinor(after.credit_applied, currency);
  const known = new Set(before.refunds.map(({ key }) => key));
  const refunded = after.refunds
    .filter(({ to, key, status }) => to === 'balance' && status === 'SUCCEEDED' && !known.has(key))
    .map(({ amount, reason, requested_by = null }): CreditDraft => {
      const kind = requested_by === null ? 'credited' : 'refunded';
      return { ...about, amount_minor: toMinor(amount, currency), kind, note: reason };
    });
  return returned > 0 ? [{ ...about, amount_minor: returned, kind: 'returned' }, ...refunded] : refunded;
}
