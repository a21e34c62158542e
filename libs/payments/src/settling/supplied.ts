import type { Supply, TaxBehavior } from '@commerce/kernel';

import type { PaymentRecord } from '../payments/payment.record.js';

/** The kinds of records that payments are for; each has at most one owner. */
export type OwnerKind = 'subscription' | 'order';

/** The fields of a payment that say what was supplied for it. */
export const SUPPLIED_FIELDS = [
  'subscription',
  'order',
  'amount',
  'credit_applied',
  'currency',
  'period_start',
  'period_end',
  'breakdown',
  'created',
] as const satisfies readonly (keyof PaymentRecord)[];
export type SuppliedPayment = Pick<PaymentRecord, '_id' | (typeof SUPPLIED_FIELDS)[number]>;

/** The goods or services for which a payment was made, as its owner knows them. */
export interface Supplied {
  readonly subject: { readonly kind: OwnerKind; readonly id: string; readonly human_id: string } | null;
  /** Whether the amounts of the supplies include tax. Together, and with the tax, they are the amount paid. */
  readonly prices: TaxBehavior;
  /** The time zone in which the periods of the supplies begin and end; null for that of the company. */
  readonly timezone: string | null;
  readonly supplies: readonly Supply[];
}

/**
 * Gives the supplies of one payment, of those for which it was read.
 * @throws Fault or RangeError where the breakdown cannot be computed
 */
export type SuppliedOf = (payment: SuppliedPayment) => Supplied;
