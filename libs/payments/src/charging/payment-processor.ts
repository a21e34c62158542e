import { Injectable } from '@nestjs/common';
import type { OwnedRecord } from '@commerce/records';

import type { PaymentRecord } from '../payments/payment.record.js';
import { currentAttempt, isConclusive } from '../payments/payment.rules.js';
import { ProviderNotConfigured, ProviderUnavailable, type CardProvider } from '../provider/card-provider.js';
import { CardProviders } from '../provider/card-providers.js';
import { ChargeProcessor, cancelKey, type Turn } from './charge-processor.js';
import { RefundProcessor } from './refund-processor.js';
import { Settlement } from '../settling/settlement.js';

/** The company whose account charges, and the clock of the customer. */
export type Charged = Pick<PaymentRecord, 'company' | 'test_clock'>;

/**
 * Sends the open requests of a payment to the provider, and settles the answers. It may be called any number of times,
 * by several workers concurrently, and die at any line: the same request always has the same key.
 */
@Injectable()
export class PaymentProcessor {
  constructor(
    private readonly providers: CardProviders,
    private readonly charges: ChargeProcessor,
    private readonly refunds: RefundProcessor,
    private readonly settlement: Settlement,
  ) {}

  /**
   * Continues from the payment as it was just written or read.
   * @param owner the owner's record, where the commit that wrote the payment has written that too
   */
  async run(payment: PaymentRecord, turn: Turn, owner: OwnedRecord | null = null): Promise<PaymentRecord> {
    const outcome = await this.charges.outcomeOf(payment, turn);
    const settled =
      outcome === null
        ? payment
        : await this.settlement.settle(payment, currentAttempt(payment), outcome, owner);
    return this.refunds.sendPending(await this.endIntent(settled));
  }

  /** Sends the requests that follow from settling: a cancellation, and refunds that were not pending before. */
  async goOn(before: PaymentRecord, settled: PaymentRecord): Promise<PaymentRecord> {
    return this.refunds.sendReserved(before, await this.endIntent(settled));
  }

  /**
   * Runs work that ends in a charge, with its turn at the provider reserved before it begins.
   * @throws NotSent, with nothing begun, where no turn is available soon
   */
  async begin<T>({ company, test_clock }: Charged, work: () => Promise<T>): Promise<T> {
    let account: CardProvider;
    try {
      account = await this.providers.accountOf(company, test_clock);
    } catch (error) {
      // The charge itself reports the error.
      if (error instanceof ProviderNotConfigured) return work();
      throw error;
    }
    return account.begin(work);
  }

  /**
   * Updates a payment whose money is new to our books, and whose refunds may be older.
   * @throws ProviderUnavailable
   */
  async catchUp(payment: PaymentRecord): Promise<PaymentRecord> {
    return this.run(await this.refunds.reconcile(payment), 'first');
  }

  /**
   * Looks the payment up at the provider, and settles the outcome.
   * @throws ProviderUnavailable
   */
  async reconcile(payment: PaymentRecord): Promise<PaymentRecord> {
    const truth = await this.charges.findIntent(payment);
    if (truth === null || !isConclusive(payment, truth.outcome)) return payment;
    const settled = await this.settlement.settle(payment, currentAttempt(payment), truth.outcome);
    return this.refunds.sendPending(await this.endIntent(settled));
  }

  /**
   * Imports the provider's refunds of the payment.
   * @throws ProviderUnavailable
   */
  async reconcileRefunds(payment: PaymentRecord): Promise<PaymentRecord> {
    return this.refunds.reconcile(payment);
  }

  /** Cancels the intent marked for cancellation, if any. A payment with such an intent waits for nothing else. */
  private async endIntent(payment: PaymentRecord): Promise<PaymentRecord> {
    const intentId = payment.cancel_intent;
    if (intentId === null) return payment;
    try {
      const account = await this.providers.accountOf(payment.company, payment.test_clock);
      const answer = await account.cancel(intentId, cancelKey(payment, intentId));
      if (answer.kind === 'cancelled') return await this.settlement.settleCancellation(payment, intentId);
      const { outcome } = answer.truth;
      // The customer authenticated just before the payment was abandoned: the money is there.
      if (outcome.kind === 'succeeded')
        return await this.settlement.settle(payment, currentAttempt(payment), outcome);
    } catch (error) {
      if (!(error instanceof ProviderUnavailable)) throw error;
    }
    return this.settlement.postponeCancellation(payment);
  }
}
