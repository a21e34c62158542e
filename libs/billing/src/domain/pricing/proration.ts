import { multiplyRatio, ratio, roundInto, roundMoney, type RoundingStep } from '@commerce/kernel';

/** By local days, by the second, or by days of a year with twelve months of thirty. */
export type ProrationMode = 'day' | 'second' | 'thirty';

/** `owned` of `total` days, or milliseconds. */
interface Share {
  readonly owned: number;
  readonly total: number;
  readonly currency: string;
}

/**
 * The part of a price that a share does not own, rounded as it is for a stop: half of 0.05 gives back 0.03, and a share of
 * everything costs the whole price. `shown` receives the rounding.
 */
export function unownedMinor(
  whole_minor: number,
  { owned, total, currency }: Share,
  shown?: { readonly steps: RoundingStep[]; readonly mode: ProrationMode },
): number {
  if (owned === total) return 0;
  const exact = multiplyRatio(ratio(whole_minor), ratio(total - owned, total));
  if (shown === undefined) return roundMoney(exact, currency);
  return roundInto(shown.steps, `proration.unused_by_${shown.mode}`, exact, currency);
}
