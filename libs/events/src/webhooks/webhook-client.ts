import { Injectable } from '@nestjs/common';
import { GuardedHttpClient, type SendResult } from '@commerce/platform';

import { messageHeaders, type Message } from './message.js';
import { WebhookSecrets } from './webhook-secrets.js';
import type { WebhookRecord } from './webhook.record.js';

/** Signs and sends. Verifications and deliveries alike reach an endpoint through this client. */
@Injectable()
export class WebhookClient {
  constructor(
    private readonly http: GuardedHttpClient,
    private readonly secrets: WebhookSecrets,
  ) {}

  /** Throws `webhook.endpoint_refused` for a URL that must never be called. */
  checkEndpoint(url: string): void {
    this.http.check(url);
  }

  async send(webhook: WebhookRecord, message: Omit<Message, 'version'>, now: Date): Promise<SendResult> {
    const keys = this.secrets.keysOf(webhook, now);
    const headers = messageHeaders({ ...message, version: webhook.version }, keys, now);
    return this.http.post(webhook.endpoint, { headers, body: message.body });
  }
}
