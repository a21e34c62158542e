import { paymentName, type PaymentKey } from './payment-key.js';

/**
 * A payment in the books of a period, in minor units: asked of the customer for the period, paid, credited of what was
 * paid, and forgiven of what was not. `credited ≤ paid` and `paid + forgiven ≤ asked`.
 */
export interface Entry {
  readonly payment: PaymentKey;
  readonly asked: number;
  readonly paid: number;
  readonly credited: number;
  readonly forgiven: number;
}

/** The entries of a period, the oldest first. */
export type Books = readonly Entry[];

/** The books after some money, and the part of it that they do not take. */
export interface Booked {
  readonly books: Books;
  readonly left_minor: number;
}

/** What the period has been charged by now. */
export function bookedMinor(books: Books): number {
  return sum(books, ({ asked, credited, forgiven }) => asked - credited - forgiven);
}

/** What is still to be collected, by payments that are open as well as failed ones. */
export function owedMinor(books: Books): number {
  return sum(books, owedBy);
}

/** What was paid for the period and not credited. */
export function heldMinor(books: Books): number {
  return sum(books, ({ paid, credited }) => paid - credited);
}

export function owedBy({ asked, paid, forgiven }: Entry): number {
  return asked - paid - forgiven;
}

/** Whether no entry holds less than nothing: `credited ≤ paid` and `paid + forgiven ≤ asked`. */
export function isSound(books: Books): boolean {
  return books.every(
    ({ paid, credited, forgiven, ...entry }) =>
      Math.min(credited, forgiven) >= 0 &&
      credited <= paid &&
      owedBy({ ...entry, paid, credited, forgiven }) >= 0,
  );
}

/** The entry of a payment; one of nothing where it has none. */
export function entryOf(books: Books, payment: PaymentKey): Entry {
  const found = books.find((entry) => isOf(entry, payment));
  return found ?? { payment, asked: 0, paid: 0, credited: 0, forgiven: 0 };
}

/** The books with this entry in the place of that of its payment, or at the end. */
export function withEntry(books: Books, entry: Entry): Books {
  const isKnown = books.some((one) => isOf(one, entry.payment));
  return isKnown ? books.map((one) => (isOf(one, entry.payment) ? entry : one)) : [...books, entry];
}

/** A payment asks for an amount. */
export function ask(books: Books, payment: PaymentKey, minor: number): Books {
  if (minor <= 0) return books;
  const entry = entryOf(books, payment);
  return withEntry(books, { ...entry, asked: entry.asked + minor });
}

/** A payment has succeeded, late or in time: it pays what it asked for and was not forgiven or collected otherwise. */
export function pay(books: Books, payment: PaymentKey, minor: number): Booked {
  const entry = entryOf(books, payment);
  const paid = Math.min(minor, owedBy(entry));
  if (paid <= 0) return { books, left_minor: minor };
  return { books: withEntry(books, { ...entry, paid: entry.paid + paid }), left_minor: minor - paid };
}

/**
 * A payment has collected debt: what others asked for becomes what it asked for and has paid, the oldest first. What
 * those of `open` are still to collect is no debt.
 */
export function collect(
  books: Books,
  payment: PaymentKey,
  minor: number,
  open: readonly PaymentKey[] = [],
): Booked {
  let left = minor;
  const kept = books.map((entry) => {
    if ([payment, ...open].some((one) => isOf(entry, one))) return entry;
    const taken = Math.min(left, owedBy(entry));
    left -= taken;
    return taken === 0 ? entry : { ...entry, asked: entry.asked - taken };
  });
  return { books: received(kept, payment, minor - left), left_minor: left };
}

/** Money that a payment has paid already, for another period, pays for this one. */
export function received(books: Books, payment: PaymentKey, minor: number): Books {
  if (minor <= 0) return books.filter(isEntry);
  const entry = entryOf(books, payment);
  const more = { ...entry, asked: entry.asked + minor, paid: entry.paid + minor };
  return withEntry(books, more).filter(isEntry);
}

/** Whether anything was asked: an entry of which everything was collected otherwise is none. */
function isEntry({ asked }: Entry): boolean {
  return asked > 0;
}

function isOf(entry: Entry, payment: PaymentKey): boolean {
  return paymentName(entry.payment) === paymentName(payment);
}

function sum(books: Books, amountOf: (entry: Entry) => number): number {
  return books.reduce((total, entry) => total + amountOf(entry), 0);
}
