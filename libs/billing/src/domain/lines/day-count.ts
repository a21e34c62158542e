import { wallTimeOf } from '@commerce/kernel';

import type { Interval } from '../calendar/calendar.js';
import { thirtyDays } from '../pricing/proration-thirty.js';
import type { ProrationMode } from '../pricing/proration.js';

/** How the days of a period are counted. */
export interface Counting {
  readonly mode: ProrationMode;
  readonly timezone: string;
  /** The billing interval that the period is one of. */
  readonly interval: Interval;
}

/** The local days of a period, `[first, last)`, as day numbers. */
export interface DayCount {
  readonly first: number;
  readonly last: number;
  /** The weight of all days: their number, or that of their months of thirty. */
  readonly total: number;
  /** The weight of the days from this one on. */
  readonly from: (day: number) => number;
}

/** Counts the local days of `[start, end)`. A period within one day has that day. */
export function countDays(
  start: Date,
  end: Date,
  { mode, timezone, interval }: Omit<Counting, 'mode'> & { readonly mode: 'day' | 'thirty' },
): DayCount {
  const first = wallTimeOf(start, timezone).day;
  const last = Math.max(first + 1, wallTimeOf(end, timezone).day);
  // A week has seven days and a day one in both ways of counting; months of thirty would give some weeks nine.
  const isByTable = mode === 'thirty' && interval.unit !== 'WEEK' && interval.unit !== 'DAY';
  const { total } = isByTable ? thirtyDays(interval, first, last, first) : { total: last - first };
  const left = (day: number): number =>
    isByTable ? Math.min(total, Math.max(0, thirtyDays(interval, first, last, day).unused)) : last - day;
  const from = (day: number): number => (day <= first ? total : day >= last ? 0 : left(day));
  return { first, last, total, from };
}

/** The first and the last local day that `[from, to)` touches. Time after the last midnight is of the last day. */
export function touchedDays(
  { from, to }: { readonly from: Date; readonly to: Date },
  days: DayCount,
  timezone: string,
): readonly [number, number] {
  return [dayOf(from.getTime(), days, timezone), dayOf(to.getTime() - 1, days, timezone)];
}

/** The counted day of an instant. By the table, the 30th and the 31st are one day. */
export function dayOf(instant: number, { first, last, from }: DayCount, timezone: string): number {
  let day = Math.min(Math.max(wallTimeOf(new Date(instant), timezone).day, first), last - 1);
  while (day < last - 1 && from(day) === from(day + 1)) day += 1;
  while (day > first && from(day) === 0) day -= 1;
  return day;
}
