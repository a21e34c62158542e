import { Injectable } from '@nestjs/common';
import { DatabaseClock } from '@commerce/data';
import { Handles, JobQueue, Sweeps } from '@commerce/jobs';

import { CheckupWalker } from './checkup-walker.js';
import { checkupJob, checkupRequest, type CheckupJob } from './checkup.job.js';
import { CheckupStore } from './checkup.store.js';

/** Checkups read in one pass. */
const PER_PASS = 100;

/** Finds checkups that wait, or whose worker died, so that neither a crash nor an emptied Redis leaves one undone. */
@Injectable()
export class CheckupSweep {
  constructor(
    private readonly store: CheckupStore,
    private readonly clock: DatabaseClock,
    private readonly jobs: JobQueue,
    private readonly walker: CheckupWalker,
  ) {}

  @Sweeps('checkups')
  async sweep(): Promise<void> {
    const due = await this.store.due(this.clock.read(), PER_PASS);
    await this.jobs.addOrRun(checkupJob, due.map(checkupRequest), (data) => this.check(data));
  }

  /** Walks over the records of one company. */
  @Handles(checkupJob)
  async check({ company }: CheckupJob): Promise<void> {
    await this.walker.run(company);
  }
}
