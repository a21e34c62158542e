import { Injectable } from '@nestjs/common';
import { RedeemsCoupons, type CouponOfUser, type CouponUsage, type Session } from '@commerce/catalog';
import type { Id } from '@commerce/records';

import { CouponUseStore } from '../subscription-record/coupon-use.store.js';
import { SubscriptionStore } from '../subscription-record/subscription.store.js';

/** The subscriptions that redeem coupons: once paid with their discount; until then, they hold a reservation. */
@Injectable()
@RedeemsCoupons()
export class SubscriptionCouponUsage implements CouponUsage {
  readonly kind = 'subscription';

  constructor(
    private readonly subscriptions: SubscriptionStore,
    private readonly uses: CouponUseStore,
  ) {}

  redeemed(company: Id, coupon: Id): Promise<number> {
    return this.subscriptions.redeemedWith(company, coupon);
  }

  ofUser(use: CouponOfUser, limit: number, session: Session): Promise<number> {
    return this.uses.ofUser(use, limit, session);
  }

  async reserving(company: Id, holders: readonly Id[]): Promise<ReadonlySet<string>> {
    const found = await this.subscriptions.in(company).byIds(holders);
    const holding = [...found].filter(([, { reserved_coupons }]) => reserved_coupons.length > 0);
    return new Set(holding.map(([id]) => id));
  }
}
