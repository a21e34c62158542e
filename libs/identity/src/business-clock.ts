import { Injectable } from '@nestjs/common';
import { SystemClock, type Id } from '@commerce/platform';

import { TestClockStore } from './test-clock.store.js';

/**
 * What time it is for a customer: that of the test clock on which the customer lives, else the real one. A deleted
 * clock stands where it stood.
 */
@Injectable()
export class BusinessClock {
  constructor(
    private readonly clocks: TestClockStore,
    private readonly clock: SystemClock,
  ) {}

  async of(company: Id, testClock: Id | null): Promise<Date> {
    if (testClock === null) return this.clock.now();
    const found = await this.clocks.in(company).find(testClock, { deleted: true });
    return found?.frozen_time ?? this.clock.now();
  }
}
