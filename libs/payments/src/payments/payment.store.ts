import { Injectable } from '@nestjs/common';
import { InjectRecord, RecordStore, dueBy, type Id, type RecordModel } from '@commerce/platform';

import { PaymentRecord } from './payment.record.js';

@Injectable()
export class PaymentStore extends RecordStore<PaymentRecord> {
  constructor(@InjectRecord(PaymentRecord) model: RecordModel) {
    super(model, PaymentRecord);
  }

  /** Payments of all companies that are due to be looked at, those that have waited longest first. */
  async due(now: Date, limit: number): Promise<{ _id: Id; check_at: Date }[]> {
    return this.model
      .find({ check_at: dueBy(now) }, { check_at: 1 })
      .sort({ check_at: 1 })
      .limit(limit)
      .lean<{ _id: Id; check_at: Date }[]>();
  }

  /** How many payments of all companies owe a refund that failed. */
  async owing(): Promise<number> {
    return this.model.countDocuments({ owed_amount: { $gt: 0 } });
  }

  /**
   * Takes a payment that is due, so that no other worker looks at it until then. Returns its company; null when it is
   * not, or no longer, due.
   */
  async claim(id: Id, now: Date, until: Date): Promise<Id | null> {
    const found = await this.model
      .findOneAndUpdate(
        { _id: id, check_at: dueBy(now) },
        { $set: { check_at: until } },
        { projection: { company: 1 } },
      )
      .lean<{ company: Id }>();
    return found?.company ?? null;
  }

  /** Moves the next look at a payment, unless somebody else moved it since it was claimed. */
  async moveCheck(id: Id, claimed: Date, to: Date | null): Promise<void> {
    await this.model.updateOne({ _id: id, check_at: claimed }, { $set: { check_at: to } });
  }
}
