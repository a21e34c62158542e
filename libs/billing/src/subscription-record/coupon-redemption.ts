import { parseId, sameId, type Id } from '@commerce/records';

import type { Discount } from '../domain/pricing/discount.js';
import type { SubscriptionRecord } from './subscription.record.js';

/** The writes to coupons that follow from a change of a subscription, and the fields that remember them. */
export interface CouponRedemption {
  readonly changes: Pick<SubscriptionRecord, 'reserved_coupons' | 'redeemed_coupons'>;
  readonly reserve: readonly Id[];
  readonly release: readonly Id[];
  readonly count: readonly Id[];
}

/**
 * The redemptions of coupons that a change of a subscription makes; null for none. A coupon is reserved as the
 * subscription starts or changes with it, or is to once that is paid, counted where a payment `redeems` it, and released where the subscription ends
 * or is without it before. One that was reserved before the start is that of a payment which
 * a restore brought back: without a start with its coupon it is counted.
 */
export function couponRedemption(
  before: SubscriptionRecord,
  changes: Partial<SubscriptionRecord>,
  redeems: string | null,
): CouponRedemption | null {
  const { reserved_coupons: held, redeemed_coupons: redeemed } = before;
  const { discount_terms, scheduled_change, quote } = { ...before, ...changes };
  // Most subscriptions have no coupon, and each charge comes by here.
  const isToCome = discountOf(scheduled_change) !== undefined || discountOf(quote) !== undefined;
  const isNone = held.length === 0 && discount_terms === null && !isToCome;
  if (isNone && redeems === null) return null;
  const after: SubscriptionRecord = { ...before, ...changes };
  const needed = neededBy(after, before).filter((id) => !includes(redeemed, id));
  const own = couponToRedeem(before, redeems);
  const paid = own === null ? [] : [own];
  const isRestored = before.status === 'CREATED' && before.quote === null;
  const restored = isRestored ? held.filter((id) => !includes([...needed, ...paid], id)) : [];
  const count = [...paid, ...restored];
  const reserve = needed.filter((id) => !includes([...held, ...count], id));
  const release = held.filter((id) => !includes(needed, id) && !includes(count, id));
  if (reserve.length + release.length + count.length === 0) return null;
  const reserved_coupons = needed.filter((id) => !includes(count, id));
  return {
    changes: { reserved_coupons, redeemed_coupons: [...redeemed, ...count] },
    reserve,
    release,
    count,
  };
}

/** The coupon that a payment redeems, unless the subscription has redeemed it before; null for none. */
export function couponToRedeem(
  { redeemed_coupons }: Pick<SubscriptionRecord, 'redeemed_coupons'>,
  redeems: string | null,
): Id | null {
  const id = parseId(redeems ?? '');
  return id === null || includes(redeemed_coupons, id) ? null : id;
}

/** The coupons of a subscription that may still be charged with their discount. */
function neededBy(after: SubscriptionRecord, before: SubscriptionRecord): Id[] {
  const { status, deleted, due, open_payments, discount_terms, scheduled_change, quote, periods } = after;
  const isEnded =
    (status === 'CANCELLED' || status === 'COMPLETED') && due === null && open_payments.length === 0;
  if (deleted || isEnded) return [];
  // Reserved for a start that was lost with a restored database, unless a start waits for its payment, or has until now.
  if (status === 'CREATED' && quote === null) return before.quote === null ? [...after.reserved_coupons] : [];
  // What held in a period before a change keeps the discount until it is settled.
  const held = periods.flatMap(({ terms }) => terms).map(({ subscribed }) => subscribed.discount);
  const named = [discount_terms, discountOf(scheduled_change), discountOf(quote), ...held];
  return [...new Set(named.map((one) => one?.coupon))]
    .map((id) => parseId(id ?? ''))
    .filter((id) => id !== null);
}

/** The discount of a coupon that a change brings. */
function discountOf(change: object | null): Discount | undefined {
  return change !== null && 'discount' in change ? (change.discount as Discount) : undefined;
}

function includes(ids: readonly Id[], id: Id): boolean {
  return ids.some((one) => sameId(one, id));
}

/** Whether the start with a coupon was lost with a restored database. */
export function isLostStart(
  { status, redeemed_coupons, reserved_coupons }: SubscriptionRecord,
  coupon: Id,
): boolean {
  const known = [...redeemed_coupons, ...reserved_coupons];
  return status === 'CREATED' && !known.some((one) => sameId(one, coupon));
}
