import { Injectable } from '@nestjs/common';
import { DatabaseClock, type Caller } from '@commerce/data';
import type { Id } from '@commerce/records';
import pMap from 'p-map';

import type { WebhookRecord } from '../webhooks/webhook.record.js';
import type { ListWebhooksQuery } from '../webhooks/webhooks.dto.js';
import { Webhooks } from '../webhooks/webhooks.service.js';
import { WebhookStore } from '../webhooks/webhook.store.js';
import { DeliveryStore, type Backlog } from '../delivery/delivery.store.js';
import { endpointHealth, healthSince, type EndpointHealth } from './endpoint-health.js';

/** How a webhook's endpoint answers, and what waits for it. */
export interface WebhookHealth extends EndpointHealth, Backlog {
  readonly at: Date;
  /** Whether all deliveries of these hours were read, or only the newest of them. */
  readonly complete: boolean;
}

/** How the endpoint of one webhook of a list answers. */
export interface ListedHealth extends EndpointHealth {
  readonly webhook: Id;
  readonly complete: boolean;
}

/** Deliveries that are read at most. */
const MAX_READ = 1000;

/** Deliveries that are read at most for all webhooks of a list. */
const MAX_LISTED = 5000;

/** Webhooks of a list that are read concurrently. */
const CONCURRENCY = 4;

/** Reads from the deliveries of a webhook how its endpoint is. */
@Injectable()
export class EndpointHealthReader {
  constructor(
    private readonly store: WebhookStore,
    private readonly webhooks: Webhooks,
    private readonly deliveries: DeliveryStore,
    private readonly clock: DatabaseClock,
  ) {}

  /** @throws Fault `webhook.not_found` */
  async read(caller: Caller, id: string): Promise<WebhookHealth> {
    const webhook = await this.store.for(caller).show(id);
    const at = await this.clock.now();
    const [health, backlog] = await Promise.all([
      this.healthOf(webhook, at, MAX_READ),
      this.deliveries.backlogOf(webhook),
    ]);
    return { at, ...health, ...backlog };
  }

  /** The same of each webhook of a list, in its order, without counting what waits. */
  async list(caller: Caller, query: ListWebhooksQuery): Promise<readonly ListedHealth[]> {
    const { records } = await this.webhooks.list(caller, query);
    const at = await this.clock.now();
    const limit = Math.min(MAX_READ, Math.floor(MAX_LISTED / Math.max(1, records.length)));
    const read = async (webhook: WebhookRecord): Promise<ListedHealth> => ({
      webhook: webhook._id,
      ...(await this.healthOf(webhook, at, limit)),
    });
    return pMap(records, read, { concurrency: CONCURRENCY });
  }

  private async healthOf(
    webhook: WebhookRecord,
    at: Date,
    limit: number,
  ): Promise<EndpointHealth & Pick<ListedHealth, 'complete'>> {
    const [recent, waiting] = await Promise.all([
      this.deliveries.recentOf(webhook, healthSince(at), limit),
      this.deliveries.waitingOf(webhook, limit),
    ]);
    const known = new Map([...recent, ...waiting].map((one) => [one._id.toHexString(), one]));
    return { ...endpointHealth([...known.values()], at), complete: recent.length < limit };
  }
}
