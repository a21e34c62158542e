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
    const headers = this.headers(webhook, message, now);
    return this.http.post(webhook.endpoint, { headers, body: message.body });
  }

  /** The headers of a message that is signed at this time, signatures included. */
  headers(webhook: WebhookRecord, message: Omit<Message, 'version'>, now: Date): Record<string, string> {
    const keys = this.secrets.keysOf(webhook, now);
    return messageHeaders({ ...message, version: webhook.version }, keys, now);
  }
}
