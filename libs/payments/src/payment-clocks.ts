import { Injectable } from '@nestjs/common';
import { BusinessTime } from '@commerce/identity';
import { SystemClock } from '@commerce/platform';

import type { PaymentRecord } from './payment.record.js';

/** The two times of a payment: schedules with the provider run in real time even where business is on a test clock. */
export interface Instants {
  readonly real: Date;
  readonly business: Date;
}

@Injectable()
export class PaymentClocks {
  constructor(
    private readonly clock: SystemClock,
    private readonly time: BusinessTime,
  ) {}

  real(): Date {
    return this.clock.now();
  }

  async of(payment: Pick<PaymentRecord, 'company' | 'test_clock'>): Promise<Instants> {
    const business = await this.time.of(payment.company, payment.test_clock);
    return { real: this.clock.now(), business };
  }
}
