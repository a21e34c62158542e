import type { PaymentKey } from './payment-key.js';
import { bookedMinor, owedBy, type Books, type Entry } from './books.js';

/** The money of a payment, in minor units: what it can give back now, and what a dispute holds. */
export interface Holding {
  readonly free: number;
  readonly disputed: number;
}

/** The money that each payment holds. */
export type HoldingOf = (payment: PaymentKey) => Holding;

/** Taken from a payment: given back now, and owed until its dispute ends. */
export interface Taken {
  readonly payment: PaymentKey;
  readonly given_minor: number;
  readonly owed_minor: number;
}

/** Written off of what a payment asks for. */
export interface Forgiven {
  readonly payment: PaymentKey;
  readonly minor: number;
}

/** The outcome of a credit. */
export interface Credited {
  readonly books: Books;
  /** What payments ask for and have not collected: written off. The newest payment first. */
  readonly forgiven: readonly Forgiven[];
  /** The newest payment first. */
  readonly taken: readonly Taken[];
  /** What a person gave back before, or was paid elsewhere: it leaves the books without a refund. */
  readonly unbacked_minor: number;
}

/**
 * Credits a period. What is owed for it is written off first, the newest first; then each payment gives back what it paid
 * for the period and still holds, the newest first.
 * @throws RangeError for more than the books hold
 */
export function credit(books: Books, minor: number, holdingOf: HoldingOf): Credited {
  if (minor < 0 || minor > bookedMinor(books)) throw new RangeError(`No book holds a credit of ${minor}`);
  const forgiven: Forgiven[] = [];
  const debt = takeNewest(books, minor, owedBy, (entry, part) => {
    forgiven.push({ payment: entry.payment, minor: part });
    return { ...entry, forgiven: entry.forgiven + part };
  });
  const taken: Taken[] = [];
  const backed = takeNewest(
    debt.books,
    debt.left_minor,
    (entry) => Math.min(held(entry), totalOf(holdingOf(entry.payment))),
    (entry, part) => {
      const given_minor = Math.min(part, holdingOf(entry.payment).free);
      taken.push({ payment: entry.payment, given_minor, owed_minor: part - given_minor });
      return creditedBy(entry, part);
    },
  );
  const rest = takeNewest(backed.books, backed.left_minor, held, creditedBy);
  return {
    books: rest.books,
    forgiven,
    taken,
    unbacked_minor: backed.left_minor - rest.left_minor,
  };
}

/** Takes an amount from the entries, the newest first, each up to its limit. */
function takeNewest(
  books: Books,
  minor: number,
  limitOf: (entry: Entry) => number,
  take: (entry: Entry, part: number) => Entry,
): { readonly books: Books; readonly left_minor: number } {
  let left = minor;
  const after = books.toReversed().map((entry) => {
    const part = Math.max(0, Math.min(left, limitOf(entry)));
    left -= part;
    return part === 0 ? entry : take(entry, part);
  });
  return { books: after.toReversed(), left_minor: left };
}

function held({ paid, credited }: Entry): number {
  return paid - credited;
}

function creditedBy(entry: Entry, part: number): Entry {
  return { ...entry, credited: entry.credited + part };
}

function totalOf({ free, disputed }: Holding): number {
  return free + disputed;
}
