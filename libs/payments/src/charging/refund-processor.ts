import { Injectable } from '@nestjs/common';
import { toMinor } from '@commerce/kernel';
import { Log } from '@commerce/platform';

import { hasOwedRefund, hasPendingRefund } from '../payments/check-dates.js';
import type { RefundNews } from '../payments/payment-refund.rules.js';
import type { PaymentRefund } from '../payments/payment-refund.js';
import type { PaymentRecord } from '../payments/payment.record.js';
import { ProviderUnavailable, type CardProvider, type RefundTruth } from '../provider/card-provider.js';
import { CardProviders } from '../provider/card-providers.js';
import { PaymentClock } from '../settling/payment-clock.js';
import { Settlement } from '../settling/settlement.js';

/** Sends refunds to the provider. Its refunds are read first: a key that is a day old no longer protects. */
@Injectable()
export class RefundProcessor {
  constructor(
    private readonly providers: CardProviders,
    private readonly settlement: Settlement,
    private readonly clocks: PaymentClock,
    private readonly log: Log,
  ) {}

  /** Sends the reserved refunds, and settles the answers. Does nothing where there are none. */
  async sendPending(payment: PaymentRecord): Promise<PaymentRecord> {
    const renewed = await this.renewed(payment);
    return hasPendingRefund(renewed) ? this.send(renewed) : renewed;
  }

  private async send(payment: PaymentRecord): Promise<PaymentRecord> {
    let known: RefundTruth[];
    try {
      known = await this.refundsThere(payment);
    } catch (error) {
      if (!(error instanceof ProviderUnavailable)) throw error;
      return this.settlement.postponeRefunds(payment);
    }
    const news: RefundNews[] = known.map((truth) => ({ kind: 'known', ...truth }));
    let open = false;
    for (const refund of payment.refunds) {
      if (refund.status !== 'PENDING') continue;
      const there = known.find((one) => one.key === refund.key);
      const answer = there === undefined ? await this.sendOne(payment, refund) : null;
      if (answer === 'unanswered') open = true;
      else if (answer !== null) news.push(answer);
      if (there?.status === 'pending') open = true;
    }
    const settled = news.length === 0 ? payment : await this.settlement.settleRefunds(payment, news);
    return open ? this.settlement.postponeRefunds(settled) : settled;
  }

  /** As sendPending, for refunds that settling has just reserved. Those pending before are being sent already. */
  async sendReserved(before: PaymentRecord, after: PaymentRecord): Promise<PaymentRecord> {
    return hasPendingRefund(before) ? after : this.sendPending(after);
  }

  /**
   * Imports the provider's refunds of the payment, including those made elsewhere.
   * @throws ProviderUnavailable
   */
  async reconcile(payment: PaymentRecord): Promise<PaymentRecord> {
    const known = await this.refundsThere(payment);
    const news = known.map((truth): RefundNews => ({ kind: 'known', ...truth }));
    return news.length === 0 ? payment : this.settlement.settleRefunds(payment, news);
  }

  /** Reserves failed refunds again, once their date has come. */
  private async renewed(payment: PaymentRecord): Promise<PaymentRecord> {
    const { refund_check } = payment;
    const isDue = refund_check === null || refund_check.at <= this.clocks.real();
    if (!isDue || !hasOwedRefund(payment)) return payment;
    return this.settlement.renewOwedRefunds(payment, this.clocks.leaseEnd());
  }

  private async refundsThere(payment: PaymentRecord): Promise<RefundTruth[]> {
    const { intent_id } = payment.provider;
    if (intent_id === null) return [];
    return (await this.accountOf(payment)).refundsOf(intent_id, payment.currency);
  }

  private async sendOne(payment: PaymentRecord, refund: PaymentRefund): Promise<RefundNews | 'unanswered'> {
    const id = payment._id.toHexString();
    const { intent_id } = payment.provider;
    if (intent_id === null) return refused(refund, 'payment.not_at_provider');
    try {
      const account = await this.accountOf(payment);
      const outcome = await account.refund({
        idempotency_key: `refund-${id}-${refund.key}`,
        intent_id,
        amount_minor: toMinor(refund.amount, payment.currency),
        currency: payment.currency,
        key: refund.key,
        reason: refund.reason,
      });
      if (outcome.kind === 'known') return { kind: 'known', ...outcome.truth };
      this.log.error(
        { payment: id, refund: refund.key, code: outcome.code },
        'The provider refused a refund',
      );
      return refused(refund, outcome.code);
    } catch (error) {
      if (!(error instanceof ProviderUnavailable)) throw error;
      return 'unanswered';
    }
  }

  private accountOf({ company, test_clock }: PaymentRecord): Promise<CardProvider> {
    return this.providers.accountOf(company, test_clock);
  }
}

function refused(refund: PaymentRefund, code: string): RefundNews {
  return { kind: 'refused', key: refund.key, code };
}
