import { createRequire } from 'node:module';

import type { OwnRate, RatedCategory } from './tax-terms.js';

interface KnownRate {
  readonly rate: number;
  /** The rates that ended, by the instant of their end. */
  readonly before?: Readonly<Record<string, { readonly rate: number }>>;
}

/** The data of the package alone: its code would ask the network. */
const KNOWN = createRequire(import.meta.url)('sales-tax/res/sales_tax_rates.json') as Readonly<
  Record<string, KnownRate>
>;

/**
 * The first days of rates that follow instants which the data has wrong, by country and instant; data that is mended has
 * another instant. Romania: 21 % from 1 August 2025 by its law 141/2025, where the data begins a day late.
 */
const CORRECTED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  RO: { '2025-08-01T21:00:00.000Z': '2025-08-01' },
};

interface DatedRate {
  readonly rate: number;
  /** The first day, `YYYY-MM-DD`; empty for the earliest rate. */
  readonly from: string;
}

/** A rate, and whether it is the standard one because none is known for the category. */
export interface FoundRate {
  readonly rate: number;
  readonly stands_in: boolean;
}

/**
 * The rate of a category in a member state on a day. A rate of the company goes first; without one, a category other
 * than the standard one has the standard rate.
 */
export function rateOn(
  member: string,
  category: RatedCategory,
  day: string,
  own: readonly OwnRate[],
): FoundRate {
  const given = ownRateOn(member, category, day, own);
  if (given !== null) return { rate: given, stands_in: false };
  if (category !== 'standard') return { ...rateOn(member, 'standard', day, own), stands_in: true };
  return { rate: lastOf(datedRates(member), day)?.rate ?? 0, stands_in: false };
}

/** The rate that the company has given for a category on a day; null without one. */
function ownRateOn(
  member: string,
  category: RatedCategory,
  day: string,
  own: readonly OwnRate[],
): number | null {
  const given = own.filter((one) => one.country === member && one.tax_category === category);
  return lastOf(given, day)?.rate ?? null;
}

function lastOf<R extends { readonly from: string }>(rates: readonly R[], day: string): R | null {
  return rates.reduce<R | null>(
    (last, one) => (one.from <= day && (last === null || last.from <= one.from) ? one : last),
    null,
  );
}

const dated = new Map<string, readonly DatedRate[]>();

/** @throws RangeError where the data lacks the country */
function datedRates(member: string): readonly DatedRate[] {
  const found = dated.get(member);
  if (found !== undefined) return found;
  const known = KNOWN[member];
  if (known === undefined) throw new RangeError(`No rate of VAT is known for ${member}`);
  const rates: DatedRate[] = [];
  let from = '';
  for (const [end, { rate }] of Object.entries(known.before ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))) {
    rates.push({ rate, from });
    from = CORRECTED[member]?.[end] ?? nearestDay(end);
  }
  rates.push({ rate: known.rate, from });
  dated.set(member, rates);
  return rates;
}

const HALF_DAY_MS = 12 * 3_600_000;

/** The data has midnights of some time zone of Europe, not always that of the country. */
function nearestDay(instant: string): string {
  return new Date(Date.parse(instant) + HALF_DAY_MS).toISOString().slice(0, 10);
}
