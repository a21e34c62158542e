/** A payment, by its place among those of the subscription. */
export interface Payment {
  readonly number: number;
  readonly at: number;
  /** What is asked of the card. */
  readonly amount: number;
  /** Collected and not given back. */
  holds: number;
  isDisputed: boolean;
}

/** What a payment asks for a period, what it has paid of that, and what was taken off again. */
export interface Entry {
  readonly payment: Payment;
  asked: number;
  paid: number;
  credited: number;
  forgiven: number;
}

export type Books = Entry[];

export interface Taken {
  readonly payment: Payment;
  readonly amount: number;
  /** A dispute holds it: it is owed until that ends. */
  readonly isOwed: boolean;
}

export function booked(books: Books): number {
  return books.reduce((sum, one) => sum + one.asked - one.credited - one.forgiven, 0);
}

export function owed(books: Books): number {
  return books.reduce((sum, one) => sum + owedBy(one), 0);
}

export function owedBy({ asked, paid, forgiven }: Entry): number {
  return asked - paid - forgiven;
}

/**
 * Takes an amount off the books: the debt first, then what payments hold, the newest first. What nobody holds any more
 * is not given back again.
 */
export function credit(books: Books, amount: number): Taken[] {
  const newest = books.toReversed();
  let rest = amount;
  for (const entry of newest) {
    const forgiven = Math.min(owedBy(entry), rest);
    entry.forgiven += forgiven;
    rest -= forgiven;
  }
  const taken: Taken[] = [];
  for (const entry of newest) {
    const { payment } = entry;
    const before = taken.reduce((sum, one) => sum + (one.payment === payment ? one.amount : 0), 0);
    const part = Math.min(entry.paid - entry.credited, payment.holds - before, rest);
    entry.credited += part;
    rest -= part;
    if (part > 0) taken.push({ payment, amount: part, isOwed: payment.isDisputed });
  }
  for (const entry of newest) {
    const lost = Math.min(entry.paid - entry.credited, rest);
    entry.credited += lost;
    rest -= lost;
  }
  if (rest > 0) throw new Error('a book is below 0');
  return taken;
}
