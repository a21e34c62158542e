import {
  addRatio,
  compareRatio,
  fault,
  isMinor,
  multiplyRatio,
  ratio,
  roundInto,
  wallTimeOf,
  ZERO,
  type Ratio,
  type RoundingStep,
} from '@commerce/kernel';
import {
  anchorWall,
  boundary,
  boundaryWall,
  firstOfMonth,
  intervalIndexAt,
  startsWithMonth,
  type BillingCalendar,
  type IntervalUnit,
  type CalendarPeriod,
} from '../calendar/calendar.js';

/** Price of one interval unit, in minor units. */
export interface PeriodPrice {
  readonly price_minor: number;
  readonly currency: string;
  readonly is_prorated: boolean;
}

/** The amount of a charge and the period it covers, cut by an earlier end of the service. */
export interface AccruedCharge {
  readonly amount_minor: number;
  readonly period_start: Date;
  readonly period_end: Date;
  readonly steps: readonly RoundingStep[];
}

/**
 * How a day that has begun counts: `left` out at a boundary of the calendar, `counted` in full where the service ends
 * in it.
 */
type BegunDay = 'left' | 'counted';

/** Accrued since the anchor, in prices of one unit: `whole` of them and the exact `share` on top. */
interface Accrued {
  readonly whole: number;
  readonly share: Ratio;
}

/**
 * The charge for a period `[a, b)`: R(A(b)) - R(A(a)), where A(t) is the exact price accrued since the anchor and R the
 * rounding of money. Both ends are points on one line that is rounded as a whole, so the charges of any run of periods
 * add up to the price of the units they cover, even where neither interval divides the other.
 *
 * A period that `serviceEnd` cuts (an end known when it is charged; null for none) costs its part when the price is
 * prorated, the day in which the service ends included; else the whole period.
 *
 * @throws Fault `currency.unknown`; `amount.invalid` for a price that is no amount of its currency
 */
export function accruedCharge(
  calendar: BillingCalendar,
  price: PeriodPrice,
  period: CalendarPeriod,
  serviceEnd: Date | null,
): AccruedCharge {
  if (!isMinor(price.price_minor, price.currency)) {
    throw fault('amount.invalid', `${price.price_minor} is no amount of ${price.currency} in minor units`);
  }
  const { start, end } = period;
  const cut = serviceEnd !== null && serviceEnd < end ? serviceEnd : null;
  if (cut !== null && cut <= start) {
    return { amount_minor: 0, period_start: start, period_end: start, steps: [] };
  }
  const from = accruedAt(calendar, price.is_prorated, start, 'left');
  const whole = accruedAt(calendar, price.is_prorated, end, 'left');
  const to = cut && price.is_prorated ? lesser(accruedAt(calendar, true, cut, 'counted'), whole) : whole;
  const steps: RoundingStep[] = [];
  // Counted from the unit that holds `a`, so that the numbers stay small: whole units carry no rounding.
  const upTo = roundInto(steps, 'period.accrued_at_end', worth(to, from.whole, price), price.currency);
  const before = roundInto(steps, 'period.accrued_at_start', worth(from, from.whole, price), price.currency);
  return { amount_minor: upTo - before, period_start: start, period_end: cut ?? end, steps };
}

function worth({ whole, share }: Accrued, without: number, price: PeriodPrice): Ratio {
  return multiplyRatio(addRatio(ratio(whole - without), share), ratio(price.price_minor));
}

function lesser(a: Accrued, b: Accrued): Accrued {
  const difference = a.whole - b.whole || compareRatio(a.share, b.share);
  return difference < 0 ? a : b;
}

function accruedAt(calendar: BillingCalendar, isProrated: boolean, at: Date, begun: BegunDay): Accrued {
  const unit = intervalIndexAt(calendar, calendar.interval_unit, at);
  if (unit < 0) throw new RangeError('Nothing accrues before the anchor');
  const stub = stubShare(calendar, isProrated);
  const share = shareOfUnit(calendar, unit, at, begun);
  if (stub === null) return { whole: unit, share };
  return unit === 0
    ? { whole: 0, share: multiplyRatio(stub, share) }
    : { whole: unit - 1, share: addRatio(stub, share) };
}

/**
 * The days from a start inside a month to the next 1st, as a share of the month's price: their part of the month, the
 * day of the start included, or 0 where the price is not prorated. Null where there is no stub.
 */
function stubShare(calendar: BillingCalendar, isProrated: boolean): Ratio | null {
  const anchor = anchorWall(calendar);
  if (calendar.interval_unit !== 'MONTH_END' || startsWithMonth(anchor)) return null;
  if (!isProrated) return ZERO;
  const next = firstOfMonth(anchor.day, 1);
  return ratio(next - anchor.day, next - firstOfMonth(anchor.day, 0));
}

/**
 * The share of unit `unit` that has passed at `at`: its equal parts that have ended, and the passed days of the current
 * one.
 */
function shareOfUnit(calendar: BillingCalendar, unit: number, at: Date, begun: BegunDay): Ratio {
  const part = partUnit(calendar);
  const parts = part === calendar.interval_unit ? 1 : 12;
  const index = parts === 1 ? unit : intervalIndexAt(calendar, part, at);
  const ended = index - unit * parts;
  return multiplyRatio(
    addRatio(ratio(ended), shareOfDays(calendar, part, index, at, begun)),
    ratio(1, parts),
  );
}

/**
 * The unit over which the price grows evenly: months where the billing boundaries divide the year into twelve, else the
 * interval unit itself, which then grows by its local days.
 */
function partUnit(calendar: BillingCalendar): IntervalUnit {
  const { interval_unit, billing_interval } = calendar;
  if (interval_unit !== 'ANNUAL') return interval_unit;
  if (billing_interval === 'MONTH') return 'MONTH';
  return billing_interval === 'MONTH_END' && startsWithMonth(anchorWall(calendar)) ? 'MONTH_END' : 'ANNUAL';
}

/** Local days of interval `index` that have passed at `at`, as a share of all its days. */
function shareOfDays(
  calendar: BillingCalendar,
  unit: IntervalUnit,
  index: number,
  at: Date,
  begun: BegunDay,
): Ratio {
  if (at.getTime() === boundary(calendar, unit, index).getTime()) return ZERO;
  const anchor = anchorWall(calendar);
  const from = boundaryWall(anchor, unit, index);
  const to = boundaryWall(anchor, unit, index + 1);
  const wall = wallTimeOf(at, calendar.timezone);
  // A billing day begins at the hour of the interval's start.
  const last = begun === 'counted' && wall.ms > from.ms ? 1 : 0;
  const passed = Math.min(Math.max(wall.day - from.day + last, 0), to.day - from.day);
  return ratio(passed, to.day - from.day);
}
