/** The growth of waits. No dependency computes a wait from the number of failures alone, as stored dates require. */
export interface Backoff {
  /** The wait after the first failure. */
  readonly firstMs: number;
  /** The ratio of each wait to the one before; 2 by default. */
  readonly factor?: number;
  readonly longestMs: number;
}

/** The wait after a failure that `before` others preceded: 0 for the first. */
export function backoffMs(before: number, { firstMs, factor = 2, longestMs }: Backoff): number {
  return Math.min(longestMs, firstMs * factor ** before);
}
