import { Injectable } from '@nestjs/common';
import { GuardedHttpClient, type SendResult } from '@commerce/platform';

import { WebhookSecrets } from './webhook-secrets.js';
import type { WebhookRecord } from './webhook.record.js';
import { messageHeaders, type Message } from './message.js';

/** Signs and sends: the one way to an endpoint, for verifications and deliveries alike. */
@Injectable()
export class WebhookClient {
  constructor(
    private readonly outbound: GuardedHttpClient,
    private readonly secrets: WebhookSecrets,
  ) {}

  async send(webhook: WebhookRecord, message: Omit<Message, 'version'>, now: Date): Promise<SendResult> {
    const keys = this.secrets.keysOf(webhook, now);
    const headers = messageHeaders({ ...message, version: webhook.version }, keys, now);
    return this.outbound.post(webhook.endpoint, { headers, body: message.body });
  }
}
