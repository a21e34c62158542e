import { Injectable } from '@nestjs/common';
import { Log } from '@commerce/platform';
import { parseId } from '@commerce/records';

import type { PaymentRecord } from '../payments/payment.record.js';
import { currentAttempt, isCollected, isConclusive } from '../payments/payment.rules.js';
import { PaymentStore } from '../payments/payment.store.js';
import { PaymentProcessor } from '../charging/payment-processor.js';
import { Settlement } from '../settling/settlement.js';
import type { CardProvider, IntentTruth, ProviderWebhook } from '../provider/card-provider.js';
import { CardProviders } from '../provider/card-providers.js';
import { isIntentOf } from '../provider/payment-tag.js';
import type { ProviderWebhookRow } from './provider-webhook.store.js';

/** Updates the payment of a webhook. The content of the webhook is not trusted: the provider is asked. */
@Injectable()
export class ProviderWebhookProcessor {
  constructor(
    private readonly providers: CardProviders,
    private readonly store: PaymentStore,
    private readonly settlement: Settlement,
    private readonly processor: PaymentProcessor,
    private readonly log: Log,
  ) {}

  /**
   * Does nothing where the intent is not ours.
   * @throws ProviderUnavailable
   */
  async process({ about, intent_id, mode }: ProviderWebhookRow): Promise<void> {
    const account = this.providers.ofMode(mode);
    const truth = intent_id === null ? null : await account.intent(intent_id);
    const found = truth === null ? null : await this.paymentOf(account, truth);
    if (truth === null || found === null) return;
    const payment = await this.processor.goOn(found, await this.settle(found, truth));
    if (about === 'refund') await this.processor.reconcileRefunds(payment);
    if (about === 'dispute') {
      const settled = await this.settlement.settleDispute(payment, await account.dispute(truth.intent_id));
      await this.processor.goOn(payment, settled);
    }
  }

  /**
   * The state of the payment that a webhook names: `collected` by the same intent, so that reports on the intent add
   * nothing; `in flight` while the answer that names the intent is outstanding.
   */
  async standing({
    about,
    intent_id,
    named,
  }: ProviderWebhook): Promise<'collected' | 'in flight' | 'unknown'> {
    const [company, id] = [parseId(named?.company ?? ''), parseId(named?.payment ?? '')];
    if (about !== 'intent' || company === null || id === null) return 'unknown';
    const payment = await this.store.loader.find(company, id);
    if (payment === null) return 'unknown';
    const { status, provider, request } = payment;
    if (isCollected(status) && provider.intent_id === intent_id) return 'collected';
    return status === 'PROCESSING' && request?.answered === false ? 'in flight' : 'unknown';
  }

  private async paymentOf(account: CardProvider, truth: IntentTruth): Promise<PaymentRecord | null> {
    const company = parseId(truth.tag?.company ?? '');
    const payment = company === null ? null : await this.store.in(company).find(truth.tag?.payment ?? '');
    if (payment === null) return null;
    const own = await this.providers.accountOf(payment.company, payment.test_clock);
    if (own.account === account.account && isIntentOf(payment, truth)) return payment;
    this.log.error(
      { payment: payment._id.toHexString(), intent: truth.intent_id },
      'A webhook is about an intent of another amount or account than its payment; it is left alone',
    );
    return null;
  }

  private async settle(payment: PaymentRecord, truth: IntentTruth): Promise<PaymentRecord> {
    const current = isCurrent(payment, truth);
    if (truth.outcome.kind !== 'succeeded' && !current) return payment;
    if (!isConclusive(payment, truth.outcome)) return payment;
    const attempt = current ? currentAttempt(payment) : (truth.tag?.attempt ?? 1);
    return this.settlement.settle(payment, attempt, truth.outcome);
  }
}

/** True when the intent belongs to the current attempt, not to a replaced one. */
function isCurrent(payment: PaymentRecord, truth: IntentTruth): boolean {
  const { request } = payment;
  const creating = request !== null && !request.answered && request.intent_id === null;
  return creating ? truth.tag?.attempt === request.number : truth.intent_id === payment.provider.intent_id;
}
