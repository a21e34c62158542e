import { Injectable } from '@nestjs/common';
import { DatabaseClock } from '@commerce/data';
import { Handles, Sweeps } from '@commerce/jobs';
import { Metrics } from '@commerce/platform';

import { deliverJob, type DeliverJob } from '../delivery/delivery.job.js';
import { DeliveryStore } from '../delivery/delivery.store.js';
import { dueDelivery, type FoundRow } from '../delivery/due-delivery.js';
import { DeliveryDispatcher } from './delivery-dispatcher.js';

/** New deliveries are announced by jobs; the sweep looks only for what has been due for longer than this. */
const HEAD_START_MS = 500;
/** Read at first, and again where some are refused: what an endpoint that is down is owed is read for nothing. */
const FIRST = 1000;
const READ = 5000;
const PER_WEBHOOK = 100;
const WEBHOOKS = 50;
/** A pass ends after this time, so that the next one sees what else has fallen due. */
const LONGEST_MS = 5000;

/** Finds due deliveries by their stored date and hands them to the dispatcher; needs no queue. */
@Injectable()
export class DeliverySweep {
  /** Where the last search by webhook ended; the next one continues from there. */
  private position = 0;

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
    let limit = FIRST;
    while (more && performance.now() < end) {
      const now = await this.clock.now();
      const before = new Date(now.getTime() - HEAD_START_MS);
      const rows = await this.store.due(before, limit);
      this.metrics.oldestDueAge('delivery', oldestAge(rows[0], now));
      const { refused } = this.dispatcher.offer(rows.map(dueDelivery));
      // More is due than one read shows: the backlog of one endpoint must not hide what is due to others.
      more = rows.length === limit && (refused === 0 || (await this.searchByWebhook(before)) > 0);
      limit = refused === 0 ? READ : FIRST;
      if (more) await this.dispatcher.waitingLow(end - performance.now());
    }
  }

  /** Takes the due deliveries of one webhook. Those it has no room for remain due, and the sweep finds them. */
  @Handles(deliverJob)
  async deliver({ webhook }: DeliverJob): Promise<void> {
    if (this.dispatcher.roomFor(webhook) < PER_WEBHOOK) return;
    const rows = await this.store.dueOf(webhook, await this.clock.now(), READ);
    this.dispatcher.offer(rows.map(dueDelivery));
  }

  /** Looks for due deliveries of a number of webhooks, others each time. Returns how many were taken. */
  private async searchByWebhook(before: Date): Promise<number> {
    const webhooks = await this.store.webhooksDue(before);
    let taken = 0;
    for (let step = 0; step < Math.min(WEBHOOKS, webhooks.length); step += 1) {
      this.position = (this.position + 1) % webhooks.length;
      const webhook = webhooks[this.position];
      if (webhook === undefined || this.dispatcher.roomFor(webhook) < PER_WEBHOOK) continue;
      const rows = await this.store.dueOf(webhook, before, PER_WEBHOOK);
      taken += this.dispatcher.offer(rows.map(dueDelivery)).taken;
    }
    return taken;
  }
}

/** In seconds; of what is due, the first row has been for the longest time. */
function oldestAge(first: FoundRow | undefined, now: Date): number {
  return first === undefined ? 0 : (now.getTime() - first.next_attempt.getTime()) / 1000;
}
