import { fieldFault, type CouponOff } from '@commerce/kernel';
import type { Id } from '@commerce/records';

import type { CouponDuration, CouponRecord } from './coupon.record.js';

/** Why a coupon cannot be used. */
export interface CouponRefusal {
  readonly applies: false;
  readonly code: string;
  readonly message: string;
}

/** The discount that a coupon gives on an order, or the reason why it cannot be used. */
export type OrderCouponCheck = { readonly applies: true; readonly off: CouponOff } | CouponRefusal;

/** The discount on the intervals of a subscription. Plain JSON; `products` are hexadecimal ids, null: all. */
export type DiscountTerms = CouponOff & {
  readonly products: readonly string[] | null;
  readonly duration: CouponDuration;
  readonly duration_in_intervals: number | null;
};

/** The discount that a coupon gives on a subscription, or the reason why it cannot be used. */
export type SubscriptionCouponCheck =
  | { readonly applies: true; readonly terms: DiscountTerms }
  | CouponRefusal;

/** The fields of a coupon that decide on its use. */
export type UsedCoupon = Pick<
  CouponRecord,
  | 'active'
  | 'delete'
  | 'created'
  | 'starting_date'
  | 'ending_date'
  | 'max_redemptions'
  | 'used_count'
  | 'currency'
  | 'percent_off'
  | 'amount_off'
  | 'duration'
  | 'duration_in_intervals'
  | 'plans'
  | 'products'
>;

/** The products of an order's lines, or of a plan's items, without sub-products. */
interface Purchase {
  readonly currency: string;
  readonly products: readonly Id[];
}

/** The customer's time, and the test clock that it was read from; null: real time. */
export interface CustomerTime {
  readonly now: Date;
  readonly test_clock: Id | null;
}

/**
 * Whether a coupon can be used for an order at this instant of the customer's time. Others may still use it up in the
 * meantime: only a reservation prevents that.
 */
export function couponAppliesToOrder(
  coupon: UsedCoupon,
  order: Purchase,
  time: CustomerTime,
): OrderCouponCheck {
  if (coupon.plans.length > 0 && coupon.products.length === 0) {
    return refusal('coupon.not_for_orders', 'The coupon is for subscriptions only');
  }
  return refusalOf(coupon, order, time) ?? { applies: true, off: offOf(coupon) };
}

/**
 * Whether a coupon can be used for a subscription of this plan at this instant of the customer's time; the plan's items
 * name the products. As for orders, only a reservation prevents that others use it up.
 */
export function couponAppliesToSubscription(
  coupon: UsedCoupon,
  { plan, ...purchase }: Purchase & { readonly plan: Id },
  time: CustomerTime,
): SubscriptionCouponCheck {
  const refused = refusalOf(coupon, purchase, time);
  if (refused !== null) return refused;
  if (coupon.plans.length > 0 && !coupon.plans.some((one) => one.equals(plan))) {
    return refusal('coupon.not_for_this_plan', 'The coupon is not for this plan');
  }
  const { duration, duration_in_intervals } = coupon;
  return {
    applies: true,
    terms: { products: null, ...offOf(coupon), duration, duration_in_intervals },
  };
}

function refusalOf(
  coupon: UsedCoupon,
  { currency, products }: Purchase,
  time: CustomerTime,
): CouponRefusal | null {
  const now = notBefore(coupon, time);
  const { starting_date, ending_date, max_redemptions, used_count } = coupon;
  if (!coupon.active || coupon.delete) return refusal('coupon.inactive', 'The coupon is not active');
  if (now < starting_date) return refusal('coupon.not_started', 'The coupon cannot be used yet');
  if (ending_date !== null && now >= ending_date) {
    return refusal('coupon.expired', 'The coupon can no longer be used');
  }
  if (max_redemptions !== null && used_count >= max_redemptions) {
    return refusal('coupon.used_up', 'The coupon has been used as often as it can be');
  }
  if (coupon.percent_off === null && coupon.currency !== currency) {
    return refusal('coupon.currency_differs', `The coupon is not for amounts in ${currency}`);
  }
  const fits = coupon.products.some((one) => products.some((product) => product.equals(one)));
  if (coupon.products.length === 0 || fits) return null;
  return refusal('coupon.not_for_these_products', 'The coupon is for other products');
}

/** A coupon that can be read exists: the clock of the process that created it may be milliseconds ahead of this one. */
function notBefore({ created }: UsedCoupon, { now, test_clock }: CustomerTime): Date {
  return test_clock === null && created > now ? created : now;
}

function offOf({ percent_off, amount_off, products }: UsedCoupon): CouponOff {
  // Left out where the coupon is for all: breakdowns of such coupons stay as they were.
  const only = products.length === 0 ? {} : { products: products.map((id) => id.toHexString()) };
  return percent_off === null ? { amount_off: amount_off ?? 0, ...only } : { percent_off, ...only };
}

/** The fault at `coupon` of a refusal. Where a date decided, its message names the test clock and the time there. */
export function refusedCoupon({ code, message }: CouponRefusal, { now, test_clock }: CustomerTime): Error {
  const byTime = code === 'coupon.not_started' || code === 'coupon.expired';
  if (!byTime || test_clock === null) return fieldFault('coupon', message, code);
  const clock = `the customer's test clock ${test_clock.toHexString()} stands at ${now.toISOString()}`;
  return fieldFault('coupon', `${message}: ${clock}`, code);
}

function refusal(code: string, message: string): CouponRefusal {
  return { applies: false, code, message };
}
