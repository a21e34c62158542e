import { Inject, Injectable } from '@nestjs/common';
import { DatabaseClock } from '@commerce/data';
import { CONFIG, Log, type Config } from '@commerce/platform';

import { webhookOf } from '../delivery/due-delivery.js';
import type { Outcome } from '../delivery/outcomes.js';
import type { WebhookRecord } from '../webhooks/webhook.record.js';
import { WebhookStore, type WebhookKey } from '../webhooks/webhook.store.js';
import { WebhookCache } from './webhook-cache.js';

/** Deactivates webhooks whose endpoint is gone or has not accepted anything for a long time. */
@Injectable()
export class WebhookHealthMonitor {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'webhooks'>,
    private readonly store: WebhookStore,
    private readonly webhooks: WebhookCache,
    private readonly clock: DatabaseClock,
    private readonly log: Log,
  ) {}

  async note(outcomes: readonly Outcome[]): Promise<void> {
    const { gone, succeeded, failed } = byWebhook(outcomes);
    for (const key of gone) {
      const webhook = this.webhooks.peek(key, Infinity)?.webhook;
      if (webhook) await this.deactivate(webhook, 'endpoint_gone');
    }
    for (const key of succeeded) {
      const webhook = this.webhooks.peek(key, Infinity)?.webhook;
      if (webhook && webhook.failing !== null) await this.store.clearFailing(webhook);
    }
    for (const [key, { webhook, count }] of failed) {
      if (!succeeded.has(key)) await this.noteFailed(webhook, count);
    }
  }

  private async noteFailed(failed: WebhookKey, count: number): Promise<void> {
    const { disableAfterDeliveries, disableAfterMs } = this.config.webhooks;
    if (disableAfterDeliveries === 0) return;
    const now = await this.clock.now();
    const webhook = await this.store.countFailed(failed, count, now);
    if (!webhook?.failing || !webhook.active) return;
    const { since, deliveries } = webhook.failing;
    const isLongEnough = now.getTime() - since.getTime() >= disableAfterMs;
    if (isLongEnough && deliveries >= disableAfterDeliveries)
      await this.deactivate(webhook, 'endpoint_failing');
  }

  private async deactivate(webhook: WebhookRecord, reason: string): Promise<void> {
    if (!(await this.store.deactivate(webhook, reason, await this.clock.now()))) return;
    const { _id, company } = webhook;
    this.log.warn(
      { webhook: _id.toHexString(), company: company.toHexString(), reason },
      'A webhook was deactivated',
    );
  }
}

interface OutcomesByWebhook {
  /** Answered 410. */
  readonly gone: ReadonlySet<string>;
  readonly succeeded: ReadonlySet<string>;
  /** How many deliveries of each were given up. */
  readonly failed: ReadonlyMap<string, { readonly webhook: WebhookKey; readonly count: number }>;
}

function byWebhook(outcomes: readonly Outcome[]): OutcomesByWebhook {
  const gone = new Set<string>();
  const succeeded = new Set<string>();
  const failed = new Map<string, { webhook: WebhookKey; count: number }>();
  for (const outcome of outcomes) {
    const { webhookKey } = outcome.due;
    const kind = outcome.kind === 'attempted' ? outcome.verdict.kind : outcome.kind;
    if (kind === 'gone') gone.add(webhookKey);
    else if (kind === 'succeeded') succeeded.add(webhookKey);
    else if (kind === 'exhausted' || kind === 'used_up')
      failed.set(webhookKey, {
        webhook: webhookOf(outcome.due),
        count: (failed.get(webhookKey)?.count ?? 0) + 1,
      });
  }
  return { gone, succeeded, failed };
}
