import { joinFields } from '@commerce/kernel';

import type { PaymentRecord, PaymentStatus } from './payment.record.js';

/** The fields that decide when a payment is checked again, if at all. */
type Dated = Pick<
  PaymentRecord,
  'status' | 'cancel_intent' | 'refunds' | 'charge_check_at' | 'cancel_check' | 'refund_check' | 'check_at'
>;

const UNDER_WAY: ReadonlySet<PaymentStatus> = new Set(['CREATED', 'PROCESSING', 'UNKNOWN', 'REQUIRES_AUTH']);

export function hasPendingRefund(payment: Pick<PaymentRecord, 'refunds'>): boolean {
  return payment.refunds.some(({ status }) => status === 'PENDING');
}

/** True when a failed refund has not been replaced yet. */
export function hasOwedRefund(payment: Pick<PaymentRecord, 'refunds'>): boolean {
  return payment.refunds.some(({ owed = 0 }) => owed > 0);
}

/**
 * Date of the next check of the payment; null where nothing is open. A charge, a cancellation and a refund each keep
 * their own date, so that the end of one does not affect the others.
 */
export function earliestCheck(payment: Dated): Date | null {
  const { status, cancel_intent, charge_check_at, cancel_check, refund_check } = payment;
  const dates: (Date | null | undefined)[] = [];
  if (UNDER_WAY.has(status)) dates.push(charge_check_at ?? payment.check_at);
  if (cancel_intent !== null) dates.push(cancel_check?.at ?? payment.check_at);
  if (hasPendingRefund(payment) || hasOwedRefund(payment)) dates.push(refund_check?.at ?? payment.check_at);
  return dates.reduce<Date | null>(
    (first, date) => (date && (first === null || date < first) ? date : first),
    null,
  );
}

/** The changes, with the date of the next check that follows from them. */
export function withCheck<C extends Partial<PaymentRecord>>(
  payment: PaymentRecord,
  changes: C,
): C & Pick<PaymentRecord, 'check_at'> {
  return { ...changes, check_at: earliestCheck(joinFields(payment, changes)) };
}
