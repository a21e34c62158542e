import { Injectable } from '@nestjs/common';
import { RecordStore } from '@commerce/data';
import { InjectRecord, type Filter, type Id, type RecordModel } from '@commerce/records';

import { TestClockRecord } from './test-clock.record.js';

/** A clock and its company. */
export interface ClockKey {
  readonly _id: Id;
  readonly company: Id;
}

@Injectable()
export class TestClockStore extends RecordStore<TestClockRecord> {
  constructor(@InjectRecord(TestClockRecord) model: RecordModel) {
    super(model, TestClockRecord);
  }

  /** The advancing clocks of all companies that a worker should run now, those that have waited longest first. */
  async toRun(now: Date, limit: number): Promise<ClockKey[]> {
    return this.keys(runnable(now), limit);
  }

  /** The same, of one company. */
  async toRunOf(company: Id, now: Date, limit: number): Promise<ClockKey[]> {
    return this.keys({ company, ...runnable(now) }, limit);
  }

  /** The companies that have any. */
  async companiesToRun(now: Date): Promise<Id[]> {
    const found = await this.model.collection
      .aggregate<{ _id: Id }>([{ $match: runnable(now) }, { $group: { _id: '$company' } }])
      .toArray();
    return found.map(({ _id }) => _id);
  }

  /** How many clocks of a company are advancing, up to `most`. */
  async advancingOf(company: Id, most: number): Promise<number> {
    return this.model.collection.countDocuments({ company, status: 'advancing' }, { limit: most });
  }

  /** Notes when an advancing clock is run again, and how many runs in a row led nowhere. */
  async rest({ _id, company }: ClockKey, run_at: Date, fruitless_runs: number): Promise<void> {
    const filter = this.engine.withId(_id, { company, status: 'advancing' });
    await this.model.collection.updateOne(filter, { $set: { run_at, fruitless_runs } });
  }

  private async keys(filter: Filter, limit: number): Promise<ClockKey[]> {
    return this.model.find(filter, { company: 1 }).sort({ run_at: 1 }).limit(limit).lean<ClockKey[]>();
  }
}

/** Clocks that an earlier version sent off have no `run_at`. */
function runnable(now: Date): Filter {
  return { status: 'advancing', run_at: { $not: { $gt: now } } };
}
