import { Injectable } from '@nestjs/common';
import { TestClockRecord, TestClockStore } from '@commerce/identity';
import { fault, fieldFault } from '@commerce/kernel';
import { DatabaseClock, UnitsOfWork, type Caller, type Page } from '@commerce/data';
import { JobQueue } from '@commerce/jobs';
import { pageOf } from '@commerce/records';

import type { AdvanceTestClockBody, CreateTestClockBody, ListTestClocksQuery } from './test-clock.dto.js';
import { testClockRequest, testClocksJob } from './test-clocks.job.js';

/** Number of advancing clocks of a company beyond which another one queues behind other companies. */
const MOST_BEFORE = 50;

/** Clocks that stand still until they are advanced, so that a year of billing can be tested in seconds. */
@Injectable()
export class TestClocks {
  constructor(
    private readonly store: TestClockStore,
    private readonly units: UnitsOfWork,
    private readonly jobs: JobQueue,
    private readonly time: DatabaseClock,
  ) {}

  async create(caller: Caller, body: CreateTestClockBody): Promise<TestClockRecord> {
    requireTestMode(caller);
    return this.units.create(this.store, { ...body, company: caller.company });
  }

  async get(caller: Caller, id: string): Promise<TestClockRecord> {
    requireTestMode(caller);
    return this.store.for(caller).show(id);
  }

  async list(caller: Caller, query: ListTestClocksQuery): Promise<Page<TestClockRecord>> {
    requireTestMode(caller);
    return this.store.for(caller).page(pageOf(query, { deleted: false }));
  }

  /** Stops the clock for good; its users and their subscriptions remain unchanged. */
  async delete(caller: Caller, id: string): Promise<TestClockRecord> {
    return this.change(caller, id, () => ({ deleted: true }));
  }

  /**
   * Starts to advance the clock to a later time. The worker runs everything due on the way, then the clock is ready.
   */
  async advance(caller: Caller, id: string, body: AdvanceTestClockBody): Promise<TestClockRecord> {
    const clock = await this.change(caller, id, ({ frozen_time }) => {
      if (body.frozen_time < frozen_time) {
        throw fieldFault('frozen_time', 'frozen_time must not be before the time of the clock');
      }
      return {
        status: 'advancing',
        target_time: body.frozen_time,
        run_at: this.time.read(),
        fruitless_runs: 0,
      };
    });
    const before = (await this.store.advancingOf(clock.company, MOST_BEFORE)) - 1;
    await this.jobs.add(testClocksJob, testClockRequest(clock.company, clock._id, Math.max(before, 0)));
    return clock;
  }

  private async change(
    caller: Caller,
    id: string,
    changesOf: (before: TestClockRecord) => Partial<TestClockRecord>,
  ): Promise<TestClockRecord> {
    requireTestMode(caller);
    return this.units.change(this.store.for(caller), id, (before) => {
      const { status, frozen_time } = before;
      if (status !== 'advancing') return { changes: changesOf(before) };
      const message = 'The clock is still advancing; wait until its status is ready';
      throw fault('test_clock.state_conflict', message, { status, frozen_time: frozen_time.getTime() });
    });
  }
}

function requireTestMode(caller: Caller): void {
  if (caller.mode === 'test') return;
  throw fault('test_clock.test_mode_only', 'Test clocks are for the keys of test mode');
}
