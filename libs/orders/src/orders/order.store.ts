import { Injectable } from '@nestjs/common';
import type { CouponOfUser, Session } from '@commerce/catalog';
import type { TestClockRecord } from '@commerce/identity';
import { RecordStore, dueBy } from '@commerce/data';
import { InjectRecord, type Id, type RecordModel } from '@commerce/records';

import { OrderRecord } from './order.record.js';

/** An order and its company. */
export interface OrderKey {
  readonly _id: Id;
  readonly company: Id;
}

@Injectable()
export class OrderStore extends RecordStore<OrderRecord> {
  constructor(@InjectRecord(OrderRecord) model: RecordModel) {
    super(model, OrderRecord);
  }

  /** Orders of all companies with a coupon reservation that is due for a decision; real time. */
  async couponDue(now: Date, limit: number): Promise<OrderKey[]> {
    return this.model
      .find({ coupon_due: dueBy(now) }, { company: 1 })
      .sort({ coupon_due: 1 })
      .limit(limit)
      .lean<OrderKey[]>();
  }

  /** Orders of all companies, in real time, whose payment should have been authenticated by now. */
  async authDue(now: Date, limit: number): Promise<OrderKey[]> {
    return this.model
      .find({ test_clock: null, auth_due: dueBy(now) }, { company: 1 })
      .sort({ auth_due: 1 })
      .limit(limit)
      .lean<OrderKey[]>();
  }

  /** The same orders on one test clock, with their dates. */
  async authDueOn(
    { company, _id }: TestClockRecord,
    until: Date,
    limit: number,
  ): Promise<(OrderKey & Pick<OrderRecord, 'auth_due'>)[]> {
    return this.model
      .find({ company, test_clock: _id, auth_due: dueBy(until) }, { company: 1, auth_due: 1 })
      .sort({ auth_due: 1 })
      .limit(limit)
      .lean<(OrderKey & Pick<OrderRecord, 'auth_due'>)[]>();
  }

  /** Number of paid orders that used a coupon. */
  async paidWith(company: Id, coupon: Id): Promise<number> {
    return this.in(company).count({ coupon_id: coupon, status: { $in: ['PAID', 'REFUNDED'] } });
  }

  /** Number of a customer's other orders that have redeemed or reserved a coupon, counted up to `limit`. */
  async redeemedBy(use: CouponOfUser, limit: number, session: Session): Promise<number> {
    const { company, user, coupon, holder } = use;
    const others = holder === null ? {} : { _id: { $ne: holder } };
    const used = [{ status: { $in: ['PAID', 'REFUNDED'] } }, { coupon_due: { $ne: null } }];
    return this.model.collection.countDocuments(
      { company, user, coupon_id: coupon, ...others, $or: used },
      { limit, ...session },
    );
  }
}
