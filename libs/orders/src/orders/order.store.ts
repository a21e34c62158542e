import { Injectable } from '@nestjs/common';
import { InjectRecord, RecordStore, dueBy, type Id, type RecordModel } from '@commerce/platform';

import { OrderRecord } from './order.record.js';

/** Which order, and whose. */
export interface OrderKey {
  readonly _id: Id;
  readonly company: Id;
}

@Injectable()
export class OrderStore extends RecordStore<OrderRecord> {
  constructor(@InjectRecord(OrderRecord) model: RecordModel) {
    super(model, OrderRecord);
  }

  /** Orders of all companies that hold a coupon's place about which something is to be decided by now; real time. */
  async couponDue(now: Date, limit: number): Promise<OrderKey[]> {
    return this.model
      .find({ coupon_due: dueBy(now) }, { company: 1 })
      .sort({ coupon_due: 1 })
      .limit(limit)
      .lean<OrderKey[]>();
  }

  /** How many paid orders used a coupon. */
  async paidWith(company: Id, coupon: Id): Promise<number> {
    return this.in(company).count({ coupon_id: coupon, status: { $in: ['PAID', 'REFUNDED'] } });
  }
}
