import { Injectable } from '@nestjs/common';
import { TestClockStore, type ClockKey } from '@commerce/identity';
import { DatabaseClock } from '@commerce/data';
import { Handles, JobQueue, Sweeps } from '@commerce/jobs';
import pMap from 'p-map';

import { CompanyRotation } from '../cycle/company-rotation.js';
import { inTurns } from './clock-turns.js';
import { TestClockRunner } from './test-clock-runner.js';
import { testClockRequest, testClocksJob, type TestClockJob } from './test-clocks.job.js';

/** Clocks read in one pass. Where more are due, companies are served round robin. */
const PER_PASS = 100;

/** Companies served in one pass of the round robin, and clocks of each. */
const COMPANIES_PER_PASS = 50;
const CLOCKS_PER_COMPANY = 4;

/** Time after which a run yields to waiting ones. */
const RUN_MS = 2000;

/**
 * Finds advancing clocks, so that neither a crash nor an emptied Redis leaves one stuck. Companies have equal shares,
 * and a clock without progress is run less and less often.
 */
@Injectable()
export class TestClockSweep {
  private readonly rotation = new CompanyRotation(COMPANIES_PER_PASS);

  constructor(
    private readonly clocks: TestClockStore,
    private readonly jobs: JobQueue,
    private readonly runner: TestClockRunner,
    private readonly time: DatabaseClock,
  ) {}

  @Sweeps('test-clocks')
  async sweep(): Promise<void> {
    const now = this.time.read();
    const oldest = await this.clocks.toRun(now, PER_PASS);
    const due = oldest.length < PER_PASS ? oldest : await this.dueOfMany(now);
    const requests = inTurns(due).map(({ _id, company, turn }) => testClockRequest(company, _id, turn));
    await this.jobs.addOrRun(testClocksJob, requests, (data) => this.advance(data));
  }

  /** Runs the due subscriptions of one advancing clock. */
  @Handles(testClocksJob)
  async advance({ company, clock }: TestClockJob): Promise<void> {
    let end = performance.now() + RUN_MS;
    const mayGoOn = async (): Promise<boolean> => {
      if (performance.now() < end) return true;
      // Null without Redis: then this run delays the whole sweep.
      if ((await this.jobs.waiting(testClocksJob)) !== 0) return false;
      end = performance.now() + RUN_MS;
      return true;
    };
    await this.runner.run(company, clock, mayGoOn);
  }

  /** Reads due clocks company by company: in one common read, one company's backlog may hide all others. */
  private async dueOfMany(now: Date): Promise<readonly ClockKey[]> {
    const companies = this.rotation.next(await this.clocks.companiesToRun(now));
    const found = await pMap(companies, (company) => this.clocks.toRunOf(company, now, CLOCKS_PER_COMPANY), {
      concurrency: 4,
    });
    return found.flat();
  }
}
