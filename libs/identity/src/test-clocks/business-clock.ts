import { Injectable } from '@nestjs/common';
import { DatabaseClock } from '@commerce/data';
import { type Id } from '@commerce/records';

import { TestClockStore } from './test-clock.store.js';

/**
 * The current time of one customer: `real` is real time, `business` that of the customer's test clock, or `real`
 * without one. Sweeps and calls to the card provider use `real`, everything that is billed `business`.
 */
export interface Instants {
  readonly business: Date;
  readonly real: Date;
}

/** The time of customers. A deleted test clock keeps its last time. */
@Injectable()
export class BusinessClock {
  constructor(
    private readonly clocks: TestClockStore,
    private readonly clock: DatabaseClock,
  ) {}

  async instants(company: Id, testClock: Id | null): Promise<Instants> {
    const real = this.clock.read();
    if (testClock === null) return { business: real, real };
    const found = await this.clocks.loader.find(company, testClock, { deleted: true });
    return { business: found?.frozen_time ?? real, real };
  }

  /**
   * The time of the test clock that a request names in the field `path`.
   * @throws Fault `test_clock.unknown`
   */
  async referred(company: Id, testClock: Id | null, path: string): Promise<Date> {
    if (testClock === null) return this.clock.now();
    return (await this.clocks.in(company).referred(testClock, path)).frozen_time;
  }

  /** The business time alone. */
  async now(company: Id, testClock: Id | null): Promise<Date> {
    return (await this.instants(company, testClock)).business;
  }
}
