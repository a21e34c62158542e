import { DAY_MS, instantOfWall, wallTimeOf } from '@commerce/kernel';

/**
 * A second model of the amounts of a subscription that changes, written from the rules alone: days, exact fractions,
 * and no function of the billing domain.
 */

/** An exact fraction; `under` is above 0. */
export interface Fraction {
  readonly over: bigint;
  readonly under: bigint;
}

export interface ModelTerms {
  /** Of one interval, quantity included, in minor units. */
  readonly price_minor: number;
  readonly unit: 'DAY' | 'WEEK' | 'MONTH' | 'ANNUAL';
  readonly count: number;
  /** Number of equal billing periods of an interval: 12 for a year collected by the month. */
  readonly parts: number;
  readonly prepay: boolean;
  readonly is_prorated: boolean;
}

/** Service from `from` to `to` under one set of terms; `to` is null while it goes on. */
export interface Span {
  readonly terms: ModelTerms;
  readonly anchor: Date;
  readonly from: number;
  readonly to: number | null;
}

interface ModelSettings {
  readonly timezone: string;
  readonly proration_mode: 'day' | 'second' | 'thirty';
}

/** The sum of all parts, and the number of those that are not whole billing periods. */
export interface Sum {
  readonly exact: Fraction;
  readonly cuts: number;
}

/** Boundary `index` of the billing periods of a span. */
export function boundary(
  { anchor, terms }: Pick<Span, 'anchor' | 'terms'>,
  index: number,
  zone: string,
): number {
  const { day, ms } = wallTimeOf(anchor, zone);
  const { unit, count, parts } = terms;
  const months = unit === 'MONTH' ? index * count : unit === 'ANNUAL' ? (index * count * 12) / parts : 0;
  const days = unit === 'DAY' ? index * count : unit === 'WEEK' ? 7 * index * count : 0;
  return instantOfWall({ day: monthsLater(day, months) + days, ms }, zone).getTime();
}

/** Everything that is charged for the spans by `until`, over which all but the last have been settled. */
export function sumOf(spans: readonly Span[], settings: ModelSettings, until: number): Sum {
  let exact: Fraction = { over: 0n, under: 1n };
  let cuts = 0;
  for (const span of spans) {
    const last = span.to ?? Infinity;
    for (let index = 0; boundary(span, index, settings.timezone) < last; index += 1) {
      const start = boundary(span, index, settings.timezone);
      const end = boundary(span, index + 1, settings.timezone);
      if (span.to === null && (span.terms.prepay ? start : end) > until) break;
      if (end <= span.from) continue;
      const a = Math.max(start, span.from);
      const b = Math.min(end, last);
      if (a > start || b < end) cuts += 1;
      exact = plus(exact, partOf(span, { start, end, a, b }, settings));
    }
  }
  return { exact, cuts };
}

/** How far `minor` lies above (below: negative) the sum, beyond half a minor unit for each of `parts`; 0 within. */
export function beyond(minor: number, { over, under }: Fraction, parts: number): number {
  const twice = 2n * (BigInt(minor) * under - over);
  const allowed = BigInt(parts) * under;
  const excess = twice > allowed ? twice - allowed : twice < -allowed ? twice + allowed : 0n;
  return Number(excess) / Number(2n * under);
}

interface Part {
  readonly start: number;
  readonly end: number;
  readonly a: number;
  readonly b: number;
}

/** The price of `[a, b)` within the billing period `[start, end)`. */
function partOf({ terms }: Span, { start, end, a, b }: Part, settings: ModelSettings): Fraction {
  const price: Fraction = { over: BigInt(terms.price_minor), under: BigInt(terms.parts) };
  if (a === b) return { over: 0n, under: 1n };
  if (!terms.is_prorated) return a === start ? price : { over: 0n, under: 1n };
  const period = { start, end, months: monthsOf(terms) };
  const [from, to] = [unusedAt(a, period, settings), unusedAt(b, period, settings)];
  return times(price, plus(from, { over: -to.over, under: to.under }));
}

interface Period {
  readonly start: number;
  readonly end: number;
  /** 0 where it is counted in days. */
  readonly months: number;
}

/** The share of a billing period that is unused at an instant. */
function unusedAt(at: number, period: Period, settings: ModelSettings): Fraction {
  const { start, end } = period;
  if (at <= start) return { over: 1n, under: 1n };
  if (at >= end) return { over: 0n, under: 1n };
  if (settings.proration_mode === 'second') return share(end - at, end - start);
  const dayOf = (instant: number): number => wallTimeOf(new Date(instant), settings.timezone).day;
  const unused = wallTimeOf(new Date(at), settings.timezone).ms === 0 ? dayOf(at) : dayOf(at) + 1;
  if (settings.proration_mode === 'day' || period.months === 0) {
    return share(dayOf(end) - unused, dayOf(end) - dayOf(start));
  }
  const whole = 30 * period.months;
  const { year, month, date } = civil(dayOf(end));
  // An end on the last day of its month stands for the day of the start, where its month is too short for that.
  const last = civil(dayOf(end) + 1).date === 1 ? Math.max(date, civil(dayOf(start)).date) : date;
  return share(360 * year + 30 * month + Math.min(30, last) - thirtieths(unused), whole);
}

/** Days since year 0, where each month has thirty and a 31st counts as the 30th. */
function thirtieths(day: number): number {
  const { year, month, date } = civil(day);
  return 360 * year + 30 * month + Math.min(30, date);
}

function share(unused: number, total: number): Fraction {
  return { over: BigInt(Math.min(Math.max(unused, 0), total)), under: BigInt(total) };
}

function monthsOf({ unit, count, parts }: ModelTerms): number {
  return unit === 'MONTH' ? count : unit === 'ANNUAL' ? (12 * count) / parts : 0;
}

function monthsLater(day: number, months: number): number {
  const { year, month, date } = civil(day);
  const length =
    Date.UTC(year, month + months + 1, 0) / DAY_MS - Date.UTC(year, month + months, 1) / DAY_MS + 1;
  return Date.UTC(year, month + months, Math.min(date, length)) / DAY_MS;
}

function civil(day: number): { readonly year: number; readonly month: number; readonly date: number } {
  const date = new Date(day * DAY_MS);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth(), date: date.getUTCDate() };
}

function plus(a: Fraction, b: Fraction): Fraction {
  return { over: a.over * b.under + b.over * a.under, under: a.under * b.under };
}

function times(a: Fraction, b: Fraction): Fraction {
  return { over: a.over * b.over, under: a.under * b.under };
}
