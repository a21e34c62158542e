import { providerMark } from '@commerce/platform';
import type { Id } from '@commerce/records';

import type { Reservation } from './coupon.record.js';
import type { Session } from './coupon.store.js';

/** A customer of a company, and the coupon that one of their records is to redeem. */
export interface CouponOfUser {
  readonly company: Id;
  readonly user: Id;
  readonly coupon: Id;
  /** The record itself; null before it exists. */
  readonly holder: Id | null;
}

/** The records of one kind that redeem coupons, as doctor compares them with the coupons. */
export interface CouponUsage {
  readonly kind: Exclude<keyof Reservation, 'until'>;
  /** Number of those that have redeemed a coupon. */
  redeemed(company: Id, coupon: Id): Promise<number>;
  /** Number of a customer's other records that have redeemed or reserved a coupon; `limit` at most. */
  ofUser(use: CouponOfUser, limit: number, session: Session): Promise<number>;
  /** The hexadecimal ids of those among `holders` that need their reservations. */
  reserving(company: Id, holders: readonly Id[]): Promise<ReadonlySet<string>>;
}

/** Marks a provider whose records redeem coupons. */
export const RedeemsCoupons = providerMark<CouponUsage>();
