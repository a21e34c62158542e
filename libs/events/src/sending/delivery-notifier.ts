import { Injectable } from '@nestjs/common';
import { JobQueue } from '@commerce/jobs';
import { type Id } from '@commerce/records';

import { deliverJob, deliverRequests, dueDeliveriesIn, type NewDelivery } from '../delivery/delivery.job.js';
import { DeliveryDispatcher } from './delivery-dispatcher.js';

/** Jobs that may wait in Redis; what is beyond waits in the database. */
const MAX_JOBS = 10_000;

/** Tells the workers of new deliveries. */
@Injectable()
export class DeliveryNotifier {
  constructor(
    private readonly jobs: JobQueue,
    private readonly dispatcher: DeliveryDispatcher,
  ) {}

  /** Without Redis this worker sends them itself. If too many jobs wait, the sweep finds them later. */
  async notify(company: Id, deliveries: readonly NewDelivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    const requests = deliverRequests(company, deliveries);
    const waiting = await this.jobs.waiting(deliverJob);
    if (waiting !== null && waiting > MAX_JOBS) return;
    if (waiting !== null && (await this.jobs.add(deliverJob, ...requests))) return;
    for (const { data } of requests) this.dispatcher.offer(dueDeliveriesIn(data));
  }
}
