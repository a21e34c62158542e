/** The time of this machine; the one place where it is asked for. */
export function now(): number {
  return Date.now();
}
