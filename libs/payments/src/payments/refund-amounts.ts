import { toMajor, toMinor } from '@commerce/kernel';

import { grossMinor } from './payment-credit.rules.js';
import type { PaymentRefund } from './payment-refund.js';
import type { PaymentRecord, PaymentStatus } from './payment.record.js';

/** Money that a bank withholds until a dispute is decided cannot be refunded as well. */
const REFUNDABLE: ReadonlySet<PaymentStatus> = new Set(['SUCCEEDED', 'PARTIALLY_REFUNDED', 'REFUNDED']);

/** True when refunds can be made: the money is there, or the bank has decided the dispute and only the rest is left. */
export function isRefundable({ status, dispute_lost }: PaymentRecord): boolean {
  return REFUNDABLE.has(status) || dispute_lost;
}

/** The refundable amount, in minor units: what the payment holds, unless a dispute prevents that it is given back. */
export function refundableMinor(payment: PaymentRecord): number {
  return isRefundable(payment) ? heldMinor(payment) : 0;
}

/** The amount, in minor units, that no refund gives back, is giving back, or still owes; also while it is disputed. */
export function heldMinor(payment: PaymentRecord): number {
  if (!isRefundable(payment) && payment.status !== 'DISPUTED') return 0;
  return Math.max(0, paidMinor(payment) - owedMinor(payment));
}

/** The amount that card and balance paid and neither refunds nor the bank have given back, in minor units. */
export function paidMinor(payment: PaymentRecord): number {
  return unrefundedMinor(payment) - (payment.dispute_lost ? unrefundedToCardMinor(payment) : 0);
}

/** The part of it that the card paid. */
export function paidByCardMinor(payment: PaymentRecord): number {
  return payment.dispute_lost ? 0 : unrefundedToCardMinor(payment);
}

function unrefundedMinor(payment: PaymentRecord): number {
  return grossMinor(payment) - sumMinor(payment, ['PENDING', 'SUCCEEDED']);
}

function unrefundedToCardMinor(payment: PaymentRecord): number {
  const refunds = payment.refunds.filter(({ to }) => to !== 'balance');
  const left =
    toMinor(payment.amount, payment.currency) - sumMinor({ ...payment, refunds }, ['PENDING', 'SUCCEEDED']);
  return Math.min(left, unrefundedMinor(payment));
}

/** The refunds with the owed amount of one of them reduced. */
export function lessOwed(
  { refunds, currency }: Pick<PaymentRecord, 'refunds' | 'currency'>,
  key: string,
  amount_minor: number,
): PaymentRefund[] {
  return refunds.map((row) => {
    const left = toMinor(row.owed ?? 0, currency) - amount_minor;
    return row.key === key ? { ...row, owed: toMajor(Math.max(0, left), currency) } : row;
  });
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

/** The amount still owed by failed refunds, or by one of them, in minor units. */
export function owedMinor(
  { refunds, currency }: Pick<PaymentRecord, 'refunds' | 'currency'>,
  only?: string,
): number {
  return refunds
    .filter(({ key }) => only === undefined || key === only)
    .reduce((sum, { owed = 0 }) => sum + toMinor(owed, currency), 0);
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
