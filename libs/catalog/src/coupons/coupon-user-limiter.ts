import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { fieldFault } from '@commerce/kernel';
import type { UnitOfWork } from '@commerce/data';

import { RedeemsCoupons, type CouponOfUser } from './coupon-usage.js';
import type { CouponRecord } from './coupon.record.js';
import { CouponStore, type Session } from './coupon.store.js';

/** The limit of a coupon for one customer, and the kind of the record that is to redeem it. */
type LimitedUse = CouponOfUser & { readonly kind: 'order' | 'subscription' };

/**
 * How often one customer redeems a coupon: on one subscription, unless the coupon says more; orders only where it says
 * so.
 */
@Injectable()
export class CouponUserLimiter {
  constructor(
    private readonly coupons: CouponStore,
    private readonly discovery: DiscoveryService,
  ) {}

  /**
   * Adds the check to the commit of a reservation: of two at one time the second meets the first's write to the coupon
   * and starts over. The commit fails with `coupon.already_redeemed`.
   */
  add(work: UnitOfWork, use: Omit<LimitedUse, 'company'>): void {
    const { company } = work;
    work.also(async (session) => {
      const within = session === undefined ? {} : { session };
      const coupon = await this.coupons.limitOf({ _id: use.coupon, company }, within);
      await this.check({ ...use, company }, coupon, within);
    });
  }

  /** @throws Fault `coupon.already_redeemed` */
  async check(
    { kind, ...use }: LimitedUse,
    { max_redemptions_per_user: stated }: Pick<CouponRecord, 'max_redemptions_per_user'>,
    session: Session = {},
  ): Promise<void> {
    if (kind === 'order' && stated === null) return;
    const limit = stated ?? 1;
    const usages = RedeemsCoupons.in(this.discovery).filter((one) => stated !== null || one.kind === kind);
    let used = 0;
    for (const usage of usages) used += await usage.ofUser(use, limit, session);
    if (used < limit) return;
    const message = 'The customer has redeemed this coupon as often as one can';
    throw fieldFault('coupon', message, 'coupon.already_redeemed');
  }
}
