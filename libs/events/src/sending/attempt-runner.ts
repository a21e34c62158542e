import { Inject, Injectable } from '@nestjs/common';
import { DatabaseClock } from '@commerce/data';
import { CONFIG, Log, spread, type Config, type SendResult } from '@commerce/platform';

import type { LeasedDelivery } from '../delivery/leased-delivery.js';
import { attemptsLeft, numberInRound, webhookOf, type DueDelivery } from '../delivery/due-delivery.js';
import { judge } from '../delivery/next-attempt.js';
import type { Outcome } from '../delivery/outcomes.js';
import { deliveryBody } from '../webhooks/message.js';
import { WebhookClient } from '../webhooks/webhook-client.js';
import type { WebhookRecord } from '../webhooks/webhook.record.js';
import { WebhookCache, refusal, type CachedWebhook } from './webhook-cache.js';

/** A webhook is read again before each attempt, unless it was read this recently. */
const FRESH_MS = 50;
/** An older lease is taken anew: receivers refuse a signature that is minutes old. */
const MAX_AGE_MS = 60_000;
/** If the webhook cannot be read, the delivery is due again after this time. */
const UNREAD_MS = 1000;

/** Makes one attempt of a leased delivery. */
@Injectable()
export class AttemptRunner {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'webhooks' | 'leaseMs'>,
    private readonly client: WebhookClient,
    private readonly webhooks: WebhookCache,
    private readonly clock: DatabaseClock,
    private readonly log: Log,
  ) {}

  /** Never rejects: every error becomes an outcome. */
  async run(leased: LeasedDelivery): Promise<Outcome> {
    const { due } = leased;
    const { at, since } = leased.lease;
    const cached = await this.current(due);
    if (cached === null) return { kind: 'released', due, waitMs: spread(UNREAD_MS, 1, 1.2) };
    // An attempt that outlasts its lease could be made by another worker as well.
    if (performance.now() - since > Math.min(this.config.leaseMs / 2, MAX_AGE_MS))
      return { kind: 'released', due, waitMs: 0 };
    const refused = refusal(cached, due.endpointHash);
    if (refused !== null || cached.webhook === null)
      return { kind: 'dropped', due, reason: refused ?? 'webhook_deleted' };
    const result = await this.send(cached.webhook, leased);
    const { retryDelaysMs: delaysMs } = this.config.webhooks;
    const made = { number: numberInRound(due), isLast: attemptsLeft(due, delaysMs.length) <= 1 };
    const verdict = judge(result, made, { delaysMs }, this.clock.read());
    return { kind: 'attempted', due, at, result, verdict };
  }

  /** The current webhook; null if the database does not answer. */
  private async current(due: DueDelivery): Promise<CachedWebhook | null> {
    try {
      return await this.webhooks.recent(webhookOf(due), FRESH_MS);
    } catch (error) {
      this.log.warn({ error }, 'A webhook could not be read');
      return null;
    }
  }

  /** Signed at the date that is kept with the attempt, so that what was sent can be shown later. */
  private async send(webhook: WebhookRecord, { due, event, lease }: LeasedDelivery): Promise<SendResult> {
    try {
      const message = {
        type: 'WebhookMessage',
        id: due.event.toHexString(),
        body: deliveryBody(event.body, webhook.endpoint),
        retries: numberInRound(due) - 1,
      } as const;
      return await this.client.send(webhook, message, lease.at);
    } catch (error) {
      // For example a secret that does not open. It counts as an attempt; otherwise it would be tried for ever.
      this.log.error({ error, webhook: due.webhookKey }, 'A delivery could not be sent');
      return { kind: 'failed', reason: 'internal', detail: 'the service could not send it', durationMs: 0 };
    }
  }
}
