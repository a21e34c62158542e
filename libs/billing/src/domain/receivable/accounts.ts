import { periodKey, type BillingPeriod } from '../lines/billing-period.js';
import { collect, isSound, pay, type Booked } from '../lines/books.js';
import { eachLine, type Lines } from '../lines/line.js';
import type { PaymentKey } from '../lines/payment-key.js';
import type { OpenPayment } from './open-payment.js';
import { chargesOf, withoutOpen } from './open-payments.js';
import { beingCollected, type Receivable } from './receivable.js';

/** What a subscription owes as a whole, and the books of its periods, which it has once it has started. */
export interface Accounts {
  readonly receivable: Receivable;
  readonly lines?: Lines;
}

/** The accounts after a payment, and the part of the payment that is not owed any more. */
interface Collected<A extends Accounts> {
  readonly state: A;
  readonly left_minor: number;
}

/** Applies a successful payment: each period has what it was asked for, and what was collected of its debt. */
export function withPayment<A extends Accounts>(before: A, open: OpenPayment, now: Date): Collected<A> {
  const { own, amount_minor: collected } = open;
  const { receivable } = before;
  // Debt may have been written off since the payment was opened.
  const debt_minor = Math.min(open.debt_minor, receivable.outstanding_amount_minor);
  const outstanding_amount_minor = receivable.outstanding_amount_minor - debt_minor;
  const paid: Receivable = {
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
  const shared = eachPeriod({ ...before, receivable: paid }, (period) => {
    const share = own.find(({ of }) => of === periodKey(period));
    return share === undefined
      ? period
      : { ...period, books: pay(period.books, keyOf(open), share.amount_minor).books };
  });
  return { state: withCollected(shared, keyOf(open), debt_minor), left_minor: open.debt_minor - debt_minor };
}

/**
 * Applies the late success of an abandoned payment, which pays the debt that it became. `left_minor` is the part that
 * is no longer owed, or is being collected by another payment.
 */
export function withLatePayment<A extends Accounts>(
  before: A,
  payment: PaymentKey,
  amount_minor: number,
): Collected<A> {
  const { outstanding_amount_minor: outstanding, open_payments, collect_debt } = before.receivable;
  const covered = Math.min(amount_minor, Math.max(0, outstanding - beingCollected(before.receivable)));
  const receivable = {
    ...before.receivable,
    outstanding_amount_minor: outstanding - covered,
    collect_debt: outstanding === covered && chargesOf(open_payments).length === 0 ? null : collect_debt,
  };
  const own = inEachPeriod({ ...before, receivable }, covered, ({ books }, left) =>
    pay(books, payment, left),
  );
  return { state: withCollected(own.state, payment, own.left_minor), left_minor: amount_minor - covered };
}

/** Debt that a payment has collected moves to it from the payments that had asked for it, the oldest first. */
function withCollected<A extends Accounts>(before: A, payment: PaymentKey, debt_minor: number): A {
  const { open_payments } = before.receivable;
  return inEachPeriod(before, debt_minor, ({ books }, left) => collect(books, payment, left, open_payments))
    .state;
}

/** Books an amount in one period after the other, the oldest first, as far as each takes it. */
function inEachPeriod<A extends Accounts>(
  before: A,
  minor: number,
  book: (period: BillingPeriod, left_minor: number) => Booked,
): Collected<A> {
  let left = minor;
  const state = eachPeriod(before, (period) => {
    if (left === 0) return period;
    const { books, left_minor } = book(period, left);
    left = left_minor;
    return { ...period, books };
  });
  return { state, left_minor: left };
}

/**
 * Refuses a state that no billing may lead to.
 * @throws RangeError where less than nothing is owed, or a book holds less than nothing
 */
export function requireSound(accounts: Accounts): void {
  if (accounts.receivable.outstanding_amount_minor < 0)
    throw new RangeError('Less than nothing would be owed');
  if (periodsOf(accounts).every(({ books }) => isSound(books))) return;
  throw new RangeError('The books of a period would hold less than nothing');
}

/** The newest period of the plan that has begun; null before the first. */
export function newestPeriod({ lines }: Accounts): BillingPeriod | null {
  return lines?.[0].periods.at(-1) ?? null;
}

/** The payments that hold money for periods, from which a credit may be taken. */
export function paymentsInBooks(accounts: Accounts): readonly PaymentKey[] {
  const entries = periodsOf(accounts).flatMap(({ books }) => books);
  return entries.filter(({ paid, credited }) => paid > credited).map(({ payment }) => payment);
}

/** The periods of all lines that may still be settled. */
export function periodsOf({ lines }: Accounts): readonly BillingPeriod[] {
  return (lines ?? []).flatMap(({ periods }) => periods);
}

export function eachPeriod<A extends Accounts>(
  accounts: A,
  change: (period: BillingPeriod) => BillingPeriod,
): A {
  if (accounts.lines === undefined) return accounts;
  const lines = eachLine(accounts.lines, (line) => ({ ...line, periods: line.periods.map(change) }));
  return { ...accounts, lines };
}

function keyOf({ kind, period_key }: PaymentKey): PaymentKey {
  return { kind, period_key };
}
