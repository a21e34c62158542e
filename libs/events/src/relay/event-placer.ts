import { Injectable } from '@nestjs/common';
import { DatabaseClock, type Id } from '@commerce/platform';

import { DeliveryStore } from '../delivery/delivery.store.js';
import { EventStore, type PendingEvent } from '../log/event.store.js';
import { DeliveryDispatcher } from '../sending/delivery-dispatcher.js';
import { WebhookStore } from '../webhooks/webhook.store.js';
import { fanOut, type FanOut } from './fan-out.js';

/** Gives events their places in the log and, in the same transaction, inserts their deliveries. */
@Injectable()
export class EventPlacer {
  constructor(
    private readonly events: EventStore,
    private readonly webhooks: WebhookStore,
    private readonly deliveries: DeliveryStore,
    private readonly dispatcher: DeliveryDispatcher,
    private readonly clock: DatabaseClock,
  ) {}

  /** Returns the deliveries; null, and nothing is written, if another relay has placed one of the events meanwhile. */
  async place(company: Id, events: readonly PendingEvent[]): Promise<FanOut | null> {
    const now = await this.clock.now();
    let made: FanOut = { deliveries: [], claimed: [] };
    const placed = await this.events.place(company, events, async (session) => {
      const webhooks = await this.webhooks.listening(company, session);
      // If the transaction is repeated, only the deliveries of its last run count.
      made = fanOut(events, webhooks, this.dispatcher.claimOnCreation(now), now);
      await this.deliveries.add(made.deliveries, session);
    });
    return placed ? made : null;
  }
}
