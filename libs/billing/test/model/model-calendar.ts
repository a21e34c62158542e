import { DAY_MS, instantOfWall, wallTimeOf } from '@commerce/kernel';

import { fraction, minus, NONE, plus, rounded, times, type Fraction } from './fraction.js';

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

/** The number of price intervals that have ended by an instant. */
export function intervalsBy({ anchor, terms }: ModelCalendar, at: number, zone: string): number {
  const most = { DAY: 1, WEEK: 7, MONTH: 31, MONTH_END: 31, ANNUAL: 366 }[terms.interval.unit];
  const whole = Math.floor((at - anchor.getTime()) / (most * terms.interval.count * DAY_MS));
  let index = Math.max(0, whole - 1);
  while (boundaryOf(anchor, terms.interval, index + 1, zone) <= at) index += 1;
  return index;
}

/** The charge of a whole billing period: the amounts accrued by its two ends, each rounded. */
export function chargeOf(calendar: ModelCalendar, index: number, zone: string): number {
  const known = CHARGES.get(calendar) ?? new Map<number, number>();
  CHARGES.set(calendar, known);
  const { charged } = calendar;
  const priced = charged && index <= charged.through ? { ...calendar, discount: charged.discount } : calendar;
  const by = (at: number): number => rounded(accruedBy(priced, boundary(calendar, at, zone), zone));
  const charge = known.get(index) ?? by(index + 1) - by(index);
  known.set(index, charge);
  return charge;
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

function boundaryOf(anchor: Date, { unit, count }: ModelInterval, index: number, zone: string): number {
  if (index === 0) return anchor.getTime();
  const { day, ms } = wallTimeOf(anchor, zone);
  const { date } = civil(day);
  if (unit === 'MONTH_END') {
    const isFirst = ms === 0 && date === 1;
    const months = isFirst ? index * count : 1 + (index - 1) * count;
    return instantOfWall({ day: monthsLater(day - date + 1, months), ms: 0 }, zone).getTime();
  }
  const days = unit === 'DAY' ? index * count : unit === 'WEEK' ? 7 * index * count : 0;
  const later = monthsLater(day, index * monthsOf({ unit, count })) + days;
  return instantOfWall({ day: later, ms }, zone).getTime();
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

/** The share of a billing period that is unused at an instant. */
export function unusedAt(at: number, period: ModelPeriod, settings: ModelSettings): Fraction {
  const { start, end, billing } = period;
  if (at < start) return fraction(1);
  if (at >= end) return NONE;
  if (settings.proration_mode === 'second') return share(end - at, end - start);
  const dayOf = (instant: number): number => wallTimeOf(new Date(instant), settings.timezone).day;
  const unused = wallTimeOf(new Date(at), settings.timezone).ms === 0 ? dayOf(at) : dayOf(at) + 1;
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

function share(unused: number, all: number): Fraction {
  return minus(fraction(1), fraction(all - Math.min(Math.max(unused, 0), all), all));
}
