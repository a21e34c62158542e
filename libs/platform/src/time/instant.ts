/** The last instant that a Date can hold, in milliseconds since 1970. */
export const MAX_INSTANT_MS = 8.64e15;

/** The last instant that a request may name, 1 January 2200: what lies beyond is a mistake, or costs time to count. */
export const LAST_REQUESTED = new Date('2200-01-01T00:00:00Z');

/** Below this a number can only be meant as seconds: as milliseconds it would lie before March 1973. */
const SECONDS_BELOW = 1e11;

/**
 * Reads an instant from a request: an integer count of milliseconds, or of seconds when it is below 1e11.
 * Null when it is not an integer, negative or beyond what a Date can hold.
 */
export function readInstant(value: unknown): Date | null {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) return null;
  const ms = value < SECONDS_BELOW ? value * 1000 : value;
  return ms <= MAX_INSTANT_MS ? new Date(ms) : null;
}
