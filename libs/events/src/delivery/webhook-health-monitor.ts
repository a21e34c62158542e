import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, Log, type Config, type Id } from '@commerce/platform';

import type { WebhookRecord } from '../webhooks/webhook.record.js';
import { WebhookStore } from '../webhooks/webhook.store.js';
import type { Outcome } from './outcomes.js';
import { DatabaseClock } from './database-clock.js';
import { WebhookCache } from './webhook-cache.js';

/** Switches off webhooks whose endpoint is gone, or has not taken anything for a long time. */
@Injectable()
export class WebhookHealthMonitor {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'webhooks'>,
    private readonly webhooks: WebhookStore,
    private readonly targets: WebhookCache,
    private readonly clock: DatabaseClock,
    private readonly log: Log,
  ) {}

  async note(outcomes: readonly Outcome[]): Promise<void> {
    const { gone, givenUp, arrived } = byFate(outcomes);
    for (const [key] of gone) {
      const webhook = this.targets.peek(key, Infinity)?.webhook;
      if (webhook) await this.switchOff(webhook, 'endpoint_gone');
    }
    for (const key of arrived.keys()) {
      const webhook = this.targets.peek(key, Infinity)?.webhook;
      if (webhook && webhook.failing !== null) await this.webhooks.recovered(webhook._id);
    }
    for (const [key, { id, count }] of givenUp) if (!arrived.has(key)) await this.gaveUp(id, count);
  }

  private async gaveUp(id: Id, count: number): Promise<void> {
    const { disableAfterDeliveries, disableAfterMs } = this.config.webhooks;
    if (disableAfterDeliveries === 0) return;
    const now = await this.clock.now();
    const webhook = await this.webhooks.gaveUp(id, count, now);
    if (!webhook?.failing || !webhook.active) return;
    const { since, deliveries } = webhook.failing;
    const lasting = now.getTime() - since.getTime() >= disableAfterMs;
    if (lasting && deliveries >= disableAfterDeliveries) await this.switchOff(webhook, 'endpoint_failing');
  }

  private async switchOff(webhook: WebhookRecord, reason: string): Promise<void> {
    if (!(await this.webhooks.switchOff(webhook, reason, await this.clock.now()))) return;
    const { _id, company } = webhook;
    this.log.warn(
      { webhook: _id.toHexString(), company: company.toHexString(), reason },
      'A webhook was switched off',
    );
  }
}

interface Fates {
  readonly gone: Map<string, true>;
  readonly givenUp: Map<string, { id: Id; count: number }>;
  readonly arrived: Map<string, true>;
}

function byFate(outcomes: readonly Outcome[]): Fates {
  const fates: Fates = { gone: new Map(), givenUp: new Map(), arrived: new Map() };
  for (const outcome of outcomes) {
    const { lane, webhook } = outcome.ticket;
    const fate = outcome.kind === 'attempted' ? outcome.verdict.kind : outcome.kind;
    if (fate === 'gone') fates.gone.set(lane, true);
    else if (fate === 'succeeded') fates.arrived.set(lane, true);
    else if (fate === 'exhausted' || fate === 'used_up') {
      fates.givenUp.set(lane, { id: webhook, count: (fates.givenUp.get(lane)?.count ?? 0) + 1 });
    }
  }
  return fates;
}
