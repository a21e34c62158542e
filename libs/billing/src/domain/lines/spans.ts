/** What held from one instant to the next: terms, or null for a pause. `to` null: it still holds. */
export interface Span<T> {
  readonly from: Date;
  readonly to: Date | null;
  readonly terms: T | null;
}

/** A span with its end known. */
export interface ClosedSpan<T> extends Span<T> {
  readonly to: Date;
}

/** Whether two values are the same terms; a pause is the same as a pause. */
export type SameTerms<T> = (a: T, b: T) => boolean;

/**
 * The spans with these terms from `at` on. What would have held after `at` is replaced; spans of the same terms that
 * touch are one, and an empty one is none.
 */
export function holding<T>(
  spans: readonly Span<T>[],
  at: Date,
  terms: T | null,
  same: SameTerms<T>,
): readonly Span<T>[] {
  const before = spans.filter(({ from }) => from < at).map((span) => closedBy(span, at));
  const last = before.at(-1);
  if (last === undefined || !sameTerms(last.terms, terms, same)) {
    return [...before, { from: at, to: null, terms }];
  }
  return [...before.slice(0, -1), { ...last, to: null }];
}

/** The parts of spans within `[start, end)`, in order. */
export function within<T>(spans: readonly Span<T>[], start: Date, end: Date): readonly ClosedSpan<T>[] {
  return spans
    .map((span) => ({ ...closedBy(span, end), from: span.from < start ? start : span.from }))
    .filter(({ from, to }) => from < to);
}

export function sameTerms<T>(a: T | null, b: T | null, same: SameTerms<T>): boolean {
  return a === null || b === null ? a === b : same(a, b);
}

function closedBy<T>({ from, to, terms }: Span<T>, at: Date): ClosedSpan<T> {
  return { from, to: to === null || to > at ? at : to, terms };
}
