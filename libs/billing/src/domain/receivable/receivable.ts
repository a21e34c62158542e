import type { TaxShare } from '@commerce/kernel';

import { addedTaxes } from '../pricing/part-tax.js';
import { periodKey, type BillingPeriod } from '../lines/billing-period.js';
import { collect, isSound, pay, type Books } from '../lines/books.js';
import type { PaymentKey } from '../lines/payment-key.js';
import { newDebtMinor, type AwaitedCredit, type OpenPayment } from './open-payment.js';
import { chargesOf, openNamed, withOpen, withoutOpen, type OpenPayments } from './open-payments.js';

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

/** The receivable of a started subscription, which has periods to charge. */
export interface StartedReceivable extends Receivable {
  readonly last_prorate_date: Date | null;
  /** Index of the next period to begin. */
  readonly next_period: number;
  /** The periods that have begun and may still be settled, the oldest first; the last one is kept. */
  readonly periods: readonly BillingPeriod[];
}

/** Abandons the payment: what it has not collected is debt. */
export function withDebt<L extends Receivable>(receivable: L, open: OpenPayment): L {
  const added = newDebtMinor(open);
  const outstanding_amount_minor = receivable.outstanding_amount_minor + added;
  // Part of the carried amount may have been forgiven or paid meanwhile.
  const carried_amount_minor = Math.min(receivable.carried_amount_minor, outstanding_amount_minor);
  const { outstanding_amount_minor: before, debt_taxes: taxes, ...rest } = receivable;
  const debt_taxes = addedTaxes(before, taxes, open.taxes);
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
function beingCollected({ open_payments }: Receivable): number {
  return open_payments.reduce((sum, { debt_minor }) => sum + debt_minor, 0);
}

/** A receivable after a payment, and the part of the payment that is not owed any more. */
interface Collected<L extends Receivable> {
  readonly receivable: L;
  readonly left_minor: number;
}

/** Applies a successful payment: each period has what it was asked for, and what was collected of its debt. */
export function withPayment<L extends Receivable>(receivable: L, open: OpenPayment, now: Date): Collected<L> {
  const { kind, period_key, own, amount_minor: collected } = open;
  // Debt may have been written off since the payment was opened.
  const debt_minor = Math.min(open.debt_minor, receivable.outstanding_amount_minor);
  const outstanding_amount_minor = receivable.outstanding_amount_minor - debt_minor;
  const paid: L = {
    ...receivable,
    open_payments: withoutOpen(receivable.open_payments, open),
    outstanding_amount_minor,
    carried_amount_minor: debt_minor > 0 ? 0 : receivable.carried_amount_minor,
    failed_attempts: 0,
    last_billed_date: now,
    last_billed_amount_minor: collected,
    paid_before: receivable.paid_before || collected > 0,
    // Nothing is left for a new payment method to collect.
    collect_debt: outstanding_amount_minor === 0 ? null : receivable.collect_debt,
  };
  const shared = eachPeriod(paid, (period) => {
    const share = own.find(({ of }) => of === periodKey(period));
    return share === undefined
      ? period
      : withBooks(period, pay(period.books, { kind, period_key }, share.amount_minor).books);
  });
  const after = withCollected(shared, { kind, period_key }, debt_minor);
  return { receivable: after, left_minor: open.debt_minor - debt_minor };
}

/** Debt that a payment has collected moves to it from the payments that had asked for it, the oldest first. */
function withCollected<L extends Receivable>(receivable: L, payment: PaymentKey, debt_minor: number): L {
  let left = debt_minor;
  return eachPeriod(receivable, (period) => {
    if (left === 0) return period;
    const { books, left_minor } = collect(period.books, payment, left, receivable.open_payments);
    left = left_minor;
    return withBooks(period, books);
  });
}

/**
 * Applies the late success of an abandoned payment, which pays the debt that it became. `left_minor` is the part that
 * is no longer owed, or is being collected by another payment.
 */
export function withLatePayment<L extends Receivable>(
  receivable: L,
  { kind, period_key }: PaymentKey,
  amount_minor: number,
): Collected<L> {
  const { outstanding_amount_minor: outstanding } = receivable;
  const open = chargesOf(receivable.open_payments);
  const covered = Math.min(amount_minor, Math.max(0, outstanding - beingCollected(receivable)));
  let left = covered;
  const own = eachPeriod(receivable, (period) => {
    const { books, left_minor } = pay(period.books, { kind, period_key }, left);
    left = left_minor;
    return withBooks(period, books);
  });
  const paid: L = {
    ...withCollected(own, { kind, period_key }, left),
    outstanding_amount_minor: outstanding - covered,
    collect_debt: outstanding === covered && open.length === 0 ? null : receivable.collect_debt,
  };
  return { receivable: paid, left_minor: amount_minor - covered };
}

/**
 * Refuses a state that no billing may lead to.
 * @throws RangeError where less than nothing is owed, or a book holds less than nothing
 */
export function requireSound(receivable: Receivable): void {
  if (receivable.outstanding_amount_minor < 0) throw new RangeError('Less than nothing would be owed');
  if (!hasPeriods(receivable) || receivable.periods.every(({ books }) => isSound(books))) return;
  throw new RangeError('The books of a period would hold less than nothing');
}

/** The newest period that has begun; null before the first. */
export function newestPeriod(receivable: Receivable): BillingPeriod | null {
  return hasPeriods(receivable) ? (receivable.periods.at(-1) ?? null) : null;
}

/** The payments that hold money for periods, from which a credit may be taken. */
export function paymentsInBooks(receivable: Receivable): readonly PaymentKey[] {
  if (!hasPeriods(receivable)) return [];
  const entries = receivable.periods.flatMap(({ books }) => books);
  return entries.filter(({ paid, credited }) => paid > credited).map(({ payment }) => payment);
}

/** A cancelled subscription charges no setup fee and collects no debt. */
export function closed<L extends Receivable>(receivable: L): L {
  return { ...receivable, setup_due: null, collect_debt: null };
}

function eachPeriod<L extends Receivable>(
  receivable: L,
  change: (period: BillingPeriod) => BillingPeriod,
): L {
  return hasPeriods(receivable) ? { ...receivable, periods: receivable.periods.map(change) } : receivable;
}

function withBooks(period: BillingPeriod, books: Books): BillingPeriod {
  return { ...period, books };
}

export function hasPeriods<L extends Receivable>(receivable: L): receivable is L & StartedReceivable {
  return 'periods' in receivable;
}
