import { wallTimeOf } from '@commerce/kernel';

import { earlier } from '../calendar/schedule.js';
import { lastTerms, type BillingPeriod, type HeldTerms } from './billing-period.js';
import { countDays } from './day-count.js';
import { basisOf, pricedTerms, type LineBasis } from './period-cost.js';

/**
 * The periods, of which one yields the day in which a new calendar begins to the other: the dearer one, or else the
 * earlier, keeps it. Nothing changes where no day is shared.
 */
export function sharingDays(line: LineBasis, periods: readonly BillingPeriod[]): readonly BillingPeriod[] {
  const after: BillingPeriod[] = [];
  for (const next of periods) {
    // A period that never held, as a change took effect before it, shares nothing.
    const place = after.findLastIndex((period) => lastTerms(period) !== undefined);
    const before = after[place];
    if (before === undefined || before.run === next.run) {
      after.push(next);
      continue;
    }
    const [sharedBefore, sharedNext] = sharing(line, before, next);
    after[place] = sharedBefore;
    after.push(sharedNext);
  }
  return after;
}

/** Whose day it is by what holds now; where that has changed, both periods are settled again from that day on. */
function sharing(
  line: LineBasis,
  before: BillingPeriod,
  next: BillingPeriod,
): readonly [BillingPeriod, BillingPeriod] {
  const { start: at } = next;
  const day = sharedDay(line, before, next);
  const yields = (period: BillingPeriod, isOwner: boolean): BillingPeriod => {
    const known = period.yields.find((one) => isSameTime(one.at, at));
    const isYielded = day !== null && !isOwner;
    if (isYielded === (known !== undefined)) return period;
    const others = period.yields.filter((one) => one !== known);
    const settled_until = earlier(at, period.settled_until);
    return { ...period, yields: isYielded ? [...others, { at, price: day.price }] : others, settled_until };
  };
  return [yields(before, day?.owner === 'before'), yields(next, day?.owner === 'next')];
}

interface SharedDay {
  readonly owner: 'before' | 'next';
  /** That of its owner, in minor units. */
  readonly price: number;
}

/** The day in which a calendar begins and what came before it held, too; null where they share none. */
function sharedDay(line: LineBasis, before: BillingPeriod, next: BillingPeriod): SharedDay | null {
  const { start: at } = next;
  const [earlierTerms, laterTerms] = [termsOn(line, before, at), termsOn(line, next, at)];
  if (earlierTerms.length === 0 || laterTerms.length === 0 || !isShared(line, before, at)) return null;
  const taken = before.yields.find((one) => !isSameTime(one.at, at) && isSameDay(line, one.at, at));
  const price = taken?.price ?? dayPrice(line, before, earlierTerms);
  const own = dayPrice(line, next, laterTerms);
  if (own <= price) return { owner: 'before', price };
  // Where a third calendar has the day, the period before has nothing to yield.
  return taken === undefined ? { owner: 'next', price: own } : null;
}

/** Whether the day in which the next calendar begins is one of the period, and has been begun by what held in it. */
function isShared(line: LineBasis, period: BillingPeriod, at: Date): boolean {
  const { terms, schedule } = line;
  const { spans, start, end } = period;
  // A period that was not broken off ends with the day before.
  if (
    wallTimeOf(at, schedule.timezone).day >=
    Math.max(wallTimeOf(start, schedule.timezone).day + 1, wallTimeOf(end, schedule.timezone).day)
  )
    return false;
  const last = spans.findLast((span) => span.terms !== null);
  if (terms.settings.proration_mode === 'second' || last === undefined) return false;
  const until = last.to ?? at;
  return (
    until > last.from &&
    wallTimeOf(new Date(until.getTime() - 1), schedule.timezone).day >= wallTimeOf(at, schedule.timezone).day
  );
}

function isSameTime(a: Date, b: Date): boolean {
  return a.getTime() === b.getTime();
}

/** Whether two instants lie in one local day. */
export function isSameDay(
  { schedule: { timezone } }: Pick<LineBasis, 'schedule'>,
  a: Date,
  b: Date,
): boolean {
  return wallTimeOf(a, timezone).day === wallTimeOf(b, timezone).day;
}

/** The terms that held in the local day of `at`. */
function termsOn(line: LineBasis, { spans, terms }: BillingPeriod, at: Date): readonly HeldTerms[] {
  const dayOf = (instant: number): number => wallTimeOf(new Date(instant), line.schedule.timezone).day;
  const day = dayOf(at.getTime());
  return spans.flatMap(({ from, to, terms: place }) => {
    const isThere = dayOf(from.getTime()) <= day && (to === null || dayOf(to.getTime() - 1) >= day);
    return isThere && place !== null ? (terms[place] ?? []) : [];
  });
}

/** The price of a day of a period under the dearest of these terms, in minor units. */
function dayPrice(line: LineBasis, period: BillingPeriod, terms: readonly HeldTerms[]): number {
  return Math.max(...terms.map((one) => dayPriceUnder(line, period, one)));
}

function dayPriceUnder(line: LineBasis, period: BillingPeriod, terms: HeldTerms): number {
  const held = pricedTerms(line, period, terms).held;
  const ends = { service: period.end, settled: period.end };
  const { counting, priceOf } = basisOf(line, { ...period, terms: [held] }, ends);
  const { mode } = counting;
  if (mode === 'second') return 0;
  return priceOf(0).whole_minor / countDays(period.start, period.end, { ...counting, mode }).total;
}
