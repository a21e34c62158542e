import { toMajor, toMinor, withCreditPart, type AmountBreakdown, type CreditShare } from '@commerce/kernel';
import type { Id, NewValues } from '@commerce/records';

import type { PaymentKind, PaymentRecord } from '../payments/payment.record.js';

/** A payment to open, for one amount owed. */
export interface PaymentDraft {
  /** The id of the payment, where its owner chooses it; a new one otherwise. */
  readonly _id?: Id;
  readonly company: Id;
  readonly user: Id;
  readonly subscription: Id | null;
  readonly order: Id | null;
  readonly kind: PaymentKind;
  /** Unique with company, subscription, order and kind. */
  readonly period_key: string;
  readonly amount_minor: number;
  /** The part of the amount that earlier payments failed to collect; 0 by default. */
  readonly debt_minor?: number;
  readonly currency: string;
  /** The coupon that its success redeems; none by default. */
  readonly coupon?: Id | null;
  readonly period_start: Date | null;
  readonly period_end: Date | null;
  readonly payment_method: Id | null;
  readonly breakdown: AmountBreakdown<{ readonly amount: number }>;
  /** False while the customer is present to authenticate. */
  readonly off_session: boolean;
  readonly test_clock: Id | null;
}

/** The owner's computation for a payment, without the payer. */
export type WorkedOut = Pick<
  PaymentDraft,
  'amount_minor' | 'debt_minor' | 'period_start' | 'period_end' | 'breakdown'
>;

/** The values of a new payment. Its amount is the part for the card. */
export function newPayment(
  draft: PaymentDraft,
  { credit_minor, applied_minor, rest_minor }: CreditShare,
  provider: string,
): NewValues<PaymentRecord> {
  const { _id, company, user, subscription, order, kind, period_key, currency, test_clock } = draft;
  const { period_start, period_end, payment_method, breakdown, debt_minor = 0, coupon = null } = draft;
  return {
    ...(_id === undefined ? {} : { _id }),
    ...{ company, user, subscription, order, kind, period_key, currency, test_clock },
    ...{ period_start, period_end, payment_method, coupon },
    status: 'CREATED',
    amount: toMajor(rest_minor, currency),
    credit_applied: toMajor(applied_minor, currency),
    // The balance pays the oldest debt first.
    debt_amount: toMajor(Math.max(0, debt_minor - credit_minor), currency),
    breakdown: withCreditPart(breakdown, credit_minor),
    metadata: { payment_intent_id: null, payment_method_id: null },
    provider: { name: provider, intent_id: null, charge_id: null },
  };
}

/** The owner's computation of a restored payment. */
export function completed(
  payment: PaymentRecord,
  { debt_minor = 0, breakdown }: WorkedOut,
): Pick<PaymentRecord, 'debt_amount' | 'breakdown'> {
  const { currency } = payment;
  const credit_minor = toMinor(payment.credit_applied, currency);
  return {
    debt_amount: toMajor(Math.max(0, debt_minor - credit_minor), currency),
    breakdown: { ...payment.breakdown, ...withCreditPart(breakdown, credit_minor) },
  };
}
