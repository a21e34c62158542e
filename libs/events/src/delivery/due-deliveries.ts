import { Injectable } from '@nestjs/common';
import { Handles, Metrics, Sweeps, parseId } from '@commerce/platform';

import { redeliverJob, type RedeliverJob } from './delivery.jobs.js';
import { DeliveryStore } from './delivery.store.js';
import { DeliveryDispatcher } from './delivery-dispatcher.js';
import { DatabaseClock } from './database-clock.js';
import { dueDelivery, type DueRow } from './due-delivery.js';

/** New deliveries are told of by jobs; only what is due for longer is looked for. */
const HEAD_START_MS = 500;
const READ = 1000;
const PER_WEBHOOK = 100;
const WEBHOOKS = 50;
/** A pass ends after this time, so that the next one sees what else has fallen due. */
const LONGEST_MS = 5000;

/** Finds due deliveries by their stored date and hands them to the dispatcher; needs no queue. */
@Injectable()
export class DueDeliveries {
  /** Where the last look at single webhooks ended; the next one goes on behind it. */
  private turn = 0;

  constructor(
    private readonly store: DeliveryStore,
    private readonly dispatcher: DeliveryDispatcher,
    private readonly clock: DatabaseClock,
    private readonly metrics: Metrics,
  ) {}

  @Sweeps('deliveries')
  async sweep(): Promise<void> {
    const end = performance.now() + LONGEST_MS;
    let more = true;
    while (more && performance.now() < end) {
      const before = new Date((await this.clock.now()).getTime() - HEAD_START_MS);
      const rows = await this.store.due(before, READ);
      this.metrics.oldestDueAge('delivery', await this.ageOf(rows));
      this.dispatcher.offer(rows.map(dueDelivery));
      // More is due than one look shows: one endpoint's backlog must not hide what others are owed.
      more = rows.length === READ && (await this.byWebhook(before)) > 0;
      if (more) await this.dispatcher.low(end - performance.now());
    }
  }

  /** Sends everything due of one webhook, as an operator asked. */
  @Handles(redeliverJob)
  async redeliver(job: RedeliverJob): Promise<void> {
    const webhook = parseId(job.webhook);
    if (webhook === null) return;
    const rows = await this.store.dueOf(webhook, await this.clock.now(), READ);
    this.dispatcher.offer(rows.map(dueDelivery));
  }

  /** Looks at webhooks by turns. Returns how many hints were taken. */
  private async byWebhook(before: Date): Promise<number> {
    const webhooks = await this.store.webhooksDue(before);
    let taken = 0;
    for (let step = 0; step < Math.min(WEBHOOKS, webhooks.length); step += 1) {
      this.turn = (this.turn + 1) % webhooks.length;
      const webhook = webhooks[this.turn];
      if (webhook === undefined || this.dispatcher.roomFor(webhook) < PER_WEBHOOK) continue;
      const rows = await this.store.dueOf(webhook, before, PER_WEBHOOK);
      taken += this.dispatcher.offer(rows.map(dueDelivery));
    }
    return taken;
  }

  private async ageOf(rows: readonly DueRow[]): Promise<number> {
    return rows.length === 0 ? 0 : (await this.store.oldestDueAge(await this.clock.now())) / 1000;
  }
}
