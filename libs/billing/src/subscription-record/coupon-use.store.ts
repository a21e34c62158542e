import { Injectable } from '@nestjs/common';
import type { CouponOfUser, Session } from '@commerce/catalog';
import { RecordStore } from '@commerce/data';
import { InjectRecord, type RecordModel } from '@commerce/records';

import { SubscriptionRecord } from './subscription.record.js';

/** The coupons that the subscriptions of a customer use. */
@Injectable()
export class CouponUseStore extends RecordStore<SubscriptionRecord> {
  constructor(@InjectRecord(SubscriptionRecord) model: RecordModel) {
    super(model, SubscriptionRecord);
  }

  /** Number of a customer's other subscriptions that have redeemed or reserved a coupon, counted up to `limit`. */
  async ofUser(use: CouponOfUser, limit: number, session: Session): Promise<number> {
    const { company, user, coupon, holder } = use;
    const used = [{ reserved_coupons: coupon }, { redeemed_coupons: coupon }];
    const filter = { company, user, ...(holder && { _id: { $ne: holder } }), $or: used };
    return this.model.collection.countDocuments(filter, { limit, ...session });
  }
}
