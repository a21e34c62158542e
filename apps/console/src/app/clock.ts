export const DAY_MS = 86_400_000;

/** The time of this machine; the only place that reads it. */
export function now(): number {
  return Date.now();
}
