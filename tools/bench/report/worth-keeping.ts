import type { Measured } from '../benchmark.js';

/** Load average of the last minute, before anything is started, above which other work is in the numbers. */
const LARGEST_LOAD = 0.5;
/** How many times the lowest ratio of a pair the highest may be. */
const LARGEST_SPREAD = 1.6;

/** Why what was measured says too little to be kept; null where it may be. */
export function unkeptFor(load: number, measured: readonly Measured[]): string | null {
  if (load > LARGEST_LOAD)
    return `the load was ${load.toFixed(2)} when the run began, and may be ${String(LARGEST_LOAD)}`;
  const uneven = measured.find(({ result }) => result.highest > LARGEST_SPREAD * result.lowest);
  if (uneven === undefined) return null;
  const { lowest, highest } = uneven.result;
  return `the pairs of "${uneven.what}" differ too much: ${lowest.toFixed(2)} to ${highest.toFixed(2)}`;
}
