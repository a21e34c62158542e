import { isSound } from '../domain/lines/books.js';
import type { SubscriptionRecord } from './subscription.record.js';

/** What is wrong with the money that a record states: less than nothing; null for nothing. */
export function booksProblem({
  outstanding_amount,
  periods,
}: Pick<SubscriptionRecord, 'outstanding_amount' | 'periods'>): string | null {
  if (outstanding_amount < 0) return 'outstanding_amount is below 0';
  return periods.every(({ books }) => isSound(books)) ? null : 'the books of a period hold less than nothing';
}
