/** How waits grow. No library here gives a wait by the number of failures alone, as stored dates need it. */
export interface Backoff {
  /** The wait after the first failure. */
  readonly firstMs: number;
  /** By what each wait exceeds the one before; 2 unless given. */
  readonly factor?: number;
  readonly longestMs: number;
}

/** The wait after so many failures before the last one: 0 for the first. */
export function backoffMs(before: number, { firstMs, factor = 2, longestMs }: Backoff): number {
  return Math.min(longestMs, firstMs * factor ** before);
}
