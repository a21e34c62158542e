import type { Cut } from './calendar.js';
import { fraction, rounded, times, type Fraction } from './fraction.js';
import { beginOf, dateOf } from './wall.js';

export type Mode = 'day' | 'second' | 'thirty';

/** From when on which terms held; null: a pause. A span lasts until the next begins. */
export interface Span {
  readonly from: number;
  readonly terms: string | null;
}

export interface Whole {
  /** Of the period, in minor units. */
  readonly price: number;
  readonly prorated: boolean;
}

/** What the cost of a period depends on. */
export interface Held {
  readonly start: number;
  /** By the calendar. */
  readonly end: number;
  /** The subscription's own end, where that comes first. */
  readonly cut: Cut | null;
  /** Nothing of the period holds from here on. */
  readonly until: number;
  readonly spans: readonly Span[];
  readonly whole: (terms: string) => Whole;
  readonly uncut: (terms: string) => number;
  readonly zone: string;
  readonly mode: Mode;
  /** Whether a cell of the table of thirty days, or a date, is paid for in another calendar. */
  readonly isElsewhere: (day: number) => boolean;
  readonly step: number;
}

/** A part of the period and the terms that it belongs to. */
interface Run {
  readonly terms: string | null;
  readonly owned: Fraction;
  readonly isFirst: boolean;
}

/** What a period costs (D54). */
export function costOf(held: Held): number {
  const terms = [...new Set(pieces(held).map((one) => one.terms))].filter((one) => one !== null);
  if (terms.some((one) => !held.whole(one).prorated)) {
    return Math.max(...terms.map((one) => held.uncut(one)));
  }
  const runs = held.mode === 'second' ? byTime(held) : byDay(held);
  return runs.reduce((sum, { terms: of, owned, isFirst }) => {
    if (of === null) return sum;
    // As a stop has it (D5): of the part that begins the period, what follows it is rounded.
    const { price } = held.whole(of);
    const part = (share: Fraction): number => rounded(times(fraction(price), share), held.step);
    return sum + (isFirst ? price - part(fraction(owned.d - owned.n, owned.d)) : part(owned));
  }, 0);
}

interface Piece extends Span {
  readonly to: number;
}

/** The spans as far as they lie in the period. */
function pieces({ spans, start, until }: Held): Piece[] {
  return spans.flatMap(({ from, terms }, index) => {
    const next = spans[index + 1]?.from ?? Infinity;
    const piece = { from: Math.max(from, start), to: Math.min(next, until), terms };
    return piece.from < piece.to ? [piece] : [];
  });
}

function byTime(held: Held): Run[] {
  const whole = (held.cut?.at ?? held.end) - held.start;
  return joined(
    pieces(held).map(({ terms, from, to }) => ({ terms, size: to - from })),
    whole,
  );
}

/** Each day belongs to the dearest of the terms that held in it. */
function byDay(held: Held): Run[] {
  const days = daysOf(held);
  const owned = days.map((day) => ({ terms: ownerOf(held, day), size: 1 }));
  return joined(owned, days.length);
}

interface Day {
  readonly number: number;
  readonly from: number;
  readonly to: number;
}

/** The date in which a period ends is one of the next. */
function daysOf({ start, end, cut, zone }: Held): Day[] {
  const days: Day[] = [];
  const last = Math.min(dateOf(zone, end), cut?.date ?? Infinity);
  for (let date = dateOf(zone, start); date < last; date += 1) {
    // The hours of a period after its last midnight are part of its last day.
    days.push({
      number: date,
      from: beginOf(zone, date),
      to: date + 1 < last ? beginOf(zone, date + 1) : Infinity,
    });
  }
  return days;
}

export function ownerOf(held: Held, { number, from, to }: Day): string | null {
  if (held.isElsewhere(number)) return null;
  const there = pieces(held).flatMap((piece) =>
    piece.terms !== null && piece.from < to && piece.to > from ? [piece.terms] : [],
  );
  const price = (one: string): number => held.whole(one).price;
  return there.reduce<string | null>(
    (best, one) => (best === null || price(one) > price(best) ? one : best),
    null,
  );
}

/** The dearest price of a date in this period, per day; null where nothing held in it. */
export function priceOfDate(held: Held, date: number): Fraction | null {
  const days = daysOf(held);
  const day = days.find(({ number }) => number === date);
  const owner = day === undefined ? null : ownerOf({ ...held, isElsewhere: () => false }, day);
  return owner === null ? null : fraction(held.whole(owner).price, days.length);
}

/** Neighbours of the same terms are one part, which is rounded once. */
function joined(sizes: readonly { terms: string | null; size: number }[], whole: number): Run[] {
  const runs: { terms: string | null; size: number }[] = [];
  for (const { terms, size } of sizes) {
    const last = runs.at(-1);
    if (last?.terms === terms) last.size += size;
    else runs.push({ terms, size });
  }
  return runs.map(({ terms, size }, index) => ({
    terms,
    owned: fraction(size, whole),
    isFirst: index === 0,
  }));
}
