import { Injectable } from '@nestjs/common';
import { InjectRecord, RecordStore, type Id, type RecordModel } from '@commerce/platform';

import { TestClockRecord } from './test-clock.record.js';

@Injectable()
export class TestClockStore extends RecordStore<TestClockRecord> {
  constructor(@InjectRecord(TestClockRecord) model: RecordModel) {
    super(model, TestClockRecord);
  }

  /** The clocks of all companies that are advancing, the one that has waited longest first. */
  async advancing(limit: number): Promise<{ _id: Id; company: Id }[]> {
    return this.model
      .find({ status: 'advancing' }, { company: 1 })
      .sort({ updated: 1 })
      .limit(limit)
      .lean<{ _id: Id; company: Id }[]>();
  }
}
