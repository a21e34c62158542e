import { Injectable } from '@nestjs/common';
import { DatabaseClock, type Caller } from '@commerce/data';

import { WebhookStore } from '../webhooks/webhook.store.js';
import { DeliveryStore, type Backlog } from '../delivery/delivery.store.js';
import { endpointHealth, healthSince, type EndpointHealth } from './endpoint-health.js';

/** How a webhook's endpoint answers, and what waits for it. */
export interface WebhookHealth extends EndpointHealth, Backlog {
  readonly at: Date;
  /** Whether all deliveries of these hours were read, or only the newest of them. */
  readonly complete: boolean;
}

/** Deliveries that are read at most. */
const MAX_READ = 1000;

/** Reads from the deliveries of a webhook how its endpoint is. */
@Injectable()
export class EndpointHealthReader {
  constructor(
    private readonly webhooks: WebhookStore,
    private readonly deliveries: DeliveryStore,
    private readonly clock: DatabaseClock,
  ) {}

  /** @throws Fault `webhook.not_found` */
  async read(caller: Caller, id: string): Promise<WebhookHealth> {
    const webhook = await this.webhooks.for(caller).show(id);
    const at = await this.clock.now();
    const [recent, waiting, backlog] = await Promise.all([
      this.deliveries.recentOf(webhook, healthSince(at), MAX_READ),
      this.deliveries.waitingOf(webhook, MAX_READ),
      this.deliveries.backlogOf(webhook),
    ]);
    const known = new Map([...recent, ...waiting].map((one) => [one._id.toHexString(), one]));
    const health = endpointHealth([...known.values()], at);
    const complete = recent.length < MAX_READ;
    return { at, ...health, ...backlog, complete };
  }
}
