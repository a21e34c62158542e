import { Injectable } from '@nestjs/common';
import { UnitsOfWork, outboxRow, type Caller } from '@commerce/data';
import { JobQueue } from '@commerce/jobs';

import { EventStore } from '../log/event.store.js';
import { firstKind } from '../webhooks/webhook-kinds.js';
import type { SimulateEventBody } from '../webhooks/webhooks.dto.js';
import { Webhooks } from '../webhooks/webhooks.service.js';
import { deliverJob, deliverRequests } from './delivery.job.js';
import { DeliveryStore } from './delivery.store.js';
import { newDelivery } from './new-delivery.js';
import { sampleEvent } from './sample-event.js';

/** Sends simulated events, so that a company can try its endpoint. */
@Injectable()
export class EventSimulator {
  constructor(
    private readonly webhooks: Webhooks,
    private readonly events: EventStore,
    private readonly deliveries: DeliveryStore,
    private readonly units: UnitsOfWork,
    private readonly jobs: JobQueue,
  ) {}

  /** Sends one event of this kind, or of the webhook's first, to this webhook only. It never appears in the company's log. */
  async simulate(caller: Caller, id: string, { kind = null }: SimulateEventBody): Promise<void> {
    const webhook = await this.webhooks.toSimulate(caller, id, kind);
    const delivery = await this.units.write(caller.company, async (work) => {
      const event = outboxRow(sampleEvent(kind ?? firstKind(webhook), caller.company, work.now));
      work.note('simulated', 'webhook', webhook._id);
      await this.events.addSimulated(work, event);
      return this.deliveries.addMissing(work, newDelivery(event, webhook, work.now));
    });
    await this.jobs.add(deliverJob, ...deliverRequests([delivery]));
  }
}
