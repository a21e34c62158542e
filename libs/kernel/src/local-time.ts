import { Temporal } from 'temporal-polyfill';
import { fault } from './fault.js';

/** A date and time on the wall: `day` counts civil days from 1970-01-01, `ms` from 00:00 of that day. */
export interface WallTime {
  readonly day: number;
  readonly ms: number;
}

export const DAY_MS = 86_400_000;

/** Wider than any offset from UTC, and than the one day that Samoa left out when it crossed the date line. */
const WIDEST_OFFSET_MS = 26 * 3_600_000;

/** Two days short of the last instant that a Date holds, so that looking around it stays within. */
const LAST_INSTANT = 8.64e15 - 2 * DAY_MS;

/** `[from, to)`, in which a timezone keeps one offset. */
interface OffsetSpan {
  readonly from: number;
  readonly to: number;
  readonly offset: number;
}

/**
 * Offsets change about twice a year, and finding the change costs up to milliseconds: each span is asked for once.
 * Bounded by the timezones in use times the years that are billed.
 */
const spansByTimezone = new Map<string, OffsetSpan[]>();

/** True for an IANA timezone (`Europe/Berlin`, `UTC`); a bare offset such as `+02:00` is none. */
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
 * What a clock on the wall shows at `instant`, save for the one instant at which a gap ends: the clocks there go
 * from 02:00 to 03:00, both lead to it, and it is read as 02:00. So a subscription started at 02:00 in the gap goes
 * on at 02:00, and one started with a day that has no midnight goes on at 00:00.
 */
export function wallTimeOf(instant: Date, timezone: string): WallTime {
  const epoch = instant.getTime();
  const span = offsetSpanAt(epoch, timezone);
  const before = epoch === span.from ? offsetSpanAt(epoch - 1, timezone).offset : span.offset;
  const local = epoch + Math.min(before, span.offset);
  const day = Math.floor(local / DAY_MS);
  return { day, ms: local - day * DAY_MS };
}

/** The instant of a wall time: in a gap the first one after it, of two the first. */
export function instantOfWall(wall: WallTime, timezone: string): Date {
  const local = wall.day * DAY_MS + wall.ms;
  let span = offsetSpanAt(local - WIDEST_OFFSET_MS, timezone);
  while (local - span.offset >= span.to) span = offsetSpanAt(span.to, timezone);
  return new Date(Math.max(local - span.offset, span.from));
}

function offsetSpanAt(epoch: number, timezone: string): OffsetSpan {
  if (!(Math.abs(epoch) < LAST_INSTANT)) {
    throw fault('date.out_of_range', 'The date lies beyond what a calendar can count');
  }
  const spans = spansByTimezone.get(timezone) ?? [];
  // Few enough that a walk through them beats anything cleverer.
  for (const span of spans) if (epoch >= span.from && epoch < span.to) return span;
  const span = findOffsetSpan(epoch, timezone);
  spans.push(span);
  spansByTimezone.set(timezone, spans);
  return span;
}

function findOffsetSpan(epoch: number, timezone: string): OffsetSpan {
  if (!isTimezone(timezone)) throw fault('timezone.unknown', `${timezone} is not an IANA timezone`);
  const at = Temporal.Instant.fromEpochMilliseconds(epoch).toZonedDateTimeISO(timezone);
  // A transition at this very instant opens the span; looking back from one millisecond later finds it.
  const from = at.add({ milliseconds: 1 }).getTimeZoneTransition('previous');
  const to = at.getTimeZoneTransition('next');
  return {
    from: from?.epochMilliseconds ?? -Infinity,
    to: to?.epochMilliseconds ?? Infinity,
    offset: at.offsetNanoseconds / 1e6,
  };
}
