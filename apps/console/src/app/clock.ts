export const DAY_MS = 86_400_000;

/** The time of this machine; the one place where it is asked for. */
export function now(): number {
  return Date.now();
}
