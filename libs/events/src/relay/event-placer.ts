import { Injectable } from '@nestjs/common';
import { DatabaseClock, type Id } from '@commerce/platform';
import { LRUCache } from 'lru-cache';

import { DeliveryStore } from '../delivery/delivery.store.js';
import { EventStore, type PendingEvent, type ReadKinds } from '../log/event.store.js';
import { DeliveryDispatcher } from '../sending/delivery-dispatcher.js';
import type { WebhookRecord } from '../webhooks/webhook.record.js';
import { WebhookStore } from '../webhooks/webhook.store.js';
import { fanOut, type FanOut } from './fan-out.js';

/** Companies whose kinds are remembered. */
const MAX_REMEMBERED = 5000;

/** Gives events their places in the log and, in the same transaction, inserts their deliveries. */
@Injectable()
export class EventPlacer {
  /** The kinds that each company's webhooks listened to when they were last read. */
  private readonly kinds = new LRUCache<string, ReadonlySet<string>>({ max: MAX_REMEMBERED });

  constructor(
    private readonly events: EventStore,
    private readonly webhooks: WebhookStore,
    private readonly deliveries: DeliveryStore,
    private readonly dispatcher: DeliveryDispatcher,
    private readonly clock: DatabaseClock,
  ) {}

  /** Kinds of events whose texts will probably be sent at once; null where that is not known. */
  kindsOf(company: Id): ReadKinds {
    return this.kinds.get(company.toHexString()) ?? null;
  }

  /** Returns the deliveries; null, and nothing is written, if another relay has placed one of the events meanwhile. */
  async place(company: Id, events: readonly PendingEvent[]): Promise<FanOut | null> {
    const now = await this.clock.now();
    // Read after the events: a webhook that was there before one of them was committed is among these.
    const listening = this.listening(company);
    listening.catch(() => undefined);
    let made: FanOut = { deliveries: [], claimed: [] };
    const placed = await this.events.place(company, events, async (session) => {
      const webhooks = await listening;
      // If the transaction is repeated, only the deliveries of its last run count.
      made = fanOut(events, webhooks, this.dispatcher.claimOnCreation(now), now);
      await this.deliveries.add(made.deliveries, session);
    });
    return placed ? made : null;
  }

  private async listening(company: Id): Promise<readonly WebhookRecord[]> {
    const webhooks = await this.webhooks.listening(company);
    this.kinds.set(company.toHexString(), new Set(webhooks.map(({ event_type }) => event_type)));
    return webhooks;
  }
}
