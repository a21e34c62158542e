import type { Counting } from './day-count.js';
import { joined, type OwnedRange } from '../pricing/proration.js';
import { ownership, type Divided } from './ownership.js';
import { sameTerms, within, type SameTerms, type Span } from './spans.js';

/** A period whose spans may be joined, as of `now`. */
interface Compacting<T> extends Divided {
  readonly counting: Counting;
  readonly rank: (terms: T) => number;
  readonly same: SameTerms<T>;
  readonly now: Date;
}

/**
 * The spans without those that decide nothing: pauses and cheaper terms within days that belong to others. The time of a
 * dropped span joins the one before it. The last two stay, as what follows may still replace them.
 */
export function compacted<T>(spans: readonly Span<T>[], period: Compacting<T>): readonly Span<T>[] {
  for (let index = 1; index < spans.length - 1; index += 1) {
    const next = spans[index + 1];
    if (next === undefined || next.from >= period.now) continue;
    const fewer = without(spans, index, period.same);
    if (sameOwners(spans, fewer, period)) return compacted(fewer, period);
  }
  return spans;
}

/** The spans without one, whose time joins the one before; that then joins the next where both have the same terms. */
function without<T>(spans: readonly Span<T>[], index: number, same: SameTerms<T>): readonly Span<T>[] {
  const [before, dropped, after] = [spans[index - 1], spans[index], spans[index + 1]];
  if (before === undefined || dropped === undefined || after === undefined) return spans;
  const [head, tail] = [spans.slice(0, index - 1), spans.slice(index + 2)];
  return sameTerms(before.terms, after.terms, same)
    ? [...head, { ...before, to: after.to }, ...tail]
    : [...head, { ...before, to: dropped.to }, after, ...tail];
}

function sameOwners<T>(a: readonly Span<T>[], b: readonly Span<T>[], period: Compacting<T>): boolean {
  const [owners, others] = [ownersOf(a, period), ownersOf(b, period)];
  return (
    owners.length === others.length &&
    owners.every(({ terms, range: [from, to] }, index) => {
      const other = others[index];
      if (other === undefined || !sameTerms(terms, other.terms, period.same)) return false;
      return other.range[0] === from && other.range[1] === to;
    })
  );
}

interface Owner<T> {
  readonly terms: T | null;
  readonly range: OwnedRange;
}

/** What each of the terms owns, in order; neighbours with the same terms are one. */
function ownersOf<T>(spans: readonly Span<T>[], period: Compacting<T>): readonly Owner<T>[] {
  const closed = within(spans, period.start, period.end);
  const { ranges } = ownership(closed, period, period.counting, period.rank);
  const all = closed.flatMap(({ terms }, index) =>
    joined(ranges[index] ?? []).map((range) => ({ terms, range })),
  );
  const owners: Owner<T>[] = [];
  for (const { terms, range } of all.toSorted((a, b) => a.range[0] - b.range[0])) {
    const last = owners.at(-1);
    const touches =
      last !== undefined && last.range[1] === range[0] && sameTerms(last.terms, terms, period.same);
    if (touches) owners.splice(-1, 1, { terms, range: [last.range[0], range[1]] });
    else owners.push({ terms, range });
  }
  return owners;
}
