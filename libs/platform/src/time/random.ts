/** Evenly distributed from 0 to below 1; the one place that draws random numbers, for waits only, never for secrets. */
export function random(): number {
  return Math.random();
}

/** A wait moved at random by at most this share of it, so that those who wait do not all come back at once. */
export function jittered(waitMs: number, share = 0.2): number {
  return waitMs * (1 - share + 2 * share * random());
}
