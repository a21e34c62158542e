import { Injectable } from '@nestjs/common';
import { RecordStore, dueBy } from '@commerce/data';
import { InjectRecord, hydrate, type Id, type RecordModel } from '@commerce/records';

import { CheckupRecord } from './checkup.record.js';

/** A worker's hold on the checkup of a company. */
export interface CheckupClaim {
  readonly company: Id;
  readonly name: string;
}

@Injectable()
export class CheckupStore extends RecordStore<CheckupRecord> {
  constructor(@InjectRecord(CheckupRecord) model: RecordModel) {
    super(model, CheckupRecord);
  }

  /** Companies whose checkup a worker should take, the longest due first. */
  async due(now: Date, limit: number): Promise<Id[]> {
    const rows = await this.model
      .find({ due: dueBy(now) }, { company: 1, _id: 0 })
      .sort({ due: 1 })
      .limit(limit)
      .lean<{ company: Id }[]>();
    return rows.map(({ company }) => company);
  }

  /** Takes the checkup of a company until the lease ends; null when it is not, or no longer, due. */
  async claim({ company, name }: CheckupClaim, now: Date, until: Date): Promise<CheckupRecord | null> {
    const running = { state: 'running', started: now, due: until, claimed_by: name, updated: now };
    const found = await this.model.collection.findOneAndUpdate(
      { _id: company, company, due: dueBy(now) },
      { $set: { ...running, checked: 0, total: 0, findings: [] }, $inc: { claims: 1, 'sys.version': 1 } },
      { returnDocument: 'after' },
    );
    return found === null ? null : hydrate(CheckupRecord, found);
  }

  /** Writes to a checkup that is claimed; false when it has been lost to another worker. */
  async write({ company, name }: CheckupClaim, changes: Partial<CheckupRecord>): Promise<boolean> {
    const { matchedCount } = await this.model.collection.updateOne(
      { _id: company, company, claimed_by: name },
      { $set: changes, $inc: { 'sys.version': 1 } },
    );
    return matchedCount === 1;
  }

  /** Gives a checkup back unfinished. One that the worker interrupts itself does not count as begun. */
  async release({ company, name }: CheckupClaim, due: Date, counts: boolean): Promise<void> {
    await this.model.collection.updateOne(
      { _id: company, company, claimed_by: name },
      {
        $set: { state: 'queued', due, claimed_by: null },
        $inc: { claims: counts ? 0 : -1, 'sys.version': 1 },
      },
    );
  }
}
