import type { TaxShare } from '@commerce/kernel';

import { addedTaxes } from '../pricing/part-tax.js';
import type { PaymentKey } from '../lines/payment-key.js';
import { newDebtMinor, type AwaitedCredit, type OpenPayment } from './open-payment.js';
import { openNamed, withOpen, withoutOpen, type OpenPayments } from './open-payments.js';

/** A new payment method that waits to collect the debt. `counts` as in OpenedPayment. */
export interface CollectDebt {
  readonly at: Date;
  readonly counts: boolean;
}

/** The balance between a subscription and its customer, in minor units: fields of the record, under their names. */
export interface Receivable {
  readonly currency: string;
  readonly outstanding_amount_minor: number;
  /** The rates that divide the outstanding amount; absent where the tax of a part of it was not decided. */
  readonly debt_taxes?: readonly TaxShare[];
  /** The part of outstanding_amount that was too small to be charged by itself: it always joins the next charge. */
  readonly carried_amount_minor: number;
  readonly failed_attempts: number;
  /** Date and amount of the last collection. */
  readonly last_billed_date: Date | null;
  readonly last_billed_amount_minor: number | null;
  /** Due date of the setup fee; null until it is known and once the fee has been charged. */
  readonly setup_due: Date | null;
  readonly setup_charged: boolean;
  /** False until a payment of more than 0 has succeeded or finally failed. */
  readonly paid_before: boolean;
  readonly open_payments: OpenPayments;
  readonly collect_debt: CollectDebt | null;
  /** Number of payments that collected debt alone. */
  readonly debts: number;
  /** Number of payments opened for quotes. */
  readonly quotes: number;
}

/** Abandons the payment: what it has not collected is debt. */
export function withDebt<L extends Receivable>(receivable: L, open: OpenPayment): L {
  const added = newDebtMinor(open);
  const outstanding_amount_minor = receivable.outstanding_amount_minor + added;
  // Part of the carried amount may have been forgiven or paid meanwhile.
  const carried_amount_minor = Math.min(receivable.carried_amount_minor, outstanding_amount_minor);
  const { outstanding_amount_minor: before, debt_taxes: taxes, ...rest } = receivable;
  // A payment of debt alone adds none, and knows no other rates.
  const debt_taxes = added === 0 ? taxes : addedTaxes(before, taxes, open.taxes);
  const open_payments = withoutOpen(rest.open_payments, open);
  const owing = { ...rest, open_payments, outstanding_amount_minor, carried_amount_minor };
  return (debt_taxes === undefined ? owing : { ...owing, debt_taxes }) as L;
}

/** Carries an amount too small to be charged into the next charge. */
export function withCarried<L extends Receivable>(receivable: L, open: OpenPayment): L {
  const owing = withDebt(receivable, open);
  return { ...owing, carried_amount_minor: owing.carried_amount_minor + newDebtMinor(open) };
}

/** Notes a credit against an open payment. */
export function withAwaitedCredit<L extends Receivable>(
  receivable: L,
  { payment, ...credit }: AwaitedCredit & { readonly payment: PaymentKey },
): L {
  const open = openNamed(receivable.open_payments, payment);
  if (open === null) throw new RangeError('A credit names a payment that is not open');
  const credits = [...(open.credits ?? []), credit];
  return { ...receivable, open_payments: withOpen(receivable.open_payments, { ...open, credits }) };
}

/** The part of the outstanding amount that the next charge includes: none of what a payment collects already. */
export function collectable(receivable: Receivable, all: boolean): number {
  const free = receivable.outstanding_amount_minor - beingCollected(receivable);
  return Math.max(0, all ? free : Math.min(free, receivable.carried_amount_minor));
}

/** The part of the outstanding amount that open payments include. */
export function beingCollected({ open_payments }: Receivable): number {
  return open_payments.reduce((sum, { debt_minor }) => sum + debt_minor, 0);
}

/** A cancelled subscription charges no setup fee and collects no debt. */
export function closed<L extends Receivable>(receivable: L): L {
  return { ...receivable, setup_due: null, collect_debt: null };
}
