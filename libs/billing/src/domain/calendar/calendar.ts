import { DAY_MS, fault, instantOfWall, wallTimeOf, type WallTime } from '@commerce/kernel';

/** The unit of prices and of billing intervals. Days, weeks, months and years are local. */
export type IntervalUnit = 'DAY' | 'WEEK' | 'MONTH' | 'MONTH_END' | 'ANNUAL';

/** A number of units in a row: three months. */
export interface Interval {
  readonly unit: IntervalUnit;
  readonly count: number;
}

/** The two intervals of a plan: the price is for the first, the money is collected once in the second. */
export interface PlanIntervals {
  readonly interval_unit: IntervalUnit;
  readonly interval_count: number;
  readonly billing_interval: IntervalUnit;
  readonly billing_interval_count: number;
}

const SHORTEST_MONTH = 28;

/** `anchor` is boundary 0: the start, or the end of the trial. Any pair of intervals is valid. */
export interface BillingCalendar extends PlanIntervals {
  readonly anchor: Date;
  readonly timezone: string;
}

/** A billing period `[start, end)`; `index` counts from the anchor. */
export interface CalendarPeriod {
  readonly index: number;
  readonly start: Date;
  readonly end: Date;
}

/** The intervals of a plan, without its other fields. */
export function intervalsOf(plan: PlanIntervals): PlanIntervals {
  const { interval_unit, interval_count, billing_interval, billing_interval_count } = plan;
  return { interval_unit, interval_count, billing_interval, billing_interval_count };
}

/** The interval that the price is for. */
export function priceInterval({ interval_unit: unit, interval_count: count }: PlanIntervals): Interval {
  return { unit, count };
}

/** The interval between charges. */
export function chargeInterval({ billing_interval, billing_interval_count }: PlanIntervals): Interval {
  return { unit: billing_interval, count: billing_interval_count };
}

/**
 * Start of price interval `n`, counted from the anchor and never from the boundary before: a month that clamps the 31st
 * to the 28th does not pull the following ones there.
 * @throws Fault `date.out_of_range` beyond the range of Date
 */
export function unitBoundary(calendar: BillingCalendar, n: number): Date {
  return boundary(calendar, priceInterval(calendar), n);
}

/** Start of period `n`, counted as in `unitBoundary`. */
export function periodBoundary(calendar: BillingCalendar, n: number): Date {
  return boundary(calendar, chargeInterval(calendar), n);
}

export function periodAt(calendar: BillingCalendar, index: number): CalendarPeriod {
  return { index, start: periodBoundary(calendar, index), end: periodBoundary(calendar, index + 1) };
}

/** Index of the period that holds `instant`; -1 before the anchor. A boundary belongs to the period it starts. */
export function periodIndexAt(calendar: BillingCalendar, instant: Date): number {
  return intervalIndexAt(calendar, chargeInterval(calendar), instant);
}

/** Whole price intervals that ended at or before `instant`; 0 before the anchor. A stub counts as one. */
export function unitsUpTo(calendar: BillingCalendar, instant: Date): number {
  return Math.max(0, intervalIndexAt(calendar, priceInterval(calendar), instant));
}

/** Price intervals that began before `instant`: one that begins at it does not count. */
export function unitsBegunBefore(calendar: BillingCalendar, instant: Date): number {
  return intervalIndexAt(calendar, priceInterval(calendar), new Date(instant.getTime() - 1)) + 1;
}

/** The end of `interval_total` price intervals from the anchor. */
export function endOfUnits(calendar: BillingCalendar, interval_total: number): Date {
  return unitBoundary(calendar, interval_total);
}

/** Boundary `n` of any interval counted from the calendar's anchor. */
export function boundary(calendar: BillingCalendar, interval: Interval, n: number): Date {
  // The anchor is returned unchanged: the second of two equal wall times would otherwise become the first.
  if (n === 0) return calendar.anchor;
  return instantOfWall(boundaryWall(anchorWall(calendar), interval, n), calendar.timezone);
}

/** Wall time of boundary `n`, even where it falls into a gap of the clock. */
export function boundaryWall(anchor: WallTime, { unit, count }: Interval, n: number): WallTime {
  if (!Number.isSafeInteger(n) || n < 0) throw new RangeError(`${n} does not count boundaries`);
  if (n === 0) return anchor;
  switch (unit) {
    case 'DAY':
      return { day: anchor.day + count * n, ms: anchor.ms };
    case 'WEEK':
      return { day: anchor.day + 7 * count * n, ms: anchor.ms };
    case 'MONTH':
      return { day: monthsLater(anchor.day, count * n), ms: anchor.ms };
    case 'ANNUAL':
      return { day: monthsLater(anchor.day, 12 * count * n), ms: anchor.ms };
    case 'MONTH_END': {
      // Where the anchor lies inside a month, a stub up to the next 1st comes first.
      const months = startsWithMonth(anchor) ? count * n : 1 + count * (n - 1);
      return { day: firstOfMonth(anchor.day, months), ms: 0 };
    }
  }
}

/** Index of the interval that holds `instant`; -1 before the anchor. */
export function intervalIndexAt(calendar: BillingCalendar, interval: Interval, instant: Date): number {
  const at = instant.getTime();
  if (at < calendar.anchor.getTime()) return -1;
  const { day } = wallTimeOf(instant, calendar.timezone);
  // The estimate from the dates is off by at most one; the instants decide.
  let n = Math.max(
    0,
    Math.floor(unitsBetween(anchorWall(calendar).day, day, interval.unit) / interval.count),
  );
  while (n > 0 && boundary(calendar, interval, n).getTime() > at) n -= 1;
  while (boundary(calendar, interval, n + 1).getTime() <= at) n += 1;
  return n;
}

/** The days of the shortest interval of this length. */
export function leastDays({ unit, count }: Interval): number {
  return count * { DAY: 1, WEEK: 7, MONTH: 28, MONTH_END: 28, ANNUAL: 365 }[unit];
}

/** The days of the longest interval of this length. */
export function mostDays({ unit, count }: Interval): number {
  return count * { DAY: 1, WEEK: 7, MONTH: 31, MONTH_END: 31, ANNUAL: 366 }[unit];
}

/** True where calendar months start with the anchor: local 00:00 of a 1st, so that no stub comes first. */
export function startsWithMonth({ day, ms }: WallTime): boolean {
  return ms === 0 && day === firstOfMonth(day, 0);
}

export function anchorWall(calendar: BillingCalendar): WallTime {
  return wallTimeOf(calendar.anchor, calendar.timezone);
}

/** The 1st of the month `months` after the one of `day`, as a day count. */
export function firstOfMonth(day: number, months: number): number {
  const { year, month } = civil(day);
  return dayOf(year, month + months, 1);
}

function monthsLater(day: number, months: number): number {
  const { year, month, date } = civil(day);
  const first = dayOf(year, month + months, 1);
  if (date <= SHORTEST_MONTH) return first + date - 1;
  const length = dayOf(year, month + months + 1, 1) - first;
  return first + Math.min(date, length) - 1;
}

function unitsBetween(from: number, to: number, unit: IntervalUnit): number {
  switch (unit) {
    case 'DAY':
      return to - from;
    case 'WEEK':
      return Math.floor((to - from) / 7);
    case 'MONTH':
    case 'MONTH_END': {
      const [a, b] = [civil(from), civil(to)];
      return 12 * (b.year - a.year) + b.month - a.month;
    }
    case 'ANNUAL':
      return civil(to).year - civil(from).year;
  }
}

/** Civil date of a day count; `month` from 0. */
export function civil(day: number): { year: number; month: number; date: number } {
  const utc = new Date(day * DAY_MS);
  return { year: utc.getUTCFullYear(), month: utc.getUTCMonth(), date: utc.getUTCDate() };
}

function dayOf(year: number, month: number, date: number): number {
  const day = Date.UTC(year, month, date) / DAY_MS;
  if (Number.isNaN(day)) throw fault('date.out_of_range', 'The date lies beyond what a calendar can count');
  return day;
}
