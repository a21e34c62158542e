export const DAY_MS = 86_400_000;

/** The time of this machine; the only place that reads it. */
export function now(): number {
  // oxlint-disable-next-line no-restricted-properties -- the one place that asks for it
  return Date.now();
}
