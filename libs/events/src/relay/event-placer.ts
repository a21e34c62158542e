import { Injectable } from '@nestjs/common';
import { DatabaseClock } from '@commerce/data';
import { type Id } from '@commerce/records';
import { LRUCache } from 'lru-cache';

import { DeliveryStore } from '../delivery/delivery.store.js';
import { EventStore, type PendingEvent } from '../log/event.store.js';
import { DeliveryDispatcher } from '../sending/delivery-dispatcher.js';
import type { WebhookRecord } from '../webhooks/webhook.record.js';
import { WebhookStore } from '../webhooks/webhook.store.js';
import { UNKNOWN, batchFor, type Batch } from './batch.js';
import { fanOut, type FanOut } from './fan-out.js';

/** Companies whose webhooks are remembered. */
const MAX_REMEMBERED = 5000;

/** Gives events their places in the log and, in the same transaction, inserts their deliveries. */
@Injectable()
export class EventPlacer {
  /** By company, as of when its webhooks were last read. */
  private readonly batches = new LRUCache<string, Batch>({ max: MAX_REMEMBERED });

  constructor(
    private readonly events: EventStore,
    private readonly webhooks: WebhookStore,
    private readonly deliveries: DeliveryStore,
    private readonly dispatcher: DeliveryDispatcher,
    private readonly clock: DatabaseClock,
  ) {}

  /** The size and the kinds of the next batch of a company's pending events. */
  batchOf(company: Id): Batch {
    return this.batches.get(company.toHexString()) ?? UNKNOWN;
  }

  /** Returns the deliveries; null, and nothing is written, if another relay has placed one of the events meanwhile. */
  async place(company: Id, events: readonly PendingEvent[]): Promise<FanOut | null> {
    const now = await this.clock.now();
    // Read after the events: a webhook that was there before one of them was committed is among these.
    const listening = this.listening(company);
    listening.catch(() => undefined);
    let made: FanOut = { deliveries: [], leased: [] };
    const placed = await this.events.place(company, events, async (session) => {
      const webhooks = await listening;
      // If the transaction is repeated, only the deliveries of its last run count.
      made = fanOut(events, webhooks, this.dispatcher.leaseOnCreation(now), now);
      await this.deliveries.add(made.deliveries, session);
    });
    return placed ? made : null;
  }

  private async listening(company: Id): Promise<readonly WebhookRecord[]> {
    const webhooks = await this.webhooks.listening(company);
    this.batches.set(company.toHexString(), batchFor(webhooks));
    return webhooks;
  }
}
