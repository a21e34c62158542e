import { Injectable } from '@nestjs/common';
import type { Caller } from '@commerce/data';

import { EventStore } from '../log/event.store.js';
import { deliveryBody } from '../webhooks/message.js';
import { WebhookClient } from '../webhooks/webhook-client.js';
import { WebhookSecrets } from '../webhooks/webhook-secrets.js';
import type { WebhookRecord } from '../webhooks/webhook.record.js';
import { WebhookStore } from '../webhooks/webhook.store.js';
import type { DeliveryAttempt, DeliveryRecord } from './delivery.record.js';
import { DeliveryStore } from './delivery.store.js';

/** Why a request is shown without its signatures. */
export const UNSIGNED = ['not_sent', 'interrupted', 'secret_rotated'] as const;

export type Unsigned = (typeof UNSIGNED)[number];

/** The request that an attempt sends to an endpoint. */
export interface DeliveryRequest {
  /** The number of the last attempt, which sent it; null where it is what the next one will send. */
  readonly attempt: number | null;
  readonly method: 'POST';
  readonly url: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly body: string;
  readonly unsigned: Unsigned | null;
}

/**
 * Shows what a delivery sends, byte for byte. Nothing of it is stored a second time: the body follows from the event,
 * and the signatures from the secret and the date of the attempt.
 */
@Injectable()
export class DeliveryRequestReader {
  constructor(
    private readonly deliveries: DeliveryStore,
    private readonly events: EventStore,
    private readonly webhooks: WebhookStore,
    private readonly client: WebhookClient,
    private readonly secrets: WebhookSecrets,
  ) {}

  /** @throws Fault `event.not_found` where the event is no longer kept */
  async read(caller: Caller, id: string): Promise<DeliveryRequest> {
    const delivery = await this.deliveries.for(caller).show(id);
    const [event, webhook] = await Promise.all([
      this.events.in(caller.company).get(delivery.event),
      this.webhooks.in(caller.company).get(delivery.webhook, { deleted: true }),
    ]);
    const { attempt, round_start, endpoint: url } = delivery;
    const last = lastOfRound(delivery);
    const body = deliveryBody(event.body, url);
    const retries = (last === null ? attempt : last.number - 1) - round_start;
    const message = { type: 'WebhookMessage', id: delivery.event.toHexString(), body, retries } as const;
    const headers = this.client.headers(webhook, message, last?.at ?? delivery.updated);
    const unsigned = this.unsigned(webhook, last);
    const isShown = (name: string): boolean => unsigned === null || !HIDDEN[unsigned].test(name);
    return {
      attempt: last?.number ?? null,
      method: 'POST',
      url,
      headers: Object.entries(headers)
        .filter(([name]) => isShown(name))
        .map(([name, value]) => ({ name, value })),
      body: body.toString('utf8'),
      unsigned,
    };
  }

  private unsigned(webhook: WebhookRecord, last: DeliveryAttempt | null): Unsigned | null {
    if (last === null) return 'not_sent';
    // Of an attempt in which a worker died, the date is that of the next one.
    if (last.error === 'interrupted') return 'interrupted';
    return this.secrets.signedAt(webhook, last.at) ? null : 'secret_rotated';
  }
}

/** The headers that are not known then. */
const HIDDEN: Readonly<Record<Unsigned, RegExp>> = {
  not_sent: /-(signature|timestamp)$/i,
  interrupted: /-(signature|timestamp)$/i,
  secret_rotated: /-signature$/i,
};

/** The last attempt, unless a replay has begun a new round, perhaps at another endpoint, since. */
function lastOfRound({ attempts, round_start }: DeliveryRecord): DeliveryAttempt | null {
  const last = attempts.at(-1);
  return last !== undefined && last.number > round_start ? last : null;
}
