import { providerMark } from '@commerce/platform';
import type { Id } from '@commerce/records';

import type { Reservation } from './coupon.record.js';

/** The records of one kind that redeem coupons, as doctor compares them with the coupons. */
export interface CouponUsage {
  readonly kind: Exclude<keyof Reservation, 'until'>;
  /** Number of those that have redeemed a coupon. */
  redeemed(company: Id, coupon: Id): Promise<number>;
  /** The hexadecimal ids of those among `holders` that need their reservations. */
  reserving(company: Id, holders: readonly Id[]): Promise<ReadonlySet<string>>;
}

/** Marks a provider whose records redeem coupons. */
export const RedeemsCoupons = providerMark<CouponUsage>();
