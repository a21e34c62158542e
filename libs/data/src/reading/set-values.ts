import { parseId } from '@commerce/records';

/**
 * Conditions that hold for every date, id or text and not for null. A partial index says one of them, and so does
 * each query that is to use it: a planner takes a partial index only where it can prove that nothing is missed, and
 * none can prove it of `$type`.
 */
export const ANY_DATE = { $gt: new Date(0) } as const;
export const ANY_ID = { $gt: parseId('000000000000000000000000') } as const;
export const ANY_TEXT = { $gt: '' } as const;

/** Dates up to now, as a partial index of `ANY_DATE` finds them. */
export function dueBy(now: Date): { readonly $lte: Date; readonly $gt: Date } {
  return { $lte: now, ...ANY_DATE };
}
