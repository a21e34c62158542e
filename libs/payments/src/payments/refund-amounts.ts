import { toMajor, toMinor } from '@commerce/kernel';

import { grossMinor } from './payment-credit.rules.js';
import type { PaymentRefund } from './payment-refund.js';
import type { PaymentRecord, PaymentStatus } from './payment.record.js';

/** Money that a bank withholds until a dispute is decided cannot be refunded as well. */
export const REFUNDABLE: ReadonlySet<PaymentStatus> = new Set([
  'SUCCEEDED',
  'PARTIALLY_REFUNDED',
  'REFUNDED',
]);

/** The refundable amount, in minor units: the paid amount, less refunds that are done or pending. */
export function refundableMinor(payment: PaymentRecord): number {
  return REFUNDABLE.has(payment.status) ? paidMinor(payment) : 0;
}

/** The amount that card and balance paid and no refund gives back, in minor units. */
function paidMinor(payment: PaymentRecord): number {
  return grossMinor(payment) - sumMinor(payment, ['PENDING', 'SUCCEEDED']);
}

/** The part of it that the card paid. */
export function paidByCardMinor(payment: PaymentRecord): number {
  const refunds = payment.refunds.filter(({ to }) => to !== 'balance');
  const left =
    toMinor(payment.amount, payment.currency) - sumMinor({ ...payment, refunds }, ['PENDING', 'SUCCEEDED']);
  return Math.min(left, paidMinor(payment));
}

/** The fields that follow from the refunds of a payment. */
export function totalsOfRefunds(
  payment: PaymentRecord,
  refunds: PaymentRefund[],
): Pick<PaymentRecord, 'refunded_amount' | 'owed_amount' | 'status'> {
  const after = { ...payment, refunds };
  return {
    refunded_amount: toMajor(sumMinor(after, ['SUCCEEDED']), payment.currency),
    owed_amount: owedAmount(after),
    status: payment.status === 'DISPUTED' ? payment.status : statusByRefunds(after),
  };
}

/** The amount still owed by failed refunds, in minor units. */
export function owedMinor({ refunds, currency }: Pick<PaymentRecord, 'refunds' | 'currency'>): number {
  return refunds.reduce((sum, { owed = 0 }) => sum + toMinor(owed, currency), 0);
}

export function owedAmount(payment: Pick<PaymentRecord, 'refunds' | 'currency'>): number {
  return toMajor(owedMinor(payment), payment.currency);
}

/** The status of a collected payment that is not disputed. */
export function statusByRefunds(
  payment: Pick<PaymentRecord, 'refunds' | 'amount' | 'credit_applied' | 'currency'>,
): PaymentStatus {
  const given = sumMinor(payment, ['SUCCEEDED']);
  if (given === 0) return 'SUCCEEDED';
  return given >= grossMinor(payment) ? 'REFUNDED' : 'PARTIALLY_REFUNDED';
}

export function sumMinor(
  payment: { readonly refunds: readonly PaymentRefund[]; readonly currency: string },
  statuses: readonly PaymentRefund['status'][],
): number {
  return payment.refunds
    .filter(({ status }) => statuses.includes(status))
    .reduce((sum, { amount }) => sum + toMinor(amount, payment.currency), 0);
}
