import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import { SystemClock, UnitsOfWork, retryOnConflict } from '@commerce/platform';

import { WebhookClient } from './webhook-client.js';
import { confirmationBody } from './message.js';
import type { WebhookRecord } from './webhook.record.js';
import { WebhookStore } from './webhook.store.js';

/** Asks endpoints whether they want what is sent to them. */
@Injectable()
export class WebhookVerifier {
  constructor(
    private readonly store: WebhookStore,
    private readonly courier: WebhookClient,
    private readonly units: UnitsOfWork,
    private readonly clock: SystemClock,
  ) {}

  /** One signed call; an answer of 2XX is enough. Returns the webhook as it is afterwards. */
  async run(webhook: WebhookRecord): Promise<WebhookRecord> {
    const challenge = randomBytes(16).toString('hex');
    const body = confirmationBody(challenge, webhook._id.toHexString());
    const message = { type: 'WebhookConfirmation', id: challenge, body, retries: 0 } as const;
    const result = await this.courier.send(webhook, message, this.clock.now());
    const yes = result.kind === 'answered' && result.status >= 200 && result.status < 300;
    return yes ? this.confirm(webhook) : webhook;
  }

  private async confirm({ _id, company, endpoint }: WebhookRecord): Promise<WebhookRecord> {
    return retryOnConflict(async () => {
      const before = await this.store.in(company).get(_id);
      // Another endpoint said yes than the one that would be called now.
      if (before.endpoint !== endpoint) return before;
      const work = this.units.begin(company, this.clock.now());
      const after = work.update(this.store, before, { verified: true });
      await work.commit();
      return after;
    });
  }
}
