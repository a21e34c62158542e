import { joined, ownedMinor, type OwnedRange, type OwnedShare } from '../pricing/proration.js';
import type { Counting } from './day-count.js';
import { ownership, type Divided } from './ownership.js';
import { sameTerms, within, type ClosedSpan, type SameTerms, type Span } from './spans.js';

/** The price of a whole period under some terms, frozen when they are first charged in it. */
export interface WholePrice {
  readonly whole_minor: number;
  readonly is_prorated: boolean;
}

/** What held in a period, and the instant at which service ends by what is known now; null: not in this period. */
export interface HeldPeriod<T> extends Divided {
  readonly spans: readonly Span<T>[];
  readonly service_end: Date | null;
}

/** The prices of terms, and how their days are counted. */
export interface CostBasis<T> {
  readonly currency: string;
  readonly counting: Counting;
  readonly priceOf: (terms: T) => WholePrice;
  readonly same: SameTerms<T>;
}

/** The part of a period's cost that is due to one of its terms. */
export interface CostPart<T> extends OwnedShare {
  readonly terms: T;
  readonly whole_minor: number;
  readonly amount_minor: number;
}

/**
 * What a period costs by what held in it, part by part: for each of its terms the whole price by the days that it owns.
 * Where one of them is not prorated, the whole price of the dearest.
 */
export function cost<T>(period: HeldPeriod<T>, basis: CostBasis<T>): readonly CostPart<T>[] {
  const { start, end, service_end } = period;
  const spans = within(period.spans, start, service_end !== null && service_end < end ? service_end : end);
  const priceOf = (terms: T): number => basis.priceOf(terms).whole_minor;
  const whole = wholeOwner(spans, basis);
  if (whole !== null) {
    const whole_minor = priceOf(whole);
    return [{ terms: whole, whole_minor, ranges: [[0, 1]], total: 1, amount_minor: whole_minor }];
  }
  const { ranges: own, total } = ownership(spans, period, basis.counting, priceOf);
  return groupedByTerms(spans, own, basis.same).map(({ terms, ranges }) => {
    const whole_minor = priceOf(terms);
    const amount_minor = ownedMinor(whole_minor, { ranges, total }, basis.currency);
    return { terms, whole_minor, ranges, total, amount_minor };
  });
}

export function totalMinor(parts: readonly { readonly amount_minor: number }[]): number {
  return parts.reduce((sum, { amount_minor }) => sum + amount_minor, 0);
}

/** The dearest terms, where one that is not prorated held; null otherwise. */
function wholeOwner<T>(spans: readonly ClosedSpan<T>[], { priceOf }: CostBasis<T>): T | null {
  const held = spans.flatMap(({ terms }) => (terms === null ? [] : [{ terms, ...priceOf(terms) }]));
  if (held.every(({ is_prorated }) => is_prorated)) return null;
  return held.reduce((a, b) => (b.whole_minor > a.whole_minor ? b : a)).terms;
}

/** Terms that held more than once are one part, so that splitting a span changes nothing. */
function groupedByTerms<T>(
  spans: readonly ClosedSpan<T>[],
  own: readonly (readonly OwnedRange[])[],
  same: SameTerms<T>,
): readonly { readonly terms: T; readonly ranges: readonly OwnedRange[] }[] {
  const groups: { terms: T; ranges: readonly OwnedRange[] }[] = [];
  for (const [index, { terms }] of spans.entries()) {
    const ranges = joined(own[index] ?? []);
    if (terms === null || ranges.length === 0) continue;
    const group = groups.find((one) => sameTerms(one.terms, terms, same));
    if (group === undefined) groups.push({ terms, ranges });
    else group.ranges = joined([...group.ranges, ...ranges]);
  }
  return groups;
}
