import { Injectable } from '@nestjs/common';
import { TestClockStore } from '@commerce/identity';
import { Handles, JobQueue, Sweeps, parseId, type Id } from '@commerce/platform';

import { TestClockRunner } from './test-clock-runner.js';
import { testClockRequest, testClocksJob, type TestClockJob } from './test-clocks.job.js';

/** Clocks read in one pass. */
const PER_PASS = 100;

/** Finds clocks that are advancing, so that neither a crash nor an emptied Redis leaves one stuck. */
@Injectable()
export class TestClockSweep {
  constructor(
    private readonly clocks: TestClockStore,
    private readonly jobs: JobQueue,
    private readonly runner: TestClockRunner,
  ) {}

  @Sweeps('test-clocks')
  async sweep(): Promise<void> {
    const clocks = await this.clocks.advancing(PER_PASS);
    const requests = clocks.map(({ _id, company }) => testClockRequest(company, _id));
    await this.jobs.addOrRun(testClocksJob, requests, (data) => this.advance(data));
  }

  /** Runs what falls due on one advancing clock. */
  @Handles(testClocksJob)
  async advance({ company, clock }: TestClockJob): Promise<void> {
    // Both were checked to be ids when the job was read from the queue.
    await this.runner.run(parseId(company) as Id, parseId(clock) as Id);
  }
}
