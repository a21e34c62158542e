import { toMinor } from '@commerce/kernel';
import type { PaymentRecord } from '@commerce/payments';

import type { InvoiceRecord } from '../invoices/invoice.record.js';

/** The fields of a payment that say how much of it was given back. */
export type GivenBack = Pick<
  PaymentRecord,
  'currency' | 'refunds' | 'refunded_amount' | 'owed_amount' | 'dispute_lost'
>;

/** What the credit notes of a payment add up to, less what was taken back of them, in minor units. */
export function creditedMinor(documents: readonly InvoiceRecord[], currency: string): number {
  return documents
    .filter(({ refund }) => refund !== null)
    .reduce((sum, { kind, gross }) => sum + (kind === 'credit_note' ? 1 : -1) * toMinor(gross, currency), 0);
}

/**
 * How much a credited amount lacks of what was given back; negative where it is too much. It may be ahead of what is
 * being given back and what is owed, and of all that the bank gave back in a dispute.
 */
export function uncreditedMinor(payment: GivenBack, credited_minor: number): number {
  const minor = (amount: number): number => toMinor(amount, payment.currency);
  const given = minor(payment.refunded_amount);
  if (credited_minor <= given) return given - credited_minor;
  if (payment.dispute_lost) return 0;
  const pending = payment.refunds.filter(({ status }) => status === 'PENDING');
  const coming = pending.reduce((sum, { amount }) => sum + minor(amount), minor(payment.owed_amount));
  return Math.min(0, given + coming - credited_minor);
}
