import type { TaxShare } from '@commerce/kernel';

import { addedTaxes } from '../pricing/part-tax.js';
import { periodKey, type PaidPart, type BillingPeriod } from './billing-period.js';
import type { OpenPayment, PaymentKey } from './open-payment.js';

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
  readonly open_payment: OpenPayment | null;
  readonly collect_debt: CollectDebt | null;
  /** Number of payments that collected debt alone. */
  readonly debts: number;
  /** Number of payments opened for changes that take effect once paid. */
  readonly changes: number;
}

/** The receivable of a started subscription, which has periods to charge. */
export interface StartedReceivable extends Receivable {
  readonly last_prorate_date: Date | null;
  /** Index of the next period to be charged. */
  readonly next_period: number;
  readonly period: BillingPeriod | null;
  /** Ended periods whose pause was not settled before the resume. */
  readonly ended_periods: readonly BillingPeriod[];
}

/** Abandons the payment and makes its uncollected amount debt. */
export function withDebt<L extends Receivable>(receivable: L, open: OpenPayment): L {
  const added = open.amount_minor - open.debt_minor;
  const outstanding_amount_minor = receivable.outstanding_amount_minor + added;
  const owes = (period: BillingPeriod): BillingPeriod =>
    periodKey(period) === open.of ? { ...period, owed_minor: period.owed_minor + open.own_minor } : period;
  // Part of the carried amount may have been forgiven or paid meanwhile.
  const carried_amount_minor = Math.min(receivable.carried_amount_minor, receivable.outstanding_amount_minor);
  const { outstanding_amount_minor: before, debt_taxes: taxes, ...rest } = receivable;
  const debt_taxes = addedTaxes(before, taxes, open.taxes);
  const owing = { ...rest, open_payment: null, outstanding_amount_minor, carried_amount_minor };
  return eachPeriod((debt_taxes === undefined ? owing : { ...owing, debt_taxes }) as L, owes);
}

/** Carries an amount too small to be charged into the next charge. */
export function withCarried<L extends Receivable>(receivable: L, open: OpenPayment): L {
  const owing = withDebt(receivable, open);
  const added = open.amount_minor - open.debt_minor;
  return { ...owing, carried_amount_minor: owing.carried_amount_minor + added };
}

/** The part of the outstanding amount that the next charge includes. */
export function collectable(
  { outstanding_amount_minor, carried_amount_minor }: Receivable,
  all: boolean,
): number {
  return all ? outstanding_amount_minor : Math.min(outstanding_amount_minor, carried_amount_minor);
}

/** Applies a successful payment: each period is credited with its part, and with the collected debt for it. */
export function withPayment<L extends Receivable>(receivable: L, open: OpenPayment, now: Date): L {
  const { kind, slice: key, of, own_minor, debt_minor, amount_minor: collected } = open;
  // Usually the debt is the whole outstanding amount; the carried amount alone may be less.
  let left = debt_minor;
  const pays = (period: BillingPeriod): BillingPeriod => {
    const debt = Math.min(left, period.owed_minor);
    left -= debt;
    const amount_minor = (periodKey(period) === of ? own_minor : 0) + debt;
    if (amount_minor <= 0) return period;
    const part: PaidPart = { kind, slice: key, amount_minor };
    return { ...period, paid: [...period.paid, part], owed_minor: period.owed_minor - debt };
  };
  const outstanding_amount_minor = receivable.outstanding_amount_minor - debt_minor;
  const paid: L = {
    ...receivable,
    open_payment: null,
    outstanding_amount_minor,
    carried_amount_minor: debt_minor > 0 ? 0 : receivable.carried_amount_minor,
    failed_attempts: 0,
    last_billed_date: now,
    last_billed_amount_minor: collected,
    paid_before: receivable.paid_before || collected > 0,
    // Nothing is left for a new payment method to collect.
    collect_debt: outstanding_amount_minor === 0 ? null : receivable.collect_debt,
  };
  return eachPeriod(paid, pays);
}

/**
 * Applies the late success of an abandoned payment, which pays the debt that it became. `left_minor` is the part that
 * is no longer owed, or is being collected by another payment.
 */
export function withLatePayment<L extends Receivable>(
  receivable: L,
  { kind, slice: key }: PaymentKey,
  amount_minor: number,
): { receivable: L; left_minor: number } {
  const { open_payment, outstanding_amount_minor: outstanding } = receivable;
  const collecting = open_payment?.debt_minor ?? 0;
  const covered = Math.min(amount_minor, Math.max(0, outstanding - collecting));
  let left = covered;
  const pays = (period: BillingPeriod): BillingPeriod => {
    const part = Math.min(left, period.owed_minor);
    if (part <= 0) return period;
    left -= part;
    const paid: PaidPart = { kind, slice: key, amount_minor: part };
    return { ...period, paid: [...period.paid, paid], owed_minor: period.owed_minor - part };
  };
  const paid: L = {
    ...eachPeriod(receivable, pays),
    outstanding_amount_minor: outstanding - covered,
    collect_debt: outstanding === covered && open_payment === null ? null : receivable.collect_debt,
  };
  return { receivable: paid, left_minor: amount_minor - covered };
}

/** A cancelled subscription charges no setup fee and collects no debt. */
export function closed<L extends Receivable>(receivable: L): L {
  return { ...receivable, setup_due: null, collect_debt: null };
}

function eachPeriod<L extends Receivable>(
  receivable: L,
  change: (period: BillingPeriod) => BillingPeriod,
): L {
  if (!hasPeriods(receivable)) return receivable;
  const { period, ended_periods } = receivable;
  return { ...receivable, period: period && change(period), ended_periods: ended_periods.map(change) };
}

export function hasPeriods<L extends Receivable>(receivable: L): receivable is L & StartedReceivable {
  return 'ended_periods' in receivable;
}
