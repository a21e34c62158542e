import { DAY_MS, instantOfWall, wallTimeOf, type WallTime } from '@commerce/kernel';

import { fraction, least, minus, NONE, plus, rounded, times, type Fraction } from './fraction.js';

/** The calendar of the second model and the line on which a price grows, written from the rules alone. */

export interface ModelInterval {
  readonly unit: 'DAY' | 'WEEK' | 'MONTH' | 'MONTH_END' | 'ANNUAL';
  readonly count: number;
}

export interface ModelTerms {
  /** Of one interval, quantity included, in minor units. */
  readonly price_minor: number;
  readonly interval: ModelInterval;
  /** The money is collected once in each. */
  readonly billing: ModelInterval;
  readonly prepay: boolean;
  readonly is_prorated: boolean;
}

/** The lower price of the intervals from `from` to before `until`, counted from the anchor. */
export interface ModelDiscount {
  readonly price_minor: number;
  readonly from: number;
  readonly until: number;
}

export interface ModelCalendar {
  readonly anchor: Date;
  readonly terms: ModelTerms;
  readonly discount: ModelDiscount | null;
  /** Absent where no discount was ended. */
  readonly charged?: ModelCharged;
  /** The end of the subscription, known from the start of the calendar; infinite without one. */
  readonly ends: number;
}

/** The billing periods up to `through` were charged with another discount, and keep their charges. */
export interface ModelCharged {
  readonly through: number;
  readonly discount: ModelDiscount | null;
}

/** Boundary `index` of the billing periods. */
export function boundary({ anchor, terms }: ModelCalendar, index: number, zone: string): number {
  return boundaryOf(anchor, terms.billing, index, zone);
}

/** The end of billing period `index`, which the end of the subscription may cut. */
export function endOf(calendar: ModelCalendar, index: number, zone: string): number {
  return Math.min(boundary(calendar, index + 1, zone), calendar.ends);
}

/** The end of as many price intervals from the anchor. */
export function intervalsEnd({ anchor, terms }: Unended, intervals: number, zone: string): number {
  return boundaryOf(anchor, terms.interval, intervals, zone);
}

/** A calendar of which it is not known when it ends. */
type Unended = Omit<ModelCalendar, 'ends'>;

/** The number of price intervals that have ended by an instant. */
export function intervalsBy({ anchor, terms }: Unended, at: number, zone: string): number {
  const most = { DAY: 1, WEEK: 7, MONTH: 31, MONTH_END: 31, ANNUAL: 366 }[terms.interval.unit];
  const whole = Math.floor((at - anchor.getTime()) / (most * terms.interval.count * DAY_MS));
  let index = Math.max(0, whole - 1);
  while (boundaryOf(anchor, terms.interval, index + 1, zone) <= at) index += 1;
  return index;
}

/** The charge of a billing period up to its end: the amounts accrued by its two ends, each rounded. */
export function chargeOf(calendar: ModelCalendar, index: number, zone: string): number {
  const known = CHARGES.get(calendar) ?? new Map<number, number>();
  CHARGES.set(calendar, known);
  const { charged } = calendar;
  const priced = charged && index <= charged.through ? { ...calendar, discount: charged.discount } : calendar;
  const by = (at: number): Fraction => accruedBy(priced, boundary(calendar, at, zone), zone);
  const upTo = (): Fraction => (isCut(calendar, index, zone) ? accruedByEnd(priced, zone) : by(index + 1));
  const charge = known.get(index) ?? rounded(least(by(index + 1), upTo())) - rounded(by(index));
  known.set(index, charge);
  return charge;
}

/** A period that the end cuts costs its part only where the price is prorated. */
function isCut(calendar: ModelCalendar, index: number, zone: string): boolean {
  return calendar.terms.is_prorated && calendar.ends < boundary(calendar, index + 1, zone);
}

/** Charges by the index of their period. */
const CHARGES = new WeakMap<ModelCalendar, Map<number, number>>();

/** The first interval of calendar months is a part of a month where its calendar begins inside one. */
function beginsInsideMonth({ anchor, terms }: ModelCalendar, zone: string): boolean {
  const { day, ms } = wallTimeOf(anchor, zone);
  return terms.interval.unit === 'MONTH_END' && !(ms === 0 && civil(day).date === 1);
}

function accruedBy(calendar: ModelCalendar, at: number, zone: string): Fraction {
  const passed = intervalsBy(calendar, at, zone);
  let accrued = NONE;
  for (let index = 0; index < passed; index += 1) accrued = plus(accrued, priceOf(calendar, index, zone));
  return plus(accrued, times(priceOf(calendar, passed, zone), shareOf(calendar, passed, at, zone)));
}

/** Accrued by the end of the subscription, the day in which it ends included. */
function accruedByEnd(calendar: ModelCalendar, zone: string): Fraction {
  const { ends } = calendar;
  const passed = intervalsBy(calendar, ends, zone);
  const before = accruedBy(calendar, intervalsEnd(calendar, passed, zone), zone);
  return plus(before, times(priceOf(calendar, passed, zone), shareByEnd(calendar, passed, zone)));
}

/** The share of interval `index` that has passed by the end: equal parts of months, and the days of the part that runs. */
function shareByEnd(calendar: ModelCalendar, index: number, zone: string): Fraction {
  const { anchor, terms } = calendar;
  const isStubbed = beginsInsideMonth(calendar, zone);
  const isByParts = isByMonth(calendar, zone);
  if (!isByParts || (isStubbed && index === 0)) return daysByEnd(calendar, terms.interval, index, zone);
  const months = commonMonths(monthsOf(terms.interval), monthsOf(terms.billing));
  const part = { unit: terms.interval.unit === 'MONTH_END' ? 'MONTH_END' : 'MONTH', count: months } as const;
  const parts = monthsOf(terms.interval) / months;
  const first = isStubbed ? 1 + (index - 1) * parts : index * parts;
  let running = first;
  while (boundaryOf(anchor, part, running + 1, zone) <= calendar.ends) running += 1;
  const days = daysByEnd(calendar, part, running, zone);
  return times(plus(fraction(running - first), days), fraction(1, parts));
}

/** The share of the days of an interval that have passed by the end; a day begins at the hour of the interval. */
function daysByEnd(
  { anchor, ends }: ModelCalendar,
  of: ModelInterval,
  index: number,
  zone: string,
): Fraction {
  const start = wallOf(anchor, of, index, zone);
  const all = wallOf(anchor, of, index + 1, zone).day - start.day;
  if (boundaryOf(anchor, of, index, zone) === ends) return NONE;
  const { day, ms } = wallTimeOf(new Date(ends), zone);
  return fraction(Math.min(day - start.day + (ms > start.ms ? 1 : 0), all), all);
}

function commonMonths(a: number, b: number): number {
  return b === 0 ? a : commonMonths(b, a % b);
}

/** The price of interval `index`. */
function priceOf(calendar: ModelCalendar, index: number, zone: string): Fraction {
  const { terms, discount, anchor } = calendar;
  const isLower = discount !== null && index >= discount.from && index < discount.until;
  const price = fraction(isLower ? discount.price_minor : terms.price_minor);
  if (index > 0 || !beginsInsideMonth(calendar, zone)) return price;
  if (!terms.is_prorated) return NONE;
  const { day } = wallTimeOf(anchor, zone);
  const { date } = civil(day);
  const days = monthsLater(day - date + 1, 1) - (day - date + 1);
  return times(price, fraction(days - date + 1, days * terms.interval.count));
}

/** The share of interval `index` that has passed: by months where both intervals consist of them, else by days. */
function shareOf(calendar: ModelCalendar, index: number, at: number, zone: string): Fraction {
  const { anchor, terms } = calendar;
  const start = boundaryOf(anchor, terms.interval, index, zone);
  if (at === start) return NONE;
  const dayOf = (instant: number): number => wallTimeOf(new Date(instant), zone).day;
  const isStub = index === 0 && beginsInsideMonth(calendar, zone);
  if (isByMonth(calendar, zone) && !isStub) {
    const [a, b] = [civil(dayOf(start)), civil(dayOf(at))];
    return fraction(12 * (b.year - a.year) + b.month - a.month, monthsOf(terms.interval));
  }
  const end = boundaryOf(anchor, terms.interval, index + 1, zone);
  return fraction(dayOf(at) - dayOf(start), dayOf(end) - dayOf(start));
}

/** Both intervals consist of months that begin on the same days. */
function isByMonth({ anchor, terms }: ModelCalendar, zone: string): boolean {
  const { interval, billing } = terms;
  if (monthsOf(interval) === 0 || monthsOf(billing) === 0) return false;
  const { day, ms } = wallTimeOf(anchor, zone);
  const isFirst = ms === 0 && civil(day).date === 1;
  return isFirst || (interval.unit === 'MONTH_END') === (billing.unit === 'MONTH_END');
}

/** 0 where it is counted in days. */
export function monthsOf({ unit, count }: ModelInterval): number {
  return unit === 'ANNUAL' ? 12 * count : unit === 'MONTH' || unit === 'MONTH_END' ? count : 0;
}

function boundaryOf(anchor: Date, interval: ModelInterval, index: number, zone: string): number {
  return index === 0
    ? anchor.getTime()
    : instantOfWall(wallOf(anchor, interval, index, zone), zone).getTime();
}

function wallOf(anchor: Date, { unit, count }: ModelInterval, index: number, zone: string): WallTime {
  const { day, ms } = wallTimeOf(anchor, zone);
  if (index === 0) return { day, ms };
  const { date } = civil(day);
  if (unit === 'MONTH_END') {
    const isFirst = ms === 0 && date === 1;
    const months = isFirst ? index * count : 1 + (index - 1) * count;
    return { day: monthsLater(day - date + 1, months), ms: 0 };
  }
  const days = unit === 'DAY' ? index * count : unit === 'WEEK' ? 7 * index * count : 0;
  const later = monthsLater(day, index * monthsOf({ unit, count })) + days;
  return { day: later, ms };
}

function monthsLater(day: number, months: number): number {
  const { year, month, date } = civil(day);
  const length =
    Date.UTC(year, month + months + 1, 0) / DAY_MS - Date.UTC(year, month + months, 1) / DAY_MS + 1;
  return Date.UTC(year, month + months, Math.min(date, length)) / DAY_MS;
}

export function civil(day: number): { readonly year: number; readonly month: number; readonly date: number } {
  const date = new Date(day * DAY_MS);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth(), date: date.getUTCDate() };
}

/** The share of a billing period that is unused at an instant: a day that has begun is used. */
export function unusedAt(at: number, period: ModelPeriod, settings: ModelSettings): Fraction {
  return unusedFromDay(at, dayAfter(at, settings.timezone), period, settings);
}

/** The share from a resume or change on: the day in which it falls, unless what ended before has used it. */
export function unusedFrom(
  at: number,
  endedBefore: number | null,
  period: ModelPeriod,
  settings: ModelSettings,
): Fraction {
  const own = wallTimeOf(new Date(at), settings.timezone).day;
  const first = endedBefore === null ? own : Math.max(own, dayAfter(endedBefore, settings.timezone));
  return unusedFromDay(at, first, period, settings);
}

/** The start of the local day of an instant. */
export function dayFrom(at: number, zone: string): number {
  const { day } = wallTimeOf(new Date(at), zone);
  return instantOfWall({ day, ms: 0 }, zone).getTime();
}

function dayAfter(at: number, zone: string): number {
  const { day, ms } = wallTimeOf(new Date(at), zone);
  return ms === 0 ? day : day + 1;
}

function unusedFromDay(at: number, unused: number, period: ModelPeriod, settings: ModelSettings): Fraction {
  const { start, end, billing } = period;
  if (at < start) return fraction(1);
  if (at >= end) return NONE;
  if (settings.proration_mode === 'second') return share(end - at, end - start);
  const dayOf = (instant: number): number => wallTimeOf(new Date(instant), settings.timezone).day;
  const months = monthsOf(billing);
  if (settings.proration_mode === 'day' || months === 0) {
    return share(dayOf(end) - unused, dayOf(end) - dayOf(start));
  }
  const { year, month, date } = civil(dayOf(end));
  // An end on the last day of its month stands for the day of the start, where its month is too short for that.
  const last = civil(dayOf(end) + 1).date === 1 ? Math.max(date, civil(dayOf(start)).date) : date;
  const ends = 360 * year + 30 * month + Math.min(30, last);
  return share(ends - thirtieths(unused), Math.min(30 * months, ends - thirtieths(dayOf(start))));
}

export interface ModelPeriod {
  readonly start: number;
  readonly end: number;
  readonly billing: ModelInterval;
}

export interface ModelSettings {
  readonly timezone: string;
  readonly proration_mode: 'day' | 'second' | 'thirty';
}

/** Days since year 0, where each month has thirty and a 31st counts as the 30th. */
function thirtieths(day: number): number {
  const { year, month, date } = civil(day);
  return 360 * year + 30 * month + Math.min(30, date);
}

/** A period that an end cuts within its first day still has one. */
function share(unused: number, days: number): Fraction {
  const all = Math.max(1, days);
  return minus(fraction(1), fraction(all - Math.min(Math.max(unused, 0), all), all));
}
