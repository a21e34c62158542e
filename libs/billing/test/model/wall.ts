/**
 * Local time, from nothing but the offsets that the runtime knows. A wall time is written as the milliseconds that UTC
 * would show as that time.
 */
export const DAY = 86_400_000;
const QUARTER = 900_000;

const formats = new Map<string, Intl.DateTimeFormat>();
const offsets = new Map<string, Map<number, number>>();

function offsetOf(zone: string, instant: number): number {
  if (zone === 'UTC') return 0;
  const known = offsets.get(zone) ?? new Map<number, number>();
  offsets.set(zone, known);
  const quarter = Math.floor(instant / QUARTER);
  const found = known.get(quarter);
  if (found !== undefined) return found;
  const format = formats.get(zone) ?? new Intl.DateTimeFormat('en-US', { ...PARTS, timeZone: zone });
  formats.set(zone, format);
  const at = quarter * QUARTER;
  const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = part;
  const offset = Date.UTC(year, month - 1, day, hour, minute) - at;
  known.set(quarter, offset);
  return offset;
}

const PARTS = {
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
} as const;

export function wallOf(zone: string, instant: number): number {
  return instant + offsetOf(zone, instant);
}

/** The first instant at which the clock on the wall has reached that time: it may skip it, or show it twice (D1). */
export function instantOf(zone: string, wall: number): number {
  const before = offsetOf(zone, wall - DAY);
  const after = offsetOf(zone, wall + DAY);
  if (before === after) return wall - before;
  let [low, high] = [wall - DAY - before, wall + DAY - after];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (wallOf(zone, middle) >= wall) high = middle;
    else low = middle;
  }
  return high;
}

/** The number of the local date. */
export function dateOf(zone: string, instant: number): number {
  return Math.floor(wallOf(zone, instant) / DAY);
}

/** The instant at which a local date begins. */
export function beginOf(zone: string, date: number): number {
  return instantOf(zone, date * DAY);
}

/** The wall time that many months later, on the same day of the month or the month's last. */
export function monthsLater(wall: number, months: number): number {
  const at = new Date(wall);
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth() + months];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(at.getUTCDate(), last)) + (((wall % DAY) + DAY) % DAY);
}

/** The begin of the month of a wall time. */
export function monthOf(wall: number): number {
  const at = new Date(wall);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth());
}
