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
  minor: number;
  credit_minor: number;
  charges: number;
}

/** A calendar month, `2026-01`, which is `[from, to)` in milliseconds, with its sums by currency. */
interface ForecastMonth {
  readonly month: string;
  readonly from: number;
  readonly to: number;
  readonly sums: Map<string, ForecastSum>;
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
  /** The months with charges: each is found in the calendar once. */
  readonly #months: ForecastMonth[] = [];

  constructor(private readonly timezone: string) {}

  add({ date, amount_minor, credit_minor, currency }: ForecastCharge): void {
    const at = date.getTime();
    const { sums } = this.#months.find(({ from, to }) => from <= at && at < to) ?? this.#begin(date);
    const sum = sums.get(currency) ?? { minor: 0, credit_minor: 0, charges: 0 };
    sum.minor += amount_minor;
    sum.credit_minor += credit_minor;
    sum.charges += 1;
    sums.set(currency, sum);
  }

  /** By month, then by currency. */
  amounts(): ForecastAmount[] {
    const sums = this.#months.flatMap(({ month, sums: all }) =>
      [...all].map(([currency, sum]) => ({ month, currency, ...sum })),
    );
    return sums
      .sort((a, b) => (`${a.month} ${a.currency}` < `${b.month} ${b.currency}` ? -1 : 1))
      .map(({ month, currency, minor, credit_minor, charges }) => ({
        month,
        currency,
        amount: toMajor(minor, currency),
        credit_applied: toMajor(credit_minor, currency),
        charges,
      }));
  }

  #begin(date: Date): ForecastMonth {
    const { timezone } = this;
    const from = startOfMonth(date, 0, timezone).getTime();
    const to = startOfMonth(date, 1, timezone).getTime();
    const begun: ForecastMonth = { month: monthOf(date, timezone), from, to, sums: new Map() };
    this.#months.push(begun);
    return begun;
  }
}
