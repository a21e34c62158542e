import { parseId, sameId, type Id } from '@commerce/records';

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
 * subscription starts or changes with it, counted with the first payment that succeeds with its discount, and released
 * where the subscription ends or is without it before. One that was reserved before the start is that of a payment which
 * a restore brought back: without a start with its coupon it is counted.
 */
export function couponRedemption(
  before: SubscriptionRecord,
  changes: Partial<SubscriptionRecord>,
): CouponRedemption | null {
  const { reserved_coupons: held, redeemed_coupons: redeemed } = before;
  const { discount_terms = before.discount_terms, change_outcome = before.change_outcome } = changes;
  // Most subscriptions have no coupon, and each charge comes by here.
  if (held.length === 0 && discount_terms === null && change_outcome?.discount === undefined) return null;
  const after: SubscriptionRecord = { ...before, ...changes };
  const needed = neededBy(after).filter((id) => !includes(redeemed, id));
  const own = couponToRedeem({ ...after, reserved_coupons: held });
  const paid = isPaid(before, after) && own !== null ? [own] : [];
  const restored = before.status === 'CREATED' ? held.filter((id) => !includes(needed, id)) : [];
  const count = [...paid, ...restored];
  const reserve = needed.filter((id) => !includes(held, id));
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

/** The coupon that the next payment with its discount redeems; null for none. */
export function couponToRedeem({
  discount_terms,
  reserved_coupons,
}: Pick<SubscriptionRecord, 'discount_terms' | 'reserved_coupons'>): Id | null {
  const own = parseId(discount_terms?.coupon ?? '');
  return own !== null && includes(reserved_coupons, own) ? own : null;
}

/** The coupons of a subscription that may still be charged with their discount. */
function neededBy({
  status,
  deleted,
  due,
  open_payment,
  reserved_coupons,
  discount_terms,
  change_outcome,
}: SubscriptionRecord): Id[] {
  const isEnded = (status === 'CANCELLED' || status === 'COMPLETED') && due === null && open_payment === null;
  if (deleted || isEnded) return [];
  // Reserved for a start that was lost with a restored database.
  if (status === 'CREATED') return [...reserved_coupons];
  const named = [discount_terms?.coupon, change_outcome?.discount?.coupon];
  return [...new Set(named)].map((id) => parseId(id ?? '')).filter((id) => id !== null);
}

/** Whether the change collected a payment for a period. */
function isPaid(before: SubscriptionRecord, after: SubscriptionRecord): boolean {
  const { last_billed_date, slice, next_slice, run } = after;
  const hasBilled = next_slice > 0 || run > 0 || (slice !== null && slice.base !== null);
  return (
    hasBilled && last_billed_date !== null && last_billed_date > (before.last_billed_date ?? new Date(0))
  );
}

function includes(ids: readonly Id[], id: Id): boolean {
  return ids.some((one) => sameId(one, id));
}
