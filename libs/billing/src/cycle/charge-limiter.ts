import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, FairBulkhead, type Config } from '@commerce/platform';
import { type Id } from '@commerce/records';

/**
 * Bounds the subscriptions that this worker bills concurrently across all jobs: most of that time they wait for the
 * card provider. The jobs that run bound how many wait.
 */
@Injectable()
export class ChargeLimiter {
  private readonly bulkhead: FairBulkhead;

  constructor(@Inject(CONFIG) { chargesAtOnce: running }: Pick<Config, 'chargesAtOnce'>) {
    const waiting = Infinity;
    this.bulkhead = new FairBulkhead({ running, waiting, perCompany: waiting, perCustomer: waiting });
  }

  /** Runs this work as soon as a slot is free. */
  run<T>(company: Id, work: () => Promise<T>): Promise<T> {
    return this.bulkhead.run({ company: company.toHexString() }, work);
  }
}
