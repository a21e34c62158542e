import { setTimeout as pause } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';
import { Sweeps } from '@commerce/jobs';
import { Log } from '@commerce/platform';

import { nextTry } from '../payments/reconcile-schedule.js';
import { PaymentClock } from '../settling/payment-clock.js';
import { ProviderUnavailable, type ProviderWebhook } from '../provider/card-provider.js';
import { CardProviders } from '../provider/card-providers.js';
import { ProviderWebhookProcessor } from './provider-webhook-processor.js';
import { ProviderWebhookStore, type ProviderWebhookRow } from './provider-webhook.store.js';

/** Delays between checks whether the answer to a charge was committed, which takes longer under load. */
const LOOKS_MS = [200, 600, 1200];

/** Webhooks processed in one pass. */
const PER_PASS = 50;

/** Webhooks that the card provider sends: each takes effect once, in any order, and none is lost in a crash. */
@Injectable()
export class ProviderWebhooks {
  constructor(
    private readonly providers: CardProviders,
    private readonly store: ProviderWebhookStore,
    private readonly processor: ProviderWebhookProcessor,
    private readonly clocks: PaymentClock,
    private readonly log: Log,
  ) {}

  /**
   * Receives the bytes and signature of a webhook, and stores it before it has any effect; a webhook that was stored
   * before is left to its first receiver.
   * @throws Fault `notice.invalid`
   */
  async receive(raw: Buffer, signature: string): Promise<void> {
    const webhook = this.providers.webhook(raw, signature);
    const { id, about, intent_id, mode } = webhook;
    if (intent_id === null || about === 'other') return;
    if (await this.isNoNews(webhook)) return;
    const { at: received, until: check_at } = this.clocks.lease();
    const row: ProviderWebhookRow = { _id: id, about, intent_id, mode, received, tries: 1, check_at };
    if (await this.store.add(row)) await this.take(row);
  }

  /** Processes webhooks again that had no effect yet, because their process died or the provider did not answer. */
  @Sweeps('provider-webhooks', 5)
  async sweep(): Promise<void> {
    const due = await this.store.due(this.clocks.real(), PER_PASS);
    for (const id of due) {
      const row = await this.store.lease(id, this.clocks.lease());
      if (row !== null) await this.take(row);
    }
  }

  /**
   * Usually a webhook repeats the answer to the charge. One that comes while that answer is being committed waits for
   * it, as both would write the same payment.
   */
  private async isNoNews(webhook: ProviderWebhook): Promise<boolean> {
    let standing = await this.processor.standing(webhook);
    for (const wait of LOOKS_MS) {
      if (standing !== 'in flight') break;
      await pause(wait);
      standing = await this.processor.standing(webhook);
    }
    return standing === 'collected';
  }

  private async take(row: ProviderWebhookRow): Promise<void> {
    try {
      await this.processor.process(row);
      await this.store.done(row._id);
    } catch (error) {
      if (!(error instanceof ProviderUnavailable))
        this.log.error({ error, webhook: row._id }, 'A webhook of the card provider had no effect');
      await this.store.postpone(row._id, nextTry(row.tries, this.clocks.real()));
    }
  }
}
