import { DAY_MS } from '../app/clock';
import type { Picture } from './model';

const PAD = 34;
/** The minimum width of a billing period, so that its amount is readable. */
const PERIOD_PX = 74;

export interface Scale {
  readonly width: number;
  readonly from: number;
  readonly to: number;
  readonly x: (at: number) => number;
}

/**
 * Computes the horizontal scale of these pictures, at least `room` pixels wide; at `zoom` 1 everything fits or is
 * readable.
 */
export function scaleOf(pictures: readonly Picture[], now: number, room: number, zoom: number): Scale {
  const spans = pictures.flatMap((one) => one.spans);
  const points = pictures.flatMap((one) => one.charges.map(({ at }) => at));
  const from = Math.min(now - 7 * DAY_MS, ...spans.map((one) => one.from), ...points);
  const to = Math.max(now + 30 * DAY_MS, ...spans.map((one) => one.to), ...points);
  const shortest = Math.min(
    to - from,
    ...spans.map((one) => Math.max(DAY_MS, one.to - one.from)).filter((ms) => ms > 20 * DAY_MS),
  );
  const readable = ((to - from) / shortest) * PERIOD_PX;
  const width = Math.min(24_000, Math.max(room, Math.min(readable, 6000)) * zoom);
  const perMs = (width - 2 * PAD) / (to - from);
  return { width, from, to, x: (at) => PAD + (at - from) * perMs };
}

/** The first days of months, or of every `step`th month when they would be too close. */
export function monthsOf({ from, to, x }: Scale): number[] {
  const first = new Date(from);
  const ticks: number[] = [];
  const start = first.getUTCFullYear() * 12 + first.getUTCMonth() + 1;
  const apart = x(from + 30 * DAY_MS) - x(from);
  const step = [1, 2, 3, 6, 12, 24].find((one) => one * apart >= 58) ?? 36;
  for (let month = start; ; month += 1) {
    const at = Date.UTC(Math.floor(month / 12), month % 12, 1);
    if (at > to) return ticks;
    if (month % step === 0) ticks.push(at);
  }
}
