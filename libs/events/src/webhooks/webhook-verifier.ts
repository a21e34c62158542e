import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import { UnitsOfWork } from '@commerce/data';
import { SystemClock } from '@commerce/platform';

import { confirmationBody } from './message.js';
import { WebhookClient } from './webhook-client.js';
import type { WebhookRecord } from './webhook.record.js';
import { WebhookStore } from './webhook.store.js';

/** Finds out whether the owner of an endpoint wants to receive events. */
@Injectable()
export class WebhookVerifier {
  constructor(
    private readonly store: WebhookStore,
    private readonly client: WebhookClient,
    private readonly units: UnitsOfWork,
    private readonly clock: SystemClock,
  ) {}

  /** Throws `webhook.endpoint_refused` for a URL that must never be called. */
  checkEndpoint(url: string): void {
    this.client.checkEndpoint(url);
  }

  /** Makes one signed call; any answer of 2XX verifies the endpoint. Returns the updated webhook. */
  async verify(webhook: WebhookRecord): Promise<WebhookRecord> {
    const { _id, company, endpoint } = webhook;
    const challenge = randomBytes(16).toString('hex');
    const body = confirmationBody(challenge, _id.toHexString());
    const message = { type: 'WebhookConfirmation', id: challenge, body, retries: 0 } as const;
    const result = await this.client.send(webhook, message, this.clock.now());
    if (result.kind !== 'answered' || result.status < 200 || result.status >= 300) return webhook;
    return this.units.change(this.store.in(company), _id, (before) =>
      // If the endpoint was changed during the call, it was the old one that agreed.
      before.endpoint === endpoint ? { changes: { verified: true } } : null,
    );
  }
}
