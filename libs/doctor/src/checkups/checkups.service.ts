import { Injectable } from '@nestjs/common';
import { isFault } from '@commerce/kernel';
import { DatabaseClock, UnitsOfWork, type Caller } from '@commerce/data';
import { JobQueue } from '@commerce/jobs';
import { makeRecord, type Id } from '@commerce/records';

import { checkupJob, checkupRequest } from './checkup.job.js';
import { CheckupRecord } from './checkup.record.js';
import { CheckupStore } from './checkup.store.js';

/** The results of the last walk over all records of a company, and requests for the next one, which a worker makes. */
@Injectable()
export class Checkups {
  constructor(
    private readonly store: CheckupStore,
    private readonly units: UnitsOfWork,
    private readonly jobs: JobQueue,
    private readonly clock: DatabaseClock,
  ) {}

  /** The last checkup; one in the state `none` where there never was any. */
  async last({ company }: Caller): Promise<CheckupRecord> {
    const found = await this.store.in(company).find(company);
    return found ?? makeRecord(CheckupRecord, blank(company), this.clock.read());
  }

  /** Asks for a checkup. One that waits or runs is not started over. */
  async request(caller: Caller): Promise<CheckupRecord> {
    const checkup = await this.queued(caller.company).catch((error: unknown) => {
      // Another request of the same moment was the first ever.
      if (isFault(error, 'record.exists')) return this.queued(caller.company);
      throw error;
    });
    if (checkup.state === 'queued') await this.jobs.add(checkupJob, checkupRequest(caller.company));
    return checkup;
  }

  private queued(company: Id): Promise<CheckupRecord> {
    return this.units.write(company, async (work) => {
      const before = await this.store.in(company).find(company);
      if (before !== null && before.state !== 'done') return before;
      const asked = { ...blank(company), state: 'queued', requested: work.now, due: work.now } as const;
      if (before !== null) return work.update(this.store, before, asked);
      return work.insert(this.store, makeRecord(CheckupRecord, asked, work.now));
    });
  }
}

function blank(company: Id) {
  return {
    _id: company,
    company,
    requested: null,
    started: null,
    finished: null,
    checked: 0,
    total: 0,
    findings: [],
    incomplete: null,
    repair: `npm run cli -- doctor --company ${company.toHexString()} --fix`,
    claims: 0,
  };
}
