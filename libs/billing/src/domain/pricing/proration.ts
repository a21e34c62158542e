import { multiplyRatio, ratio, roundInto, roundMoney, type RoundingStep } from '@commerce/kernel';

/** By local days, by the second, or by days of a year with twelve months of thirty. */
export type ProrationMode = 'day' | 'second' | 'thirty';

/** A part of a period, in days or milliseconds from its start: `[from, to)`. */
export type OwnedRange = readonly [from: number, to: number];

/** The parts of a period that some terms own, in order, none touching the next, of `total` days or milliseconds. */
export interface OwnedShare {
  readonly ranges: readonly OwnedRange[];
  readonly total: number;
}

/** How many days or milliseconds they own. */
export function unitsOwned({ ranges }: Pick<OwnedShare, 'ranges'>): number {
  return ranges.reduce((sum, [from, to]) => sum + to - from, 0);
}

export function ownsAll({ ranges, total }: OwnedShare): boolean {
  const [first] = ranges;
  return first?.[0] === 0 && first[1] === total;
}

/**
 * The part of a price that a share owns, rounded once for each range: one from the start costs the price less the rounded
 * rest, as a stop gives that back, and any other its own rounded part. A share of everything costs the whole price.
 * `shown` receives the roundings.
 */
export function ownedMinor(
  whole_minor: number,
  { ranges, total }: OwnedShare,
  currency: string,
  shown?: { readonly steps: RoundingStep[]; readonly mode: ProrationMode },
): number {
  const part = (units: number, rule: string): number => {
    if (units === 0) return 0;
    const exact = multiplyRatio(ratio(whole_minor), ratio(units, total));
    if (shown === undefined) return roundMoney(exact, currency);
    return roundInto(shown.steps, `proration.${rule}_by_${shown.mode}`, exact, currency);
  };
  return ranges.reduce(
    (sum, [from, to]) =>
      sum + (from === 0 ? whole_minor - part(total - to, 'rest') : part(to - from, 'part')),
    0,
  );
}

/** The ranges in order, those that touch joined. */
export function joined(ranges: readonly OwnedRange[]): readonly OwnedRange[] {
  const found: OwnedRange[] = [];
  for (const [from, to] of ranges.toSorted(([a], [b]) => a - b)) {
    const last = found.at(-1);
    if (from === to) continue;
    if (last?.[1] === from) found.splice(-1, 1, [last[0], to]);
    else found.push([from, to]);
  }
  return found;
}
