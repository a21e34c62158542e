import { compareRatio, ratio, ratioOfDecimal, type Ratio } from './ratio.js';

/**
 * Splits `total` (an integer, a multiple of `step`) in proportion to `weights` into multiples of `step` that add up to
 * it: the rest after rounding down goes to the largest remainders, ties to the lower index. A negative total mirrors
 * the positive one.
 * @param weights decimals of 0 or more; if all are 0, the split is even
 */
export function splitByWeights(total: number, weights: readonly number[], step = 1): number[] {
  if (!Number.isSafeInteger(total) || total % step !== 0) {
    throw new RangeError(`${total} cannot be split in steps of ${step}`);
  }
  if (weights.some((weight) => !(weight >= 0 && weight < Infinity))) {
    throw new RangeError('Weights must be finite and not negative');
  }
  if (weights.length === 0) {
    if (total !== 0) throw new RangeError('An amount cannot be split into no parts');
    return [];
  }
  const sign = total < 0 ? -1 : 1;
  const steps = largestRemainder(BigInt(Math.abs(total) / step), wholeWeights(weights));
  // `|| 0` turns -0 into 0.
  return steps.map((part) => Number(part) * step * sign || 0);
}

/** The weights as integers in the same proportions, so that remainders are compared exactly. */
function wholeWeights(weights: readonly number[]): bigint[] {
  if (weights.every((weight) => weight === 0)) return weights.map(() => 1n);
  const exact = weights.map(ratioOfDecimal);
  const scale = exact.reduce((product, { d }) => (product % d === 0n ? product : product * d), 1n);
  return exact.map(({ n, d }) => n * (scale / d));
}

function largestRemainder(total: bigint, weights: readonly bigint[]): bigint[] {
  const sum = weights.reduce((a, b) => a + b, 0n);
  const parts = weights.map((weight) => (total * weight) / sum);
  const left = total - parts.reduce((a, b) => a + b, 0n);
  const remainders = weights.map((weight, index): [number, Ratio] => [index, ratio((total * weight) % sum)]);
  remainders.sort(([i, a], [j, b]) => compareRatio(b, a) || i - j);
  for (const [index] of remainders.slice(0, Number(left))) parts[index] = (parts[index] ?? 0n) + 1n;
  return parts;
}
