import { Inject, Injectable } from '@nestjs/common';
import { BusinessClock } from '@commerce/identity';
import { CONFIG, SystemClock, type Config } from '@commerce/platform';

import type { PaymentRecord } from '../payments/payment.record.js';

/** The two times of a payment: schedules with the provider run in real time even where business is on a test clock. */
export interface Instants {
  readonly real: Date;
  readonly business: Date;
}

@Injectable()
export class PaymentClock {
  constructor(
    private readonly clock: SystemClock,
    private readonly time: BusinessClock,
    @Inject(CONFIG) private readonly config: Pick<Config, 'leaseMs'>,
  ) {}

  real(): Date {
    return this.clock.now();
  }

  /** Until then whoever claims or opens work now is left alone with it; real time. */
  leaseEnd(): Date {
    return new Date(this.real().getTime() + this.config.leaseMs);
  }

  async of(payment: Pick<PaymentRecord, 'company' | 'test_clock'>): Promise<Instants> {
    const business = await this.time.of(payment.company, payment.test_clock);
    return { real: this.clock.now(), business };
  }
}
