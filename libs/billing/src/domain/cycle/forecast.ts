import { DAY_MS, instantOfWall, toMajor, wallTimeOf } from '@commerce/kernel';

/** The charges of one month in one currency. */
export interface ForecastAmount {
  /** `2026-01`. */
  readonly month: string;
  readonly currency: string;
  /** The parts for the card, major units. */
  readonly amount: number;
  /** The parts that balances pay, major units. */
  readonly credit_applied: number;
  readonly charges: number;
}

/** A future charge, in minor units. */
export interface ForecastCharge {
  readonly date: Date;
  /** The part for the card. */
  readonly amount_minor: number;
  /** The part that the balance pays. */
  readonly credit_minor: number;
  readonly currency: string;
}

/** The charges of one month in one currency, in minor units. */
interface ForecastSum {
  readonly month: string;
  readonly currency: string;
  minor: number;
  credit_minor: number;
  charges: number;
}

/** The calendar month of an instant in a timezone: `2026-01`. */
export function monthOf(instant: Date, timezone: string): string {
  return new Date(wallTimeOf(instant, timezone).day * DAY_MS).toISOString().slice(0, 7);
}

/** The end of the last of `months` calendar months; the month of `now` is the first. */
export function endOfMonths(now: Date, months: number, timezone: string): Date {
  return startOfMonth(now, months, timezone);
}

/** The starts of `months` calendar months, in order; the month of `now` is the last. */
export function startsOfMonths(now: Date, months: number, timezone: string): Date[] {
  return Array.from({ length: months }, (_, index) => startOfMonth(now, index + 1 - months, timezone));
}

/** The start of the calendar month that lies `offset` months after that of `now`. */
function startOfMonth(now: Date, offset: number, timezone: string): Date {
  const today = new Date(wallTimeOf(now, timezone).day * DAY_MS);
  const start = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + offset, 1);
  return instantOfWall({ day: start / DAY_MS, ms: 0 }, timezone);
}

/** Adds up charges by month and currency. Memory depends on the number of months and currencies alone. */
export class ForecastTotals {
  readonly #sums = new Map<string, ForecastSum>();

  constructor(private readonly timezone: string) {}

  add({ date, amount_minor, credit_minor, currency }: ForecastCharge): void {
    const month = monthOf(date, this.timezone);
    const key = `${month} ${currency}`;
    const sum = this.#sums.get(key) ?? { month, currency, minor: 0, credit_minor: 0, charges: 0 };
    sum.minor += amount_minor;
    sum.credit_minor += credit_minor;
    sum.charges += 1;
    this.#sums.set(key, sum);
  }

  /** By month, then by currency. */
  amounts(): ForecastAmount[] {
    return [...this.#sums]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, { month, currency, minor, credit_minor, charges }]) => ({
        month,
        currency,
        amount: toMajor(minor, currency),
        credit_applied: toMajor(credit_minor, currency),
        charges,
      }));
  }
}
