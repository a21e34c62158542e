import { bookedMinor, type Books } from './books.js';
import { cost, totalMinor, type CostBasis, type CostPart, type HeldPeriod } from './cost.js';

/** A period with what held in it and its books. */
export interface BilledPeriod<T> extends HeldPeriod<T> {
  readonly books: Books;
}

/** What a period costs by now, what its books hold, and what is left: above 0 a charge, below 0 a credit. */
export interface Difference<T> {
  readonly parts: readonly CostPart<T>[];
  readonly booked_minor: number;
  readonly amount_minor: number;
}

/** The bill of a period: its cost less what its books hold. */
export function difference<T>(period: BilledPeriod<T>, basis: CostBasis<T>): Difference<T> {
  const parts = cost(period, basis);
  const booked_minor = bookedMinor(period.books);
  return { parts, booked_minor, amount_minor: totalMinor(parts) - booked_minor };
}
