import { toMinor } from '@commerce/kernel';

import { MONTHLY, type ScenarioFixture } from '../fixture.js';
import { fraction, rounded } from './fraction.js';
import type { ModelCalendar, ModelTerms } from './model-calendar.js';
import type { Coupon } from './random-changes.js';

/** A coupon and the intervals that it lowers, counted from the anchor. */
export interface HeldCoupon {
  readonly coupon: Coupon;
  readonly from: number;
  readonly until: number;
  /** Ended by a person: it lowers no interval of another calendar. */
  readonly isRemoved?: true;
}

/** The plan, by its name, and what else a price depends on. */
export interface ModelSubscribed {
  readonly plan: string;
  readonly quantity: number;
  readonly coupon: HeldCoupon | null;
}

/** A coupon from interval `from` on. */
export function heldFrom(coupon: Coupon, from: number): HeldCoupon {
  return { coupon, from, until: from + (coupon.intervals ?? Infinity) };
}

/** The coupon in a calendar that begins after `intervals` have ended; null where it has ended with them. */
export function heldAfter(held: HeldCoupon | null, intervals: number): HeldCoupon | null {
  if (held === null || held.isRemoved || held.until <= intervals) return null;
  return { ...held, from: held.from - intervals, until: held.until - intervals };
}

/** The coupon that a person ends before interval `next`. */
export function removedBefore(held: HeldCoupon | null, next: number): HeldCoupon | null {
  return held === null || next <= Math.max(0, held.from)
    ? null
    : { ...held, until: Math.min(held.until, next), isRemoved: true };
}

/** The terms and the lower price of a subscription. */
export function priced(
  fixture: ScenarioFixture,
  { plan, quantity, coupon: held }: ModelSubscribed,
): Pick<ModelCalendar, 'terms' | 'discount'> {
  const own = { ...MONTHLY, ...fixture.plan, price: fixture.price ?? 30 };
  const { price, prepay, is_prorated, ...more } = { ...own, ...fixture.plans?.[plan] };
  const single = toMinor(price, 'EUR');
  const terms: ModelTerms = {
    price_minor: single * quantity,
    interval: { unit: more.interval_unit, count: more.interval_count },
    billing: { unit: more.billing_interval, count: more.billing_interval_count },
    prepay,
    is_prorated,
  };
  if (held === null || (held.coupon.plans !== null && !held.coupon.plans.includes(plan))) {
    return { terms, discount: null };
  }
  const { coupon, from, until } = held;
  const seat = Math.min(toMinor(fixture.seat ?? 0, 'EUR'), single);
  const lowered = quantity * (coupon.onSeat ? seat : single);
  return { terms, discount: { price_minor: terms.price_minor - offOf(coupon, lowered), from, until } };
}

function offOf({ off }: Coupon, minor: number): number {
  return 'percent' in off ? rounded(fraction(minor * off.percent, 100)) : Math.min(off.off_minor, minor);
}
