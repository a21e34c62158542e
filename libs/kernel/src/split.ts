/** `total` (integer) over `weights` in multiples of `step`; the parts add up to it. */
export function splitByWeights(total: number, weights: readonly number[], step = 1): number[] {
  throw new Error(`not yet ${total} ${weights.length} ${step}`);
}
