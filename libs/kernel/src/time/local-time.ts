import { LRUCache } from 'lru-cache';
import { Temporal } from 'temporal-polyfill';
import { fault } from '../faults/fault.js';

/** A wall-clock date and time: `day` counts civil days from 1970-01-01, `ms` milliseconds from 00:00 of that day. */
export interface WallTime {
  readonly day: number;
  readonly ms: number;
}

export const DAY_MS = 86_400_000;

/** Wider than any offset from UTC, and than the day that Samoa skipped when it crossed the date line. */
const WIDEST_OFFSET_MS = 26 * 3_600_000;

/** Two days before the last instant of a Date, so that instants around it can be computed. */
const LAST_INSTANT = 8.64e15 - 2 * DAY_MS;

/** `[from, to)`, during which a timezone has one offset. */
interface OffsetSpan {
  readonly from: number;
  readonly to: number;
  readonly offset: number;
}

/** Enough for a century with two changes a year. */
const MAX_SPANS = 200;

/**
 * Offsets change about twice a year, and finding a change takes up to milliseconds, so the spans are kept. There are
 * about 600 timezones, but their names are not case-sensitive and dates may be far apart: both are bounded.
 */
const spansByTimezone = new LRUCache<string, OffsetSpan[]>({ max: 600 });

/** True for the name of an IANA timezone (`Europe/Berlin`, `UTC`), false for a bare offset such as `+02:00`. */
export function isTimezone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name);
    return true;
  } catch {
    return false;
  }
}

/**
 * The reading of a wall clock at `instant`. At the end of a gap, where clocks go from 02:00 to 03:00 and both mean the
 * same instant, it is 02:00: a subscription started in the gap continues at 02:00, one started on a day without a
 * midnight at 00:00.
 */
export function wallTimeOf(instant: Date, timezone: string): WallTime {
  const epoch = instant.getTime();
  const span = offsetSpanAt(epoch, timezone);
  const before = epoch === span.from ? offsetSpanAt(epoch - 1, timezone).offset : span.offset;
  const local = epoch + Math.min(before, span.offset);
  const day = Math.floor(local / DAY_MS);
  return { day, ms: local - day * DAY_MS };
}

/** The text of a civil day is kept, because the same days are asked for again and again. */
const textByDay = new LRUCache<number, string>({ max: 1000 });

/** The civil day at `instant`: `2026-04-30`. */
export function localDay(instant: Date, timezone: string): string {
  const { day } = wallTimeOf(instant, timezone);
  const known = textByDay.get(day);
  if (known !== undefined) return known;
  const text = new Date(day * DAY_MS).toISOString().slice(0, 10);
  textByDay.set(day, text);
  return text;
}

/** The instant of a wall time: the end of the gap for one in a gap, the first for one that occurs twice. */
export function instantOfWall(wall: WallTime, timezone: string): Date {
  const local = wall.day * DAY_MS + wall.ms;
  let span = offsetSpanAt(local - WIDEST_OFFSET_MS, timezone);
  while (local - span.offset >= span.to) span = offsetSpanAt(span.to, timezone);
  return new Date(Math.max(local - span.offset, span.from));
}

function offsetSpanAt(epoch: number, timezone: string): OffsetSpan {
  if (!(Math.abs(epoch) < LAST_INSTANT)) {
    throw fault('date.out_of_range', 'The date is beyond the range of the calendar');
  }
  const spans = spansByTimezone.get(timezone) ?? [];
  // Few enough that a linear search is fastest.
  for (const span of spans) if (epoch >= span.from && epoch < span.to) return span;
  const span = findOffsetSpan(epoch, timezone);
  if (spans.length >= MAX_SPANS) spans.shift();
  spans.push(span);
  spansByTimezone.set(timezone, spans);
  return span;
}

function findOffsetSpan(epoch: number, timezone: string): OffsetSpan {
  if (!isTimezone(timezone)) throw fault('timezone.unknown', `${timezone} is not an IANA timezone`);
  const at = Temporal.Instant.fromEpochMilliseconds(epoch).toZonedDateTimeISO(timezone);
  // A transition at exactly this instant starts the span; it is found when searching back from one millisecond later.
  const from = at.add({ milliseconds: 1 }).getTimeZoneTransition('previous');
  const to = at.getTimeZoneTransition('next');
  return {
    from: from?.epochMilliseconds ?? -Infinity,
    to: to?.epochMilliseconds ?? Infinity,
    offset: at.offsetNanoseconds / 1e6,
  };
}
