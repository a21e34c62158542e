import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '@commerce/platform';
import { distinctIds } from '@commerce/records';

import type { Lease } from '@commerce/data';
import type { LeasedDelivery } from '../delivery/leased-delivery.js';
import { attemptsLeft, companiesOf, webhookOf, type DueDelivery } from '../delivery/due-delivery.js';
import { EventStore, type EventBody } from '../log/event.store.js';
import { OutcomeWriter } from './outcome-writer.js';
import { WebhookCache, refusal } from './webhook-cache.js';

/** Reads what is needed to send leased deliveries, and ends those that must not be sent. */
@Injectable()
export class LeasedDeliveryReader {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'webhooks'>,
    private readonly events: EventStore,
    private readonly webhooks: WebhookCache,
    private readonly outcomes: OutcomeWriter,
  ) {}

  /** The texts of their events, and their webhooks for `admitted`. */
  async load(due: readonly DueDelivery[]): Promise<ReadonlyMap<string, EventBody>> {
    const webhooks = new Map(due.map((one) => [one.webhookKey, webhookOf(one)]));
    const [bodies] = await Promise.all([
      this.events.bodies(companiesOf(due), distinctIds(due.map(({ event }) => event))),
      this.webhooks.refresh(webhooks, 0),
    ]);
    return bodies;
  }

  /** Those that are to be sent, once what is loaded of them is there. Releases all of them if that fails. */
  async admitted(
    leased: readonly DueDelivery[],
    lease: Lease,
    loading: ReturnType<LeasedDeliveryReader['load']>,
  ): Promise<LeasedDelivery[]> {
    try {
      const bodies = await loading;
      return leased
        .map((due) => this.admit(due, bodies.get(due.event.toHexString()) ?? null, lease))
        .filter((one) => one !== null);
    } catch (error) {
      for (const due of leased) this.outcomes.add({ kind: 'released', due, waitMs: 0 });
      throw error;
    }
  }

  /** Null if the delivery ends here. */
  private admit(due: DueDelivery, event: EventBody | null, lease: Lease): LeasedDelivery | null {
    const cached = this.webhooks.peek(due.webhookKey, Infinity);
    const refused = cached === undefined ? 'webhook_deleted' : refusal(cached, due.endpointHash);
    const webhook = cached?.webhook ?? null;
    if (refused !== null || webhook === null) {
      this.outcomes.add({ kind: 'dropped', due, reason: refused ?? 'webhook_deleted' });
      return null;
    }
    // Only a job that was tampered with can name another company's event.
    if (event === null || !event.company.equals(webhook.company)) {
      this.outcomes.add({ kind: 'dropped', due, reason: 'event_unknown' });
      return null;
    }
    if (attemptsLeft(due, this.config.webhooks.retryDelaysMs.length) <= 0) {
      this.outcomes.add({ kind: 'used_up', due, at: lease.at });
      return null;
    }
    return { due, event, endpoint: webhook.endpoint, lease };
  }
}
