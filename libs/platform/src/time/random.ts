/** Evenly distributed from 0 to below 1; the one place that draws random numbers, for waits only, never for secrets. */
export function random(): number {
  // oxlint-disable-next-line no-restricted-properties -- the one place that draws it
  return Math.random();
}

/** A wait times a random factor, so that those who waited together do not all come back together. */
export function spread(waitMs: number, from = 0.8, to = 1.2, draw: () => number = random): number {
  return waitMs * (from + (to - from) * draw());
}
