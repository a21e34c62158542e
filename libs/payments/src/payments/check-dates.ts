import type { PaymentRecord, PaymentStatus } from './payment.record.js';

/** What decides whether, and when, a payment is looked at again. */
type Dated = Pick<
  PaymentRecord,
  'status' | 'cancel_intent' | 'refunds' | 'charge_check_at' | 'cancel_check' | 'refund_check' | 'check_at'
>;

const UNDER_WAY: ReadonlySet<PaymentStatus> = new Set(['CREATED', 'PROCESSING', 'UNKNOWN', 'REQUIRES_AUTH']);

export function hasPendingRefund(payment: Pick<PaymentRecord, 'refunds'>): boolean {
  return payment.refunds.some(({ status }) => status === 'PENDING');
}

/** A refund failed, and nothing has taken its place yet. */
export function hasOwedRefund(payment: Pick<PaymentRecord, 'refunds'>): boolean {
  return payment.refunds.some(({ owed = 0 }) => owed > 0);
}

/**
 * When the payment is looked at next: a charge, a cancellation and a refund that are open at the same time keep a date
 * each, and the end of one of them takes nothing from the others. Null where nothing is open.
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

/** The changes, with the date of the next look at the payment as they leave it. */
export function withCheck<C extends Partial<PaymentRecord>>(
  payment: PaymentRecord,
  changes: C,
): C & Pick<PaymentRecord, 'check_at'> {
  return { ...changes, check_at: earliestCheck({ ...payment, ...changes }) };
}
