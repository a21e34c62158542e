import { Injectable } from '@nestjs/common';
import { TestClockRecord, TestClockStore } from '@commerce/identity';
import { fault, fieldFault } from '@commerce/kernel';
import {
  JobQueue,
  SystemClock,
  UnitsOfWork,
  retryOnConflict,
  makeRecord,
  readPage,
  type Caller,
  type Page,
  type RawQuery,
} from '@commerce/platform';

import type { AdvanceTestClockBody, CreateTestClockBody } from './test-clock.bodies.js';
import { testClockRequest, testClocksJob } from './test-clocks.job.js';

/** Clocks that stand still until they are advanced, so that a year of billing can be tried in a moment. */
@Injectable()
export class TestClocks {
  constructor(
    private readonly store: TestClockStore,
    private readonly units: UnitsOfWork,
    private readonly clock: SystemClock,
    private readonly jobs: JobQueue,
  ) {}

  async create(caller: Caller, body: CreateTestClockBody): Promise<TestClockRecord> {
    requireTestMode(caller);
    const now = this.clock.now();
    const work = this.units.begin(caller.company, now);
    const record = makeRecord(TestClockRecord, { ...body, company: caller.company }, now);
    const clock = work.insert(this.store, record);
    await work.commit();
    return clock;
  }

  async get(caller: Caller, id: string): Promise<TestClockRecord> {
    requireTestMode(caller);
    return this.store.in(caller.company).get(id, { deleted: true });
  }

  async list(caller: Caller, raw: RawQuery): Promise<Page<TestClockRecord>> {
    requireTestMode(caller);
    const query = readPage(raw, {
      sortable: ['created', 'updated', 'name'],
      sort: '-created',
      dates: { created: 'created', updated: 'updated' },
    });
    return this.store.in(caller.company).page({ ...query, filter: { ...query.filter, deleted: false } });
  }

  /** The clock stops for good; what lives on it stays as it is. */
  async delete(caller: Caller, id: string): Promise<TestClockRecord> {
    return this.change(caller, id, () => ({ deleted: true }));
  }

  /** Sends the clock off to a later time. The worker runs what falls due on the way, then the clock is ready. */
  async advance(caller: Caller, id: string, body: AdvanceTestClockBody): Promise<TestClockRecord> {
    const clock = await this.change(caller, id, (before) => {
      if (body.frozen_time < before.frozen_time) {
        throw fieldFault('frozen_time', 'frozen_time must not be before the time of the clock');
      }
      return { status: 'advancing', target_time: body.frozen_time };
    });
    await this.jobs.add(testClocksJob, testClockRequest(clock.company, clock._id));
    return clock;
  }

  private async change(
    caller: Caller,
    id: string,
    changesOf: (before: TestClockRecord) => Partial<TestClockRecord>,
  ): Promise<TestClockRecord> {
    requireTestMode(caller);
    return retryOnConflict(async () => {
      const before = await this.store.in(caller.company).get(id);
      if (before.status === 'advancing') {
        throw fault('test_clock.state_conflict', 'The clock is on its way; wait until its status is ready', {
          status: before.status,
          frozen_time: before.frozen_time.getTime(),
        });
      }
      const work = this.units.begin(caller.company, this.clock.now());
      const after = work.update(this.store, before, changesOf(before));
      await work.commit();
      return after;
    });
  }
}

function requireTestMode(caller: Caller): void {
  if (caller.mode === 'test') return;
  throw fault('test_clock.test_mode_only', 'Test clocks are for the keys of test mode');
}
