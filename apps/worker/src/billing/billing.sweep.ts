import {
  BATCH,
  BillingProcessor,
  SubscriptionStore,
  billingRequest,
  billingJob,
  batchesOf,
} from '@commerce/billing';
import { JobQueue, Metrics, Sweeps, SystemClock, type Sweep } from '@commerce/platform';

const AT_ONCE = 2000;

/** While more jobs than this wait, what is due is being worked on, and telling it again helps nobody. */
const ENOUGH_WAITING = 20;

/** Finds subscriptions that are due, by their stored date, and puts them on the queue in handfuls. */
@Sweeps('billing')
export class DueSubscriptionsSweep implements Sweep {
  constructor(
    private readonly subscriptions: SubscriptionStore,
    private readonly clock: SystemClock,
    private readonly jobs: JobQueue,
    private readonly cycle: BillingProcessor,
    private readonly metrics: Metrics,
  ) {}

  async run(): Promise<void> {
    const now = this.clock.now();
    const since = await this.subscriptions.dueSince(now);
    this.metrics.oldestDueAge('billing', since === null ? 0 : (now.getTime() - since.getTime()) / 1000);
    if (since === null) return;
    const waiting = await this.jobs.waiting(billingJob);
    if (waiting !== null && waiting > ENOUGH_WAITING) return;
    const batches = batchesOf(await this.subscriptions.toWake(now, AT_ONCE), BATCH);
    const hints = batches.map(({ company, ids }) => billingRequest(company, ids));
    if (await this.jobs.add(billingJob, ...hints)) return;
    // Redis is away: billing goes on without it.
    for (const { company, ids } of batches) await this.cycle.runBatch(company, ids);
  }
}
