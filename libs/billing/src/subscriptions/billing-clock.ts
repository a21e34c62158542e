import { Injectable } from '@nestjs/common';
import { BusinessClock } from '@commerce/identity';
import { SystemClock } from '@commerce/platform';

import type { Instants } from './subscription-change.js';
import type { SubscriptionRecord } from './subscription.record.js';

/** What time it is for a subscription, and for the sweeps. */
@Injectable()
export class BillingClock {
  constructor(
    private readonly time: BusinessClock,
    private readonly clock: SystemClock,
  ) {}

  async of({ company, test_clock }: Pick<SubscriptionRecord, 'company' | 'test_clock'>): Promise<Instants> {
    const real = this.clock.now();
    return { reached: test_clock === null ? real : await this.time.of(company, test_clock), real };
  }

  real(): Date {
    return this.clock.now();
  }
}
