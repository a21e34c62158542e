import { civil, type Interval } from '../calendar/calendar.js';

/** The unused part and the whole of a period, in one measure. */
export interface Span {
  readonly unused: number;
  readonly total: number;
}

/**
 * Days by 30/360: every month has thirty, the 31st counts as the 30th, a quarter has 90 and a year 360; a shorter period
 * (the stub of a calendar month, one that an end cuts) counts as its own days. `start`, `end` and `firstUnused` are day
 * counts of local dates.
 */
export function thirtyDays({ unit, count }: Interval, start: number, end: number, firstUnused: number): Span {
  const endDate = endDateOf(start, end);
  const whole = count * (unit === 'ANNUAL' ? 360 : 30);
  const total = Math.max(1, Math.min(whole, daysBetween(start, end, endDate)));
  return { unused: Math.min(total, daysBetween(firstUnused, end, endDate)), total };
}

/** 31 Jan to 28 Feb is a whole month: an end clamped to its month's last day stands for the day it was clamped from. */
function endDateOf(start: number, end: number): number {
  const from = civil(start).date;
  const to = civil(end).date;
  const isLastOfMonth = civil(end + 1).date === 1;
  return Math.min(30, isLastOfMonth ? Math.max(from, to) : to);
}

function daysBetween(from: number, to: number, endDate: number): number {
  const a = civil(from);
  const b = civil(to);
  return 360 * (b.year - a.year) + 30 * (b.month - a.month) + endDate - Math.min(30, a.date);
}
