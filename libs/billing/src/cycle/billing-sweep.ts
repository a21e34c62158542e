import { Injectable } from '@nestjs/common';
import { Handles, JobQueue, Metrics, Sweeps, SystemClock, parseId, type Id } from '@commerce/platform';

import { BATCH, billingJob, billingRequest, type BillingJob } from '../subscriptions/billing.job.js';
import { SubscriptionStore } from '../subscriptions/subscription.store.js';
import { batchesOf } from './batches.js';
import { BillingProcessor } from './billing-processor.js';

/** Subscriptions read in one pass. */
const PER_PASS = 2000;

/** While more jobs than this are waiting, adding others for the same subscriptions would be pointless. */
const ENOUGH_WAITING = 20;

/** Finds due subscriptions by their stored date and has them billed in batches. */
@Injectable()
export class BillingSweep {
  constructor(
    private readonly subscriptions: SubscriptionStore,
    private readonly clock: SystemClock,
    private readonly jobs: JobQueue,
    private readonly processor: BillingProcessor,
    private readonly metrics: Metrics,
  ) {}

  @Sweeps('billing')
  async sweep(): Promise<void> {
    const now = this.clock.now();
    const since = await this.subscriptions.dueSince(now);
    this.metrics.oldestDueAge('billing', since === null ? 0 : (now.getTime() - since.getTime()) / 1000);
    if (since === null) return;
    const waiting = await this.jobs.waiting(billingJob);
    if (waiting !== null && waiting > ENOUGH_WAITING) return;
    const batches = batchesOf(await this.subscriptions.toWake(now, PER_PASS), BATCH);
    const requests = batches.map(({ company, ids }) => billingRequest(company, ids));
    await this.jobs.addOrRun(billingJob, requests, (data) => this.bill(data));
  }

  /** Bills a batch of subscriptions of one company. */
  @Handles(billingJob)
  async bill({ company, ids }: BillingJob): Promise<void> {
    // Both were checked to be ids when the job was read from the queue.
    await this.processor.runBatch(parseId(company) as Id, ids.map(parseId) as Id[]);
  }
}
