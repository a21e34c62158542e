import { sliceKey, type PaidPart, type RunningSlice } from './running-slice.js';
import type { OpenPayment, PaymentKey } from './open-payment.js';

/** A new payment method is waiting to collect what is owed. `counts` as in OpenedPayment. */
export interface CollectDebt {
  readonly at: Date;
  readonly counts: boolean;
}

/** What a subscription and its customer owe each other, in minor units: fields of the record, under their names. */
export interface Ledger {
  readonly currency: string;
  readonly outstanding_amount_minor: number;
  /** How much of that was too little to be charged by itself: it joins the next charge in any case. */
  readonly carried_amount_minor: number;
  readonly failed_attempts: number;
  /** When and how much was last collected. */
  readonly last_billed_date: Date | null;
  readonly last_billed_amount_minor: number | null;
  /** When the setup fee falls due; null until that is known and once it has been charged. */
  readonly setup_due: Date | null;
  readonly setup_charged: boolean;
  /** False until a payment of more than 0 has succeeded or finally failed. */
  readonly paid_before: boolean;
  readonly open_payment: OpenPayment | null;
  readonly collect_debt: CollectDebt | null;
  /** How many payments collected debt alone. */
  readonly debts: number;
}

/** From the start on there are slices to charge. */
export interface SliceLedger extends Ledger {
  readonly last_prorate_date: Date | null;
  /** Index of the next slice to be charged. */
  readonly next_slice: number;
  readonly slice: RunningSlice | null;
  /** Slices that a resume left behind before their pause was settled. */
  readonly closing: readonly RunningSlice[];
}

/** The payment is abandoned, and what it was to collect becomes debt. */
export function withDebt<L extends Ledger>(ledger: L, open: OpenPayment): L {
  const added = open.amount_minor - open.debt_minor;
  const outstanding_amount_minor = ledger.outstanding_amount_minor + added;
  const owes = (slice: RunningSlice): RunningSlice =>
    sliceKey(slice) === open.of ? { ...slice, owed_minor: slice.owed_minor + open.own_minor } : slice;
  // Part of what was carried may have been forgiven or paid meanwhile.
  const carried_amount_minor = Math.min(ledger.carried_amount_minor, ledger.outstanding_amount_minor);
  const owing = { ...ledger, open_payment: null, outstanding_amount_minor, carried_amount_minor };
  return eachSlice(owing, owes);
}

/** The amount was too little to be charged: it is carried into the next charge. */
export function withCarried<L extends Ledger>(ledger: L, open: OpenPayment): L {
  const owing = withDebt(ledger, open);
  const added = open.amount_minor - open.debt_minor;
  return { ...owing, carried_amount_minor: owing.carried_amount_minor + added };
}

/** What of the outstanding amount goes into the next charge. */
export function collectable(
  { outstanding_amount_minor, carried_amount_minor }: Ledger,
  all: boolean,
): number {
  return all ? outstanding_amount_minor : Math.min(outstanding_amount_minor, carried_amount_minor);
}

/** The payment succeeded: each slice is credited with its part, and with the debt for it that was collected. */
export function withPayment<L extends Ledger>(ledger: L, open: OpenPayment, now: Date): L {
  const { kind, slice: key, of, own_minor, debt_minor, amount_minor: collected } = open;
  // As a rule the debt is all that is owed; what was carried alone may be less.
  let left = debt_minor;
  const pays = (slice: RunningSlice): RunningSlice => {
    const debt = Math.min(left, slice.owed_minor);
    left -= debt;
    const amount_minor = (sliceKey(slice) === of ? own_minor : 0) + debt;
    if (amount_minor <= 0) return slice;
    const part: PaidPart = { kind, slice: key, amount_minor };
    return { ...slice, paid: [...slice.paid, part], owed_minor: slice.owed_minor - debt };
  };
  const outstanding_amount_minor = ledger.outstanding_amount_minor - debt_minor;
  const paid: L = {
    ...ledger,
    open_payment: null,
    outstanding_amount_minor,
    carried_amount_minor: debt_minor > 0 ? 0 : ledger.carried_amount_minor,
    failed_attempts: 0,
    last_billed_date: now,
    last_billed_amount_minor: collected,
    paid_before: ledger.paid_before || collected > 0,
    // Nothing is left for a new payment method to collect.
    collect_debt: outstanding_amount_minor === 0 ? null : ledger.collect_debt,
  };
  return eachSlice(paid, pays);
}

/**
 * An abandoned payment succeeded after all. What it was for has become debt meanwhile, which it pays now;
 * `left_minor` is what is no longer owed, or is just being collected by another payment.
 */
export function withLatePayment<L extends Ledger>(
  ledger: L,
  { kind, slice: key }: PaymentKey,
  amount_minor: number,
): { ledger: L; left_minor: number } {
  const { open_payment, outstanding_amount_minor: outstanding } = ledger;
  const collecting = open_payment?.debt_minor ?? 0;
  const covered = Math.min(amount_minor, Math.max(0, outstanding - collecting));
  let left = covered;
  const pays = (slice: RunningSlice): RunningSlice => {
    const part = Math.min(left, slice.owed_minor);
    if (part <= 0) return slice;
    left -= part;
    const paid: PaidPart = { kind, slice: key, amount_minor: part };
    return { ...slice, paid: [...slice.paid, paid], owed_minor: slice.owed_minor - part };
  };
  const paid: L = {
    ...eachSlice(ledger, pays),
    outstanding_amount_minor: outstanding - covered,
    collect_debt: outstanding === covered && open_payment === null ? null : ledger.collect_debt,
  };
  return { ledger: paid, left_minor: amount_minor - covered };
}

/** A cancelled subscription charges no setup fee and collects no debt. */
export function closed<L extends Ledger>(ledger: L): L {
  return { ...ledger, setup_due: null, collect_debt: null };
}

function eachSlice<L extends Ledger>(ledger: L, change: (slice: RunningSlice) => RunningSlice): L {
  if (!hasSlices(ledger)) return ledger;
  const { slice, closing } = ledger;
  return { ...ledger, slice: slice && change(slice), closing: closing.map(change) };
}

function hasSlices<L extends Ledger>(ledger: L): ledger is L & SliceLedger {
  return 'closing' in ledger;
}
