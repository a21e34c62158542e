import type { Bounds } from '../../reading/list-order.js';
import { idAt, isId, type Id, type Sort } from '@commerce/records';

const MINUTE_MS = 60_000;
/** The upper bound of all texts that begin with the same characters. */
const LAST_CHARACTER = '\u{10ffff}';
const HIGHEST = 8.64e15;
/** The latest time in an id, in milliseconds. */
const LATEST_ID = 0xffff_ffff * 1000;

/** The values up to this one in the list. */
export function upTo({ direction }: Sort, value: unknown): Bounds {
  return direction === 1 ? { $lte: value } : { $gte: value };
}

/**
 * Values to which windows that begin at `value` may reach, each farther away than the one before. Any value is right:
 * what a window holds is the beginning of what follows, and only whether it is enough differs.
 * @param spread how far the records of a page were apart, if that is known
 */
export function reaches({ direction }: Sort, value: unknown, spread: number | null): unknown[] {
  if (typeof value === 'string') {
    const cuts = new Set([value.length - 1, value.length - 2, value.length >> 1, 1]);
    const begun = [...cuts].filter((cut) => cut > 0 && cut < value.length).map((cut) => value.slice(0, cut));
    return direction === 1 ? begun.map((text) => `${text}${LAST_CHARACTER}`) : begun;
  }
  if (isId(value)) return reaches({ field: '_id', direction }, timeOf(value), spread).map(idNear);
  const isDate = value instanceof Date;
  if (!isDate && typeof value !== 'number') return [];
  const step = 2 * (spread === null || spread === 0 ? (isDate ? MINUTE_MS : 1) : spread);
  return [step, 30 * step, 1000 * step].map((width) => {
    const reached = Number(value) + direction * width;
    return isDate ? new Date(Math.trunc(Math.max(-HIGHEST, Math.min(HIGHEST, reached)))) : reached;
  });
}

/** How far two sorted values are apart; null where that cannot be said. */
export function spreadOf(first: unknown, last: unknown): number | null {
  if (isId(first) && isId(last)) return spreadOf(timeOf(first), timeOf(last));
  const isMeasured = typeof first === 'number' || first instanceof Date;
  if (!isMeasured || typeof first !== typeof last || last === null) return null;
  return Math.abs(Number(last) - Number(first));
}

/** When an id was made, to the second. */
function timeOf(id: Id): Date {
  return id.getTimestamp();
}

function idNear(time: unknown): Id {
  return idAt(new Date(Math.min(LATEST_ID, Math.max(0, Number(time)))));
}
