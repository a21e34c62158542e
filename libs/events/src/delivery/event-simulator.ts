import { Injectable } from '@nestjs/common';
import { JobQueue, parseId, newId, type Caller } from '@commerce/platform';

import { deliverRequests, deliverJob } from './delivery.jobs.js';
import { newDelivery } from './new-delivery.js';
import { DatabaseClock } from './database-clock.js';
import { EventStore } from '../log/event.store.js';
import { EndpointCallLimiter } from '../webhooks/endpoint-call-limiter.js';
import { sampleObject } from './samples.js';
import { Webhooks } from '../webhooks/webhooks.service.js';

/** Sends made-up events, so that a company can try its endpoint. */
@Injectable()
export class EventSimulator {
  constructor(
    private readonly webhooks: Webhooks,
    private readonly events: EventStore,
    private readonly allowed: EndpointCallLimiter,
    private readonly clock: DatabaseClock,
    private readonly jobs: JobQueue,
  ) {}

  /** Sends one event of the webhook's kind to it alone. The event has no place in the company's log. */
  async simulate({ company }: Pick<Caller, 'company'>, id: string): Promise<void> {
    const webhook = await this.webhooks.requireListening(company, id);
    await this.allowed.requireSimulate(webhook._id);
    const now = await this.clock.now();
    const { event_type: kind } = webhook;
    const sample = sampleObject(kind, company.toHexString(), now);
    const _id = newId();
    const sequence = 1;
    const body = JSON.stringify({
      id: _id.toHexString(),
      object_type: sample.noun,
      previous_data: {},
      kind,
      object: sample.object,
      created: now.getTime(),
      sequence,
    });
    const object_id = parseId(sample.id) ?? newId();
    const delivery = newDelivery({ _id, kind }, webhook, now);
    await this.events.addSimulated(
      { _id, company, kind, object_type: sample.noun, object_id, sequence, created: now, body },
      delivery,
    );
    await this.jobs.add(deliverJob, ...deliverRequests(company, [delivery]));
  }
}
