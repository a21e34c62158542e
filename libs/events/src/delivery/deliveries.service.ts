import { Injectable } from '@nestjs/common';
import { fault } from '@commerce/kernel';
import { UnitsOfWork, type Caller, type Page } from '@commerce/data';
import { JobQueue } from '@commerce/jobs';
import { pageOf } from '@commerce/records';

import { EventStore } from '../log/event.store.js';
import { WebhookStore } from '../webhooks/webhook.store.js';
import type { ListDeliveriesQuery } from './delivery.dto.js';
import { deliverJob, deliverRequests } from './delivery.job.js';
import type { DeliveryRecord } from './delivery.record.js';
import { DeliveryStore } from './delivery.store.js';

/** The deliveries of webhooks, for operators. */
@Injectable()
export class Deliveries {
  constructor(
    private readonly store: DeliveryStore,
    private readonly webhooks: WebhookStore,
    private readonly events: EventStore,
    private readonly units: UnitsOfWork,
    private readonly jobs: JobQueue,
  ) {}

  /** The deliveries to one webhook, the newest first. */
  async list(caller: Caller, webhook: string, query: ListDeliveriesQuery): Promise<Page<DeliveryRecord>> {
    const { _id } = await this.webhooks.for(caller).show(webhook);
    const { status } = query;
    const filter = { webhook: _id, ...(status === null ? {} : { status }) };
    return this.store.for(caller).page(pageOf(query, filter));
  }

  async get(caller: Caller, id: string): Promise<DeliveryRecord> {
    return this.store.for(caller).show(id);
  }

  /**
   * Has one attempt made at once: the next one of a delivery that waits, one more of a delivery that has ended, which
   * ends again after it. A delivery that is being sent is left alone.
   */
  async retry(caller: Caller, id: string): Promise<DeliveryRecord> {
    const after = await this.units.write(caller.company, async (work) => {
      const before = await this.store.for(caller).get(id);
      if (before.claimed_by !== null) return before;
      await this.requireWanted(before);
      work.note('retried', 'delivery', before._id);
      const due = { next_attempt: work.now, updated: work.now };
      return this.store.change(
        work,
        before,
        before.status === 'PENDING'
          ? due
          : { ...due, status: 'PENDING', reason: null, last_attempt: before.attempt + 1 },
      );
    });
    await this.jobs.add(deliverJob, ...deliverRequests([after]));
    return after;
  }

  /** Otherwise the retry would be accepted, and then dropped. */
  private async requireWanted(delivery: DeliveryRecord): Promise<void> {
    const webhook = await this.webhooks.in(delivery.company).find(delivery.webhook);
    const isWanted = webhook?.active === true && webhook.verified && webhook.endpoint === delivery.endpoint;
    if (!isWanted)
      throw fault(
        'delivery.state_conflict',
        'The webhook was deleted, is not active or not verified, or has another endpoint now',
      );
    const event = await this.events.in(delivery.company).find(delivery.event);
    if (event === null) throw fault('delivery.state_conflict', 'The event is no longer kept');
  }
}
