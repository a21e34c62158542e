import { setTimeout as pause } from 'node:timers/promises';

import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { DatabaseClock } from '@commerce/data';
import { Handles, JobQueue, Sweeps } from '@commerce/jobs';
import { Metrics } from '@commerce/platform';
import pMap from 'p-map';

import { BATCH, batchRequest, billingJob, type BillingJob } from '../job/billing.job.js';
import { SubscriptionStore, type SubscriptionKey } from '../subscription-record/subscription.store.js';
import { BillingProcessor } from './billing-processor.js';
import { CompanyRotation } from './company-rotation.js';
import { roundRobinBatches } from './round-robin-batches.js';

/** Subscriptions of all companies read in one pass. Where more are due, companies are served round robin. */
const PER_PASS = 500;

/** Companies served in one pass of the round robin. */
const COMPANIES_PER_PASS = 50;

/** Batches of one company that are queued or running: enough that no worker waits for the next one. */
const QUEUES = 8;

/** A backlog is read again after this time, or after a multiple of the duration of a read, whichever is longer. */
const AGAIN_MS = 200;
const LOOKS_APART = 4;

/** The longest duration of a pass, so that sweeps show progress. */
const LONGEST_MS = 5000;

/** Number of waiting jobs above which a pass adds no more. */
const ENOUGH_WAITING = 1000;

/** Interval between two counts of the subscriptions that are on hold or failing. */
const COUNT_EVERY_MS = 10_000;

/** Finds due subscriptions by their stored date and queues them in batches, with fair shares for all companies. */
@Injectable()
export class BillingSweep implements OnModuleDestroy {
  private readonly rotation = new CompanyRotation(COMPANIES_PER_PASS);
  private counted = 0;
  private stopped = false;

  constructor(
    private readonly subscriptions: SubscriptionStore,
    private readonly clock: DatabaseClock,
    private readonly jobs: JobQueue,
    private readonly processor: BillingProcessor,
    private readonly metrics: Metrics,
  ) {}

  @Sweeps('billing')
  async sweep(): Promise<void> {
    const end = performance.now() + LONGEST_MS;
    let isBacklog = true;
    while (isBacklog && !this.stopped) {
      const started = performance.now();
      isBacklog = await this.look();
      const now = performance.now();
      if (now > end) return;
      if (isBacklog) await pause(Math.max(AGAIN_MS, LOOKS_APART * (now - started)));
    }
  }

  /** The next process finds the rest. */
  onModuleDestroy(): void {
    this.stopped = true;
  }

  /** Queues due subscriptions; true where more than a batch is due, so that the next pass comes soon. */
  private async look(): Promise<boolean> {
    const now = this.clock.read();
    await this.count(now);
    const oldest = await this.subscriptions.toWake(now, PER_PASS);
    const [first] = oldest;
    const waited = first === undefined ? 0 : now.getTime() - first.wake_at.getTime();
    this.metrics.oldestDueAge('billing', waited / 1000);
    if (first === undefined) return false;
    const waiting = await this.jobs.waiting(billingJob);
    if (waiting !== null && waiting > ENOUGH_WAITING) return false;
    const due = oldest.length < PER_PASS ? oldest : await this.dueOfMany(now);
    const batches = roundRobinBatches(due, { size: BATCH, queues: QUEUES });
    const requests = batches.map((batch) => batchRequest(batch.company, batch.ids, batch));
    await this.jobs.addOrRun(billingJob, requests, (data) => this.bill(data));
    return due.length > BATCH;
  }

  /** Bills a batch of subscriptions of one company. */
  @Handles(billingJob)
  async bill({ company, ids }: BillingJob): Promise<void> {
    await this.processor.runBatch(company, ids);
  }

  /** Reads due subscriptions company by company: in one common read, one company's backlog may hide all others. */
  private async dueOfMany(now: Date): Promise<readonly SubscriptionKey[]> {
    const companies = this.rotation.next(await this.subscriptions.companiesToWake(now));
    const found = await pMap(
      companies,
      (company) => this.subscriptions.toWakeOf(company, now, QUEUES * BATCH),
      { concurrency: 4 },
    );
    return found.flat();
  }

  private async count(now: Date): Promise<void> {
    if (now.getTime() - this.counted < COUNT_EVERY_MS) return;
    this.counted = now.getTime();
    const { held, failing } = await this.subscriptions.troubled();
    for (const [reason, subscriptions] of Object.entries(held)) {
      this.metrics.heldSubscriptions(reason, subscriptions);
    }
    this.metrics.failingSubscriptions(failing);
  }
}
