import { Injectable } from '@nestjs/common';
import {
  Handles,
  JobQueue,
  Metrics,
  Sweeps,
  SystemClock,
  parseId,
  sameId,
  type Id,
} from '@commerce/platform';
import pMap from 'p-map';

import { BATCH, batchRequest, billingJob, type BillingJob } from '../subscriptions/billing.job.js';
import { SubscriptionStore, type SubscriptionKey } from '../subscriptions/subscription.store.js';
import { BillingProcessor } from './billing-processor.js';
import { fairBatchesOf } from './fair-batches.js';

/** Subscriptions read in one pass, whichever company they belong to. Where more are due, the companies take turns. */
const PER_PASS = 500;

/** Companies that have their turn in one pass then. */
const COMPANIES_PER_PASS = 50;

/** Jobs of one company that a sweep keeps waiting. */
const LANES = 8;

/** While more jobs than this are waiting, others would only make the queue longer. */
const ENOUGH_WAITING = 1000;

/** How often the troubled subscriptions are counted. */
const COUNT_EVERY_MS = 10_000;

/** Finds due subscriptions by their stored date and has them billed in batches, with fair shares for all companies. */
@Injectable()
export class BillingSweep {
  /** The company that had its turn last. */
  private lastServed: Id | null = null;
  private counted = 0;

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
    await this.count(now);
    const since = await this.subscriptions.dueSince(now);
    this.metrics.oldestDueAge('billing', since === null ? 0 : (now.getTime() - since.getTime()) / 1000);
    if (since === null) return;
    const waiting = await this.jobs.waiting(billingJob);
    if (waiting !== null && waiting > ENOUGH_WAITING) return;
    const batches = fairBatchesOf(await this.due(now), { size: BATCH, lanes: LANES });
    const requests = batches.map((batch) => batchRequest(batch.company, batch.ids, batch));
    await this.jobs.addOrRun(billingJob, requests, (data) => this.bill(data));
  }

  /** Bills a batch of subscriptions of one company. */
  @Handles(billingJob)
  async bill({ company, ids }: BillingJob): Promise<void> {
    // Both were checked to be ids when the job was read from the queue.
    await this.processor.runBatch(parseId(company) as Id, ids.map(parseId) as Id[]);
  }

  private async due(now: Date): Promise<readonly SubscriptionKey[]> {
    const oldest = await this.subscriptions.toWake(now, PER_PASS);
    if (oldest.length < PER_PASS) return oldest;
    // Those of one company may hide all others.
    const companies = this.nextServed(await this.subscriptions.companiesToWake(now));
    const found = await pMap(
      companies,
      (company) => this.subscriptions.toWakeOf(company, now, LANES * BATCH),
      { concurrency: 4 },
    );
    return found.flat();
  }

  /** Some of the companies, those after the last ones first. */
  private nextServed(companies: readonly Id[]): readonly Id[] {
    const sorted = companies.toSorted((a, b) => (a.toHexString() < b.toHexString() ? -1 : 1));
    const last = sorted.findIndex((one) => sameId(one, this.lastServed));
    const next = [...sorted.slice(last + 1), ...sorted.slice(0, last + 1)].slice(0, COMPANIES_PER_PASS);
    this.lastServed = next.at(-1) ?? null;
    return next;
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
