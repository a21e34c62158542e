import { Injectable } from '@nestjs/common';
import { BusinessClock, type Instants } from '@commerce/identity';
import { DatabaseClock, Leases, type Lease } from '@commerce/data';

import type { PaymentRecord } from '../payments/payment.record.js';

/** The clocks of payments: schedules with the provider run in real time, even where business is on a test clock. */
@Injectable()
export class PaymentClock {
  constructor(
    private readonly clock: DatabaseClock,
    private readonly time: BusinessClock,
    private readonly leases: Leases,
  ) {}

  real(): Date {
    return this.clock.read();
  }

  /** A lease that begins now, during which no other process works on the payment; real time. */
  lease(): Lease {
    return this.leases.begin();
  }

  /** End of such a lease. */
  leaseEnd(): Date {
    return this.lease().until;
  }

  instantsOf({ company, test_clock }: Pick<PaymentRecord, 'company' | 'test_clock'>): Promise<Instants> {
    return this.time.instants(company, test_clock);
  }
}
