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

  /** The advancing clocks of all companies that are due for a run, the longest waiting first. */
  async toRun(now: Date, limit: number): Promise<ClockKey[]> {
    return this.keys(runnable(now), limit);
  }

  /** The advancing clocks of one company that are due for a run. */
  async toRunOf(company: Id, now: Date, limit: number): Promise<ClockKey[]> {
    return this.keys({ company, ...runnable(now) }, limit);
  }

  /** The companies with an advancing clock that is due for a run. */
  async companiesToRun(now: Date): Promise<Id[]> {
    const found = await this.model.collection
      .aggregate<{ _id: Id }>([{ $match: runnable(now) }, { $group: { _id: '$company' } }])
      .toArray();
    return found.map(({ _id }) => _id);
  }

  /** Number of advancing clocks of a company, up to `most`. */
  async advancingOf(company: Id, most: number): Promise<number> {
    return this.model.collection.countDocuments({ company, status: 'advancing' }, { limit: most });
  }

  /** Records the date of the next run of an advancing clock, and the number of consecutive runs without progress. */
  async rest({ _id, company }: ClockKey, run_at: Date, fruitless_runs: number): Promise<void> {
    const filter = this.engine.withId(_id, { company, status: 'advancing' });
    await this.model.collection.updateOne(filter, { $set: { run_at, fruitless_runs } });
  }

  private async keys(filter: Filter, limit: number): Promise<ClockKey[]> {
    return this.model.find(filter, { company: 1 }).sort({ run_at: 1 }).limit(limit).lean<ClockKey[]>();
  }
}

function runnable(now: Date): Filter {
  return { status: 'advancing', run_at: { $lte: now } };
}
