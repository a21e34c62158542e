import { Injectable } from '@nestjs/common';
import { RedeemsCoupons, type CouponOfUser, type CouponUsage, type Session } from '@commerce/catalog';
import type { Id } from '@commerce/records';

import { OrderStore } from './order.store.js';

/** The orders that redeem coupons: once paid; until then, those whose reservation is still to be decided on. */
@Injectable()
@RedeemsCoupons()
export class OrderCouponUsage implements CouponUsage {
  readonly kind = 'order';

  constructor(private readonly orders: OrderStore) {}

  redeemed(company: Id, coupon: Id): Promise<number> {
    return this.orders.paidWith(company, coupon);
  }

  ofUser(use: CouponOfUser, limit: number, session: Session): Promise<number> {
    return this.orders.redeemedBy(use, limit, session);
  }

  async reserving(company: Id, holders: readonly Id[]): Promise<ReadonlySet<string>> {
    const found = await this.orders.in(company).byIds(holders);
    return new Set([...found].filter(([, { coupon_due }]) => coupon_due !== null).map(([id]) => id));
  }
}
