import { fraction, plus, rounded, times, ZERO, type Fraction } from './fraction.js';
import { DAY, dateOf, instantOf, monthOf, monthsLater, wallOf } from './wall.js';

export type Unit = 'DAY' | 'WEEK' | 'MONTH' | 'MONTH_END' | 'ANNUAL';

export interface Interval {
  readonly unit: Unit;
  readonly count: number;
}

/** Boundaries are counted from the anchor, by the interval of the price and by that of the bills (D4, D43). */
export interface Calendar {
  readonly anchor: number;
  readonly zone: string;
  readonly priced: Interval;
  readonly billed: Interval;
}

const MONTHS = { DAY: 0, WEEK: 0, MONTH: 1, MONTH_END: 1, ANNUAL: 12 } as const;
const DAYS = { DAY: 1, WEEK: 7, MONTH: 0, MONTH_END: 0, ANNUAL: 0 } as const;

export function boundary({ anchor, zone }: Calendar, { unit, count }: Interval, k: number): number {
  if (k === 0) return anchor;
  const wall = anchorWall(zone, anchor);
  if (DAYS[unit] > 0) return instantOf(zone, wall + k * count * DAYS[unit] * DAY);
  if (unit !== 'MONTH_END') return instantOf(zone, monthsLater(wall, k * count * MONTHS[unit]));
  return instantOf(zone, monthsLater(monthOf(wall), monthEnds(wall, count, k)));
}

/** A start at a time that the clock skips is the first instant after it, and its boundaries keep the time that was meant. */
function anchorWall(zone: string, anchor: number): number {
  return Math.min(wallOf(zone, anchor), wallOf(zone, anchor - 1) + 1);
}

/** A start within a month makes a stub, up to the next first of a month. */
function monthEnds(wall: number, count: number, k: number): number {
  return isStub(wall) ? 1 + (k - 1) * count : k * count;
}

const isStub = (wall: number): boolean => wall !== monthOf(wall);

/** The last boundary at or before the instant. */
export function indexAt(calendar: Calendar, interval: Interval, instant: number): number {
  const most = { DAY: 1, WEEK: 7, MONTH: 31, MONTH_END: 31, ANNUAL: 366 }[interval.unit] * interval.count;
  let k = Math.max(0, Math.floor((instant - calendar.anchor) / DAY / most) - 2);
  while (boundary(calendar, interval, k + 1) <= instant) k += 1;
  return k;
}

/** What a plan asks for one of its intervals, by the number of the interval. */
export interface Price {
  readonly of: (interval: number) => number;
  readonly prorated: boolean;
}

/** The price of a period: what accrued by its end less what accrued by its start, each rounded (D4). */
export function priceOf(
  calendar: Calendar,
  price: Price,
  period: number,
  more: { step: number; cut: Cut | null },
): number {
  const [from, to] = [period, period + 1].map((k) => boundary(calendar, calendar.billed, k));
  const by = (at: number, cut: Cut | null): number => rounded(accrued(calendar, price, at, cut), more.step);
  return by(more.cut?.at ?? to ?? 0, more.cut) - by(from ?? 0, null);
}

/** The subscription's own end within a period, and the first local date that does not count. */
export interface Cut {
  readonly at: number;
  readonly date: number;
}

function accrued(calendar: Calendar, price: Price, at: number, cut: Cut | null): Fraction {
  const interval = indexAt(calendar, calendar.priced, at);
  let sum = ZERO;
  for (let k = 0; k < interval; k += 1)
    sum = plus(sum, times(fraction(price.of(k)), worth(calendar, k, price)));
  const part = times(worth(calendar, interval, price), passed(calendar, interval, at, cut));
  return plus(sum, times(fraction(price.of(interval)), part));
}

/** The part of the price that an interval is worth: that of a stub is its days in one month of the price. */
function worth(calendar: Calendar, k: number, { prorated }: Price): Fraction {
  const { anchor, zone, priced } = calendar;
  const wall = anchorWall(zone, anchor);
  if (k > 0 || priced.unit !== 'MONTH_END' || !isStub(wall)) return fraction(1);
  if (!prorated) return ZERO;
  const [month, next] = [monthOf(wall), monthsLater(monthOf(wall), 1)];
  return fraction((next - Math.floor(wall / DAY) * DAY) / DAY, ((next - month) / DAY) * priced.count);
}

/** The part of an interval that has passed: in equal months where the bills divide it evenly, else by days. */
function passed(calendar: Calendar, k: number, at: number, cut: Cut | null): Fraction {
  const { zone, priced, billed, anchor } = calendar;
  const [from, to] = [boundary(calendar, priced, k), boundary(calendar, priced, k + 1)];
  const months = MONTHS[priced.unit] * priced.count;
  const equal = common(months, MONTHS[billed.unit] * billed.count);
  const hasStub = isStub(anchorWall(zone, anchor));
  const ends = [priced.unit, billed.unit].filter((unit) => unit === 'MONTH_END').length;
  const isEven = equal > 0 && (ends === 0 || !hasStub || (ends === 2 && k > 0));
  if (!isEven) return share(zone, [from, at, to], cut);
  const piece: Interval = { unit: ends === 0 ? 'MONTH' : 'MONTH_END', count: equal };
  const all = months / equal;
  // Those of a calendar with a stub are counted from the end of the stub.
  const first = ends > 0 && hasStub ? 1 + (k - 1) * all : k * all;
  let j = 0;
  while (j + 1 < all && boundary(calendar, piece, first + j + 1) <= at) j += 1;
  const [start, end] = [j, j + 1].map((i) => boundary(calendar, piece, first + i));
  return times(plus(fraction(j), share(zone, [start ?? 0, at, end ?? 0], cut)), fraction(1, all));
}

function share(zone: string, [from, at, to]: readonly [number, number, number], cut: Cut | null): Fraction {
  const [first, last] = [dateOf(zone, from), dateOf(zone, to)];
  const passed = cut === null ? dateOf(zone, at) : Math.min(cut.date, last);
  return fraction(passed - first, last - first);
}

function common(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : a % b === 0 ? b : common(b, a % b);
}
