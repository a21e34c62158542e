import { Injectable } from '@nestjs/common';
import { TRY_AGAIN_SOON, fault } from '@commerce/kernel';
import { UnitsOfWork, type Caller, type UnitOfWork } from '@commerce/data';
import { JobQueue } from '@commerce/jobs';

import { EventStore } from '../log/event.store.js';
import { hears } from '../webhooks/webhook-kinds.js';
import type { WebhookRecord } from '../webhooks/webhook.record.js';
import { WebhookStore } from '../webhooks/webhook.store.js';
import { deliverJob, deliverRequests } from './delivery.job.js';
import type { DeliveryRecord } from './delivery.record.js';
import { DeliveryStore } from './delivery.store.js';
import { newDelivery } from './new-delivery.js';

/** Sends events of the log again. */
@Injectable()
export class EventReplayer {
  constructor(
    private readonly events: EventStore,
    private readonly webhooks: WebhookStore,
    private readonly deliveries: DeliveryStore,
    private readonly units: UnitsOfWork,
    private readonly jobs: JobQueue,
  ) {}

  /**
   * Sends an event to every webhook that its company now has for its kind. Those that it was sent to before get a new
   * round of attempts, newer ones their first. Returns the deliveries.
   */
  async replay(caller: Caller, id: string): Promise<DeliveryRecord[]> {
    const event = await this.events.for(caller).get(id);
    if (event.position === null) {
      const again = event.pending === true ? TRY_AGAIN_SOON : {};
      throw fault('event.state_conflict', 'The event is a simulated one, or has not been sent yet', again);
    }
    const replayed = await this.units.write(caller.company, async (work) => {
      const listening = await this.webhooks.listening(caller.company);
      const before = await this.deliveries.for(caller).many({ event: event._id });
      work.note('replayed', 'event', event._id);
      return listening
        .filter((webhook) => hears(webhook, event.kind))
        .map((webhook) => {
          const sent = before.find((delivery) => delivery.webhook.equals(webhook._id));
          return sent
            ? this.newRound(work, sent, webhook)
            : this.deliveries.addMissing(work, newDelivery(event, webhook, work.now));
        });
    });
    if (replayed.length > 0) await this.jobs.add(deliverJob, ...deliverRequests(replayed));
    return replayed;
  }

  /** A delivery that is being sent is left alone: the event arrives anyway. */
  private newRound(work: UnitOfWork, delivery: DeliveryRecord, webhook: WebhookRecord): DeliveryRecord {
    if (delivery.claimed_by !== null) return delivery;
    return this.deliveries.change(work, delivery, {
      status: 'PENDING',
      reason: null,
      endpoint: webhook.endpoint,
      next_attempt: work.now,
      round_start: delivery.attempt,
      last_attempt: null,
      updated: work.now,
    });
  }
}
