import { Injectable } from '@nestjs/common';
import { JobQueue } from '@commerce/jobs';

import { deliverJob, deliverRequests } from '../delivery/delivery.job.js';
import type { DeliveryRecord } from '../delivery/delivery.record.js';
import { DeliverySweep } from './delivery-sweep.js';

/** Jobs that may wait in Redis; what is beyond waits in the database. */
const MAX_JOBS = 10_000;

/** Notifies the workers of new deliveries. */
@Injectable()
export class DeliveryNotifier {
  constructor(
    private readonly jobs: JobQueue,
    private readonly sweep: DeliverySweep,
  ) {}

  /** Without Redis this worker sends them itself. If too many jobs wait, the sweep finds them later. */
  async notify(deliveries: readonly Pick<DeliveryRecord, 'webhook'>[]): Promise<void> {
    if (deliveries.length === 0) return;
    const waiting = await this.jobs.waiting(deliverJob);
    if (waiting !== null && waiting > MAX_JOBS) return;
    await this.jobs.addOrRun(deliverJob, deliverRequests(deliveries), (job) => this.sweep.deliver(job));
  }
}
