import { MAX_INTERVAL_COUNT } from '@commerce/billing';
import { isFault, isMinor, toMajor } from '@commerce/kernel';
import { fromStripeAmount } from '@commerce/payments';

/** The units that an imported plan may have. */
export type Unit = 'DAY' | 'WEEK' | 'MONTH' | 'ANNUAL';

/** So many units of time. */
export interface Interval {
  readonly unit: Unit;
  readonly count: number;
}

/** An interval as Stripe's prices have it. */
export interface StripeInterval {
  readonly interval: string;
  readonly interval_count: number;
}

/** Stripe's intervals, and the number of each that makes one of the next longer unit here. */
const INTERVALS: Readonly<Record<string, { unit: Unit; of?: Interval }>> = {
  day: { unit: 'DAY', of: { count: 7, unit: 'WEEK' } },
  week: { unit: 'WEEK' },
  month: { unit: 'MONTH', of: { count: 12, unit: 'ANNUAL' } },
  year: { unit: 'ANNUAL' },
};

/** The interval of a plan; null for one that no plan can have. */
export function planInterval(every: StripeInterval | null): Interval | null {
  const known = every === null ? undefined : INTERVALS[every.interval];
  if (every === null || known === undefined) return null;
  const { interval_count: count } = every;
  const { unit, of } = known;
  const interval =
    of && count % of.count === 0 ? { unit: of.unit, count: count / of.count } : { unit, count };
  return interval.count <= MAX_INTERVAL_COUNT ? interval : null;
}

/** One of Stripe's amounts in major units; the reason where it can be no amount here. */
export function majorAmount(amount: number, currency: string): number | string {
  try {
    const minor = fromStripeAmount(numberOf(amount), currency);
    return isMinor(minor, currency)
      ? toMajor(minor, currency)
      : `${currency} has no amount like Stripe's ${String(amount)} here`;
  } catch (error) {
    if (isFault(error)) return error.message;
    throw error;
  }
}

/** One of Stripe's dates, which are seconds. */
export function dateOf(seconds: number): Date {
  return new Date(numberOf(seconds) * 1000);
}

/**
 * A number of an export, whose JSON may have anything in its place.
 * @throws RangeError where it has
 */
export function numberOf(value: number): number {
  if (!Number.isFinite(value)) throw new RangeError(`${String(value)} is no number`);
  return value;
}
