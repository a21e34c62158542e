/** Refusals of a coupon on a subscription. */
export const COUPONS = [
  'coupon.already_redeemed',
  'coupon.currency_differs',
  'coupon.expired',
  'coupon.inactive',
  'coupon.not_for_these_products',
  'coupon.not_for_this_plan',
  'coupon.not_started',
  'coupon.not_usable',
  'coupon.too_many_reserved',
  'coupon.unknown',
  'coupon.used_up',
];
