import { countDays, dayOf, touchedDays, type Counting, type DayCount } from './day-count.js';
import type { OwnedRange } from '../pricing/proration.js';
import type { ClosedSpan } from './spans.js';

/** A period to divide: its bounds by the calendar, and instants whose local day another calendar owns. */
export interface Divided {
  readonly start: Date;
  readonly end: Date;
  readonly yields: readonly Date[];
}

/** The parts of a period that each span owns, in days or milliseconds from its start, and the whole. */
export interface Ownership {
  readonly ranges: readonly (readonly OwnedRange[])[];
  readonly total: number;
}

/**
 * Divides a period among its spans. By days, a local day belongs to the dearest span that held in it for any time;
 * `rank` orders them, null for a pause, which owns nothing. By the second, each span owns its own time.
 */
export function ownership<T>(
  spans: readonly ClosedSpan<T>[],
  period: Divided,
  counting: Counting,
  rank: (terms: T) => number,
): Ownership {
  const { mode } = counting;
  const { start, end } = period;
  if (mode === 'second') {
    const own = spans.map(({ from, to, terms }): OwnedRange[] =>
      terms === null ? [] : [[from.getTime() - start.getTime(), to.getTime() - start.getTime()]],
    );
    return { ranges: own, total: Math.max(1, end.getTime() - start.getTime()) };
  }
  const days = countDays(start, end, { ...counting, mode });
  const touched = spans.map((span) => touchedDays(span, days, counting.timezone));
  const own = spans.map((): OwnedRange[] => []);
  const without = yielded(period, days, counting.timezone);
  for (const [from, to] of ranges([...touched, ...[...without].map((day) => [day, day] as const)])) {
    const owner = without.has(from) ? null : dearest(spans, touched, from, rank);
    if (owner !== null) own[owner]?.push([days.total - days.from(from), days.total - days.from(to)]);
  }
  return { ranges: own, total: days.total };
}

/** The ranges of days `[from, to)` within which nothing begins or ends; each first and last day is a range of its own. */
function ranges(days: readonly (readonly [number, number])[]): readonly (readonly [number, number])[] {
  const bounds = days.flatMap(([first, last]) => [first, first + 1, last, last + 1]);
  const sorted = [...new Set(bounds)].sort((a, b) => a - b);
  return sorted.slice(1).map((to, index) => [sorted[index] ?? to, to] as const);
}

function dearest<T>(
  spans: readonly ClosedSpan<T>[],
  touched: readonly (readonly [number, number])[],
  day: number,
  rank: (terms: T) => number,
): number | null {
  let best: { readonly index: number; readonly price: number } | null = null;
  for (const [index, { terms }] of spans.entries()) {
    const [first, last] = touched[index] ?? [day, day - 1];
    if (terms === null || day < first || last < day) continue;
    const price = rank(terms);
    if (best === null || price > best.price) best = { index, price };
  }
  return best?.index ?? null;
}

function yielded({ yields }: Divided, days: DayCount, timezone: string): ReadonlySet<number> {
  return new Set(yields.map((instant) => dayOf(instant.getTime(), days, timezone)));
}
