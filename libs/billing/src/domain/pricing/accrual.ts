import {
  addRatio,
  compareRatio,
  fault,
  isMinor,
  multiplyRatio,
  ratio,
  roundInto,
  subtractRatio,
  wallTimeOf,
  ZERO,
  type Ratio,
  type RoundingStep,
} from '@commerce/kernel';
import {
  anchorWall,
  boundary,
  boundaryWall,
  chargeInterval,
  firstOfMonth,
  intervalIndexAt,
  priceInterval,
  startsWithMonth,
  type BillingCalendar,
  type CalendarPeriod,
  type Interval,
} from '../calendar/calendar.js';

/** Price of one interval, in minor units. */
export interface PeriodPrice {
  readonly price_minor: number;
  readonly currency: string;
  readonly is_prorated: boolean;
  /** The lower price of the intervals from `from` to before `until`; absent without a discount. */
  readonly discounted?: IntervalPrice | null;
}

/** A price of the intervals from `from` to before `until`, counted from the anchor; null: of all that follow. */
export interface IntervalPrice {
  readonly price_minor: number;
  readonly from: number;
  readonly until: number | null;
}

/** The price of a period, and how it was rounded. */
export interface AccruedCharge {
  readonly amount_minor: number;
  readonly steps: readonly RoundingStep[];
}

/**
 * How a day that has begun counts: `left` out at a boundary of the calendar, `counted` in full where the service ends
 * in it.
 */
type BegunDay = 'left' | 'counted';

/** Accrued since the anchor, in prices of one interval: `whole` of them and the exact `share` on top. */
interface Accrued {
  readonly whole: number;
  readonly share: Ratio;
}

/**
 * The charge for a period `[a, b)`: R(A(b)) - R(A(a)), where A(t) is the exact price accrued since the anchor and R the
 * rounding of money. Both ends are points on one line that is rounded as a whole, so the charges of any run of periods
 * add up to the price of the intervals they cover, even where neither interval divides the other.
 *
 * A period that `serviceEnd` cuts (an end known when it is charged; null for none) costs its part when the price is
 * prorated, the day in which the service ends included; else the whole period.
 *
 * @throws Fault `currency.unknown`; `amount.invalid` for a price that is no amount of its currency
 */
export function accruedCharge(
  calendar: BillingCalendar,
  price: PeriodPrice,
  { start, end }: Pick<CalendarPeriod, 'start' | 'end'>,
  serviceEnd: Date | null,
): AccruedCharge {
  if (!isMinor(price.price_minor, price.currency)) {
    throw fault('amount.invalid', `${price.price_minor} is no amount of ${price.currency} in minor units`);
  }
  const cut = serviceEnd !== null && serviceEnd < end ? serviceEnd : null;
  if (cut !== null && cut <= start) {
    return { amount_minor: 0, steps: [] };
  }
  const from = accruedAt(calendar, price.is_prorated, start, 'left');
  const whole = accruedAt(calendar, price.is_prorated, end, 'left');
  const to = cut && price.is_prorated ? lesser(accruedAt(calendar, true, cut, 'counted'), whole) : whole;
  const steps: RoundingStep[] = [];
  // Counted from the interval that holds `a`, so that the numbers stay small: whole ones carry no rounding.
  const worth = pricedFrom(from.whole, calendar, price);
  const upTo = roundInto(steps, 'period.accrued_at_end', worth(to), price.currency);
  const before = roundInto(steps, 'period.accrued_at_start', worth(from), price.currency);
  return { amount_minor: upTo - before, steps };
}

/**
 * The amount of `accruedCharge` for a period without an end: the price itself where each period is one interval of it.
 * Days are counted the long way, as a timezone may skip one.
 */
export function wholePeriodMinor(
  calendar: BillingCalendar,
  price: PeriodPrice,
  period: CalendarPeriod,
): number {
  const { interval_unit, interval_count, billing_interval, billing_interval_count } = calendar;
  const isOne = interval_unit === billing_interval && interval_count === billing_interval_count;
  const isEven = interval_unit === 'WEEK' || interval_unit === 'MONTH' || interval_unit === 'ANNUAL';
  if (isOne && isEven && price.discounted == null) return price.price_minor;
  return accruedCharge(calendar, price, period, null).amount_minor;
}

/**
 * Prices what has accrued since `without` whole intervals. With a discount, as many whole intervals of it are left out
 * as keep the price above 0: a half of an amount below 0 would be rounded the other way.
 */
function pricedFrom(
  without: number,
  calendar: BillingCalendar,
  { price_minor, is_prorated, discounted }: PeriodPrice,
): (accrued: Accrued) => Ratio {
  const exact = ({ whole, share }: Accrued): Ratio => addRatio(ratio(whole - without), share);
  const full = (accrued: Accrued): Ratio => multiplyRatio(exact(accrued), ratio(price_minor));
  if (discounted == null) return full;
  const off = ratio(price_minor - discounted.price_minor);
  const ends = (interval: number): Accrued => boundaryAccrued(calendar, is_prorated, interval);
  const first = ends(Math.max(0, discounted.from));
  const last = discounted.until === null ? null : ends(Math.max(0, discounted.until));
  const covered = (accrued: Accrued): Ratio => {
    const upTo = last === null ? accrued : lesser(accrued, last);
    return subtractRatio(exact(upTo), exact(lesser(first, upTo)));
  };
  const before = wholeUp(covered({ whole: without, share: ZERO }));
  return (accrued) =>
    subtractRatio(full(accrued), multiplyRatio(subtractRatio(covered(accrued), before), off));
}

/** The next whole number; of one that is not negative. */
function wholeUp({ n, d }: Ratio): Ratio {
  return { n: (n + d - 1n) / d, d: 1n };
}

/** Accrued at the start of an interval. */
function boundaryAccrued(calendar: BillingCalendar, isProrated: boolean, interval: number): Accrued {
  const stub = stubShare(calendar, isProrated);
  if (stub === null || interval === 0) return { whole: interval, share: ZERO };
  return { whole: interval - 1, share: stub };
}

function lesser(a: Accrued, b: Accrued): Accrued {
  const difference = a.whole - b.whole || compareRatio(a.share, b.share);
  return difference < 0 ? a : b;
}

function accruedAt(calendar: BillingCalendar, isProrated: boolean, at: Date, begun: BegunDay): Accrued {
  const index = intervalIndexAt(calendar, priceInterval(calendar), at);
  if (index < 0) throw new RangeError('Nothing accrues before the anchor');
  const stub = stubShare(calendar, isProrated);
  const share = shareOfInterval(calendar, { index, isAfterStub: stub !== null }, at, begun);
  if (stub === null) return { whole: index, share };
  return index === 0
    ? { whole: 0, share: multiplyRatio(stub, share) }
    : { whole: index - 1, share: addRatio(stub, share) };
}

/**
 * The days from a start inside a month to the next 1st, as a share of the price: their part of the month's equal part
 * of it, the day of the start included, or 0 where the price is not prorated. Null where there is no stub.
 */
function stubShare(calendar: BillingCalendar, isProrated: boolean): Ratio | null {
  const anchor = anchorWall(calendar);
  if (calendar.interval_unit !== 'MONTH_END' || startsWithMonth(anchor)) return null;
  if (!isProrated) return ZERO;
  const next = firstOfMonth(anchor.day, 1);
  return ratio(next - anchor.day, (next - firstOfMonth(anchor.day, 0)) * calendar.interval_count);
}

/** A price interval; `isAfterStub` where interval 0 is a stub. */
interface Place {
  readonly index: number;
  readonly isAfterStub: boolean;
}

/** The share of an interval that has passed at `at`: its equal parts that ended, and the passed days of the current one. */
function shareOfInterval(calendar: BillingCalendar, place: Place, at: Date, begun: BegunDay): Ratio {
  const { index, isAfterStub } = place;
  const { part, parts } = equalParts(calendar);
  if (isAfterStub && index === 0) return shareOfDays(calendar, part, 0, at, begun);
  const first = isAfterStub ? 1 + (index - 1) * parts : index * parts;
  const current = parts === 1 ? first : intervalIndexAt(calendar, part, at);
  return multiplyRatio(
    addRatio(ratio(current - first), shareOfDays(calendar, part, current, at, begun)),
    ratio(1, parts),
  );
}

/** The equal parts of an interval, over which its price grows evenly; a part grows by its local days. */
interface EqualParts {
  readonly part: Interval;
  readonly parts: number;
}

/**
 * The longest parts that divide both intervals of the calendar: a year collected by the quarter grows by quarters, one
 * collected every five months by months. Where the boundaries of one lie inside the months of the other, the interval
 * is a single part.
 */
function equalParts(calendar: BillingCalendar): EqualParts {
  const [price, charge] = [priceInterval(calendar), chargeInterval(calendar)];
  const [own, other] = [monthsIn(price), monthsIn(charge)];
  const isAligned =
    (price.unit === 'MONTH_END') === (charge.unit === 'MONTH_END') || startsWithMonth(anchorWall(calendar));
  if (own === null || other === null || !isAligned) return { part: price, parts: 1 };
  const count = commonDivisor(own, other);
  return { part: { unit: price.unit === 'MONTH_END' ? 'MONTH_END' : 'MONTH', count }, parts: own / count };
}

function monthsIn({ unit, count }: Interval): number | null {
  switch (unit) {
    case 'DAY':
    case 'WEEK':
      return null;
    case 'MONTH':
    case 'MONTH_END':
      return count;
    case 'ANNUAL':
      return 12 * count;
  }
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}

/** Local days of interval `index` that have passed at `at`, as a share of all its days. */
function shareOfDays(
  calendar: BillingCalendar,
  interval: Interval,
  index: number,
  at: Date,
  begun: BegunDay,
): Ratio {
  if (at.getTime() === boundary(calendar, interval, index).getTime()) return ZERO;
  const anchor = anchorWall(calendar);
  const from = boundaryWall(anchor, interval, index);
  const to = boundaryWall(anchor, interval, index + 1);
  const wall = wallTimeOf(at, calendar.timezone);
  const last = begun === 'counted' && wall.ms > 0 ? 1 : 0;
  const passed = Math.min(Math.max(wall.day - from.day + last, 0), to.day - from.day);
  return ratio(passed, to.day - from.day);
}
