import { Injectable } from '@nestjs/common';
import { RecordStore, dueBy, dueWorkOf, type DueWork } from '@commerce/data';
import { InjectRecord, type Id, type RecordModel } from '@commerce/records';

import { PaymentRecord } from './payment.record.js';
import type { PaymentGroup } from './payment-totals.js';

/** Time limit for adding up the payments of a year, which takes longer than reading a page. */
const TOTALS_MS = 10_000;

type GroupRow = { readonly _id: Pick<PaymentGroup, 'currency' | 'status'> } & Omit<
  PaymentGroup,
  'currency' | 'status'
>;

@Injectable()
export class PaymentStore extends RecordStore<PaymentRecord> {
  constructor(@InjectRecord(PaymentRecord) model: RecordModel) {
    super(model, PaymentRecord);
  }

  /** Payments of all companies that are due for a check, the longest due first. */
  async due(now: Date, limit: number): Promise<{ _id: Id; check_at: Date }[]> {
    return this.model
      .find({ check_at: dueBy(now) }, { check_at: 1 })
      .sort({ check_at: 1 })
      .limit(limit)
      .lean<{ _id: Id; check_at: Date }[]>();
  }

  /** Payments of a company that are due for a check. */
  async dueOf(company: Id, now: Date): Promise<DueWork> {
    return dueWorkOf(this.model, company, 'check_at', now);
  }

  /** The payments of a company that were created in that time, added up by currency and state. */
  async groups(company: Id, testClock: Id | null, from: Date, to: Date): Promise<PaymentGroup[]> {
    const match = { company, created: { $gte: from, $lt: to }, test_clock: testClock };
    const by = { currency: '$currency', status: '$status' };
    const sums = {
      amount: { $sum: '$amount' },
      refunded: { $sum: '$refunded_amount' },
      debt: { $sum: '$debt_amount' },
      payments: { $sum: 1 },
    };
    const found = await this.model.collection
      .aggregate<GroupRow>([{ $match: match }, { $group: { _id: by, ...sums } }], { maxTimeMS: TOTALS_MS })
      .toArray();
    return found.map(({ _id, ...sum }) => ({ ..._id, ...sum }));
  }

  /** Number of payments of all companies that owe a failed refund. */
  async owing(): Promise<number> {
    return this.model.countDocuments({ owed_amount: { $gt: 0 } });
  }

  /**
   * Leases a due payment until `until`, so that no other worker checks it before. Returns its company; null when it is
   * not due, or no longer.
   */
  async claim(id: Id, now: Date, until: Date): Promise<Id | null> {
    const found = await this.model
      .findOneAndUpdate(
        this.engine.withId(id, { check_at: dueBy(now) }),
        { $set: { check_at: until } },
        { projection: { company: 1 } },
      )
      .lean<{ company: Id }>();
    return found?.company ?? null;
  }

  /** Sets the date of the next check, unless another process has changed it since the lease began. */
  async moveCheck(company: Id, id: Id, claimed: Date, to: Date | null): Promise<void> {
    await this.model.updateOne(this.engine.withId(id, { company, check_at: claimed }), {
      $set: { check_at: to },
    });
  }
}
