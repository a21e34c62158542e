import { Injectable } from '@nestjs/common';
import { DatabaseClock, type Id } from '@commerce/platform';
import { LRUCache } from 'lru-cache';

import { DeliveryStore } from '../delivery/delivery.store.js';
import { EventStore, type PendingEvent, type ReadKinds } from '../log/event.store.js';
import { DeliveryDispatcher } from '../sending/delivery-dispatcher.js';
import type { WebhookRecord } from '../webhooks/webhook.record.js';
import { WebhookStore } from '../webhooks/webhook.store.js';
import { fanOut, type FanOut } from './fan-out.js';

/** Companies whose webhooks are remembered. */
const MAX_REMEMBERED = 5000;
/** Events placed in one transaction: fewer where so many webhooks hear of one that their deliveries would be more. */
const MOST_EVENTS = 500;
const FEWEST_EVENTS = 50;
const MOST_DELIVERIES = 2000;

/** What is read and placed at once. */
interface Batch {
  readonly size: number;
  /** Kinds of events whose texts will probably be sent at once; null where that is not known. */
  readonly kinds: ReadKinds;
}

const UNKNOWN: Batch = { size: 200, kinds: null };

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

  batchOf(company: Id): Batch {
    return this.batches.get(company.toHexString()) ?? UNKNOWN;
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
    this.batches.set(company.toHexString(), batchFor(webhooks));
    return webhooks;
  }
}

function batchFor(webhooks: readonly WebhookRecord[]): Batch {
  const listeners = new Map<string, number>();
  for (const { event_type } of webhooks) listeners.set(event_type, (listeners.get(event_type) ?? 0) + 1);
  const most = Math.max(1, ...listeners.values());
  const size = Math.min(MOST_EVENTS, Math.max(FEWEST_EVENTS, Math.floor(MOST_DELIVERIES / most)));
  return { size, kinds: new Set(listeners.keys()) };
}
