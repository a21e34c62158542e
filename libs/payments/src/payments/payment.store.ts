import { Injectable } from '@nestjs/common';
import { LeasedRows, RecordStore, dueBy, dueWorkOf, type DueWork, type Lease } from '@commerce/data';
import { InjectRecord, type Id, type RecordModel } from '@commerce/records';

import { PaymentRecord } from './payment.record.js';
import type { PaymentGroup } from './payment-totals.js';

/** Time limit for adding up the payments of a year, which takes longer than reading a page. */
const TOTALS_MS = 10_000;

type GroupRow = { readonly _id: Pick<PaymentGroup, 'currency' | 'status'> } & Omit<
  PaymentGroup,
  'currency' | 'status'
>;

/** A payment and its company. */
export type PaymentKey = Pick<PaymentRecord, '_id' | 'company'>;

/** A payment that is due for a check. */
type DuePayment = PaymentKey & { readonly check_at: Date };

@Injectable()
export class PaymentStore extends RecordStore<PaymentRecord> {
  private readonly leases: LeasedRows;

  constructor(@InjectRecord(PaymentRecord) model: RecordModel) {
    super(model, PaymentRecord);
    this.leases = new LeasedRows(
      { collection: model.collection, engine: this.engine },
      { until: 'check_at' },
    );
  }

  /** Payments of all companies that are due for a check, the longest due first. */
  async due(now: Date, limit: number): Promise<DuePayment[]> {
    return this.model
      .find({ check_at: dueBy(now) }, { company: 1, check_at: 1 })
      .sort({ check_at: 1 })
      .limit(limit)
      .lean<DuePayment[]>();
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

  /** The ids of the newest payments of a subscription. */
  async newestOf(company: Id, subscription: Id, limit: number): Promise<Id[]> {
    const found = await this.model.collection
      .find({ company, subscription }, { projection: { _id: 1 } })
      .sort({ created: -1, _id: -1 })
      .limit(limit)
      .toArray();
    return found.map(({ _id }) => _id);
  }

  /** Number of payments of all companies that owe a failed refund. */
  async owing(): Promise<number> {
    return this.model.countDocuments({ owed_amount: { $gt: 0 } });
  }

  /** Leases a payment; false when it is not due for a check, or no longer. */
  async lease({ _id, company }: PaymentKey, lease: Lease): Promise<boolean> {
    const also = { where: { company }, projection: { _id: 1 } } as const;
    return (await this.leases.take(_id, lease, also)) !== null;
  }

  /** Moves the next look at a payment, unless another writer has moved it since it was leased. */
  async moveCheck({ _id, company }: PaymentKey, lease: Lease, to: Date | null): Promise<void> {
    await this.leases.write(_id, lease, { where: { company }, set: { check_at: to } });
  }
}
