import { multiplyRatio, ratio, roundInto, wallTimeOf, type RoundingStep } from '@commerce/kernel';
import type { IntervalUnit } from '../calendar/calendar.js';
import { thirtyDays, type Span } from './proration-thirty.js';

/** By local days, by the second, or by days of a year with twelve months of thirty. */
export type ProrationMode = 'day' | 'second' | 'thirty';

/** A charged period `[start, end)` and the instant that divides it. It is one billing interval: `count` of `unit`. */
export interface ProrationInput {
  readonly mode: ProrationMode;
  readonly timezone: string;
  readonly unit: IntervalUnit;
  readonly count: number;
  /** The charge of the period, in minor units. */
  readonly base_minor: number;
  readonly currency: string;
  readonly start: Date;
  readonly end: Date;
  readonly at: Date;
  /** Set where the charge is for the rest from this date on: the part up to `at` is then rounded as one amount. */
  readonly entered?: Date;
  /**
   * Set where the terms begin at `entered`, or else at `at`: the end of what held before in the period; null for nothing.
   * The day in which they begin is theirs, unless what held before has used it.
   */
  readonly after?: Date | null;
  readonly is_prorated: boolean;
}

/** used_minor + unused_minor = base_minor, always. `unused` of `total` are days; milliseconds in mode second. */
export interface UsedAndUnused {
  readonly used_minor: number;
  readonly unused_minor: number;
  readonly unused: number;
  readonly total: number;
  readonly steps: readonly RoundingStep[];
}

/**
 * Divides the charge of a period at an instant: unused = R(base * unused / total), used is the rest. A price that is
 * not prorated has no unused part.
 *
 * Pause bills `used_minor` (arrears) or refunds `unused_minor` (prepay); a resume on the old calendar collects
 * `unused_minor` at its own instant. The day of the pause counts as used, so a pause and a resume at one instant cost
 * nothing.
 */
export function usedAndUnused(input: ProrationInput): UsedAndUnused {
  const { entered, is_prorated, base_minor } = input;
  const lasts = entered !== undefined && entered < input.at;
  const divided = lasts ? { ...input, after: undefined } : input;
  const { unused, total } = is_prorated ? spanOf(divided) : { unused: 0, total: 1 };
  const steps: RoundingStep[] = [];
  const rounded = (days: number, rule: string): number => {
    const exact = multiplyRatio(ratio(input.base_minor), ratio(days, total));
    return roundInto(steps, `proration.${rule}_by_${input.mode}`, exact, input.currency);
  };
  const rest = entered !== undefined && is_prorated ? spanOf({ ...input, at: entered }).unused : null;
  const unused_minor =
    rest === null ? rounded(unused, 'unused') : rounded(rest, 'rest') - rounded(rest - unused, 'part');
  return { used_minor: base_minor - unused_minor, unused_minor, unused, total, steps };
}

/** The day in which `at` falls, as a part of the charge. */
export function dayOf(input: ProrationInput): UsedAndUnused {
  const from = spanOf({ ...input, after: null });
  const after = spanOf({ ...input, after: undefined });
  const { total } = from;
  const unused = from.unused - after.unused;
  const steps: RoundingStep[] = [];
  const exact = multiplyRatio(ratio(input.base_minor), ratio(unused, total));
  const unused_minor = roundInto(steps, `proration.day_by_${input.mode}`, exact, input.currency);
  return { used_minor: input.base_minor - unused_minor, unused_minor, unused, total, steps };
}

/** The prorate_amount of a stop at `at`, in minor units: the unused part, negated. Never above 0 for a charge. */
export function prorateStop(input: ProrationInput): number {
  return 0 - usedAndUnused(input).unused_minor;
}

function spanOf(input: ProrationInput): Span {
  const span = measure(input);
  // A period that has not begun is entirely unused, even where its first day would count as begun.
  if (input.at < input.start) return { unused: span.total, total: span.total };
  if (input.at >= input.end) return { unused: 0, total: span.total };
  return { unused: Math.min(Math.max(span.unused, 0), span.total), total: span.total };
}

function measure({ mode, unit, count, timezone, start, end, at, after }: ProrationInput): Span {
  if (mode === 'second') {
    return { unused: end.getTime() - at.getTime(), total: Math.max(1, end.getTime() - start.getTime()) };
  }
  const first = wallTimeOf(start, timezone).day;
  const last = wallTimeOf(end, timezone).day;
  const firstUnused = after === undefined ? firstUnusedDay(at, timezone) : firstOwnDay(at, after, timezone);
  // A week has seven days and a day one in both ways of counting; months of thirty would give some weeks nine.
  if (mode === 'thirty' && unit !== 'WEEK' && unit !== 'DAY') {
    return thirtyDays({ unit, count }, first, last, firstUnused);
  }
  // A period that an end cuts within its first day still has one day.
  return { unused: last - firstUnused, total: Math.max(1, last - first) };
}

/** The day in which terms begin, unless it was used before. */
function firstOwnDay(at: Date, after: Date | null, timezone: string): number {
  const { day } = wallTimeOf(at, timezone);
  return after === null ? day : Math.max(day, firstUnusedDay(after, timezone));
}

/** The day after the stop, or the same day at exactly 00:00: a day that has begun is used. */
export function firstUnusedDay(at: Date, timezone: string): number {
  const wall = wallTimeOf(at, timezone);
  return wall.ms === 0 ? wall.day : wall.day + 1;
}
