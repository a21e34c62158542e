import { Injectable } from '@nestjs/common';
import type { OwnedRecord } from '@commerce/records';

import type { PaymentRecord } from '../payments/payment.record.js';
import { currentAttempt, isConclusive } from '../payments/payment.rules.js';
import { ProviderNotConfigured, ProviderUnavailable, type CardProvider } from '../provider/card-provider.js';
import { CardProviders } from '../provider/card-providers.js';
import { ChargeProcessor, cancelKey, type Turn } from './charge-processor.js';
import { RefundProcessor } from './refund-processor.js';
import { Settlement } from './settlement.js';

/** The company whose account charges, and the clock of the customer. */
export type Charged = Pick<PaymentRecord, 'company' | 'test_clock'>;

/**
 * Does what a payment has open at the provider, and settles the answers. It may be called any number of times, by
 * several workers at once, and die at any line: the same request always goes under the same key.
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
   * Goes on from the payment as it was just written or read.
   * @param owner the owner's record where the commit that left the payment so has left that too
   */
  async run(payment: PaymentRecord, turn: Turn, owner: OwnedRecord | null = null): Promise<PaymentRecord> {
    const outcome = await this.charges.outcomeOf(payment, turn);
    const settled =
      outcome === null
        ? payment
        : await this.settlement.settle(payment, currentAttempt(payment), outcome, owner);
    return this.refunds.sendPending(await this.endIntent(settled));
  }

  /** Sends what settling has left to do: a cancellation, and refunds that were not pending before. */
  async goOn(before: PaymentRecord, settled: PaymentRecord): Promise<PaymentRecord> {
    return this.refunds.sendReserved(before, await this.endIntent(settled));
  }

  /**
   * Does work that charges in the end, such that its turn with the provider has come when it begins.
   * Throws NotSent, with nothing begun, where no turn is near.
   */
  async begin<T>({ company, test_clock }: Charged, work: () => Promise<T>): Promise<T> {
    let account: CardProvider;
    try {
      account = await this.providers.accountOf(company, test_clock);
    } catch (error) {
      // The charge itself tells of it.
      if (error instanceof ProviderNotConfigured) return work();
      throw error;
    }
    return account.begin(work);
  }

  /**
   * Brings a payment up to date whose money is new to our books. Its refunds may be older than they.
   * Throws ProviderUnavailable.
   */
  async catchUp(payment: PaymentRecord): Promise<PaymentRecord> {
    return this.run(await this.refunds.reconcile(payment), 'first');
  }

  /** Asks the provider how the payment stands, and settles that. Throws ProviderUnavailable. */
  async reconcile(payment: PaymentRecord): Promise<PaymentRecord> {
    const truth = await this.charges.findIntent(payment);
    if (truth === null || !isConclusive(payment, truth.outcome)) return payment;
    const settled = await this.settlement.settle(payment, currentAttempt(payment), truth.outcome);
    return this.refunds.sendPending(await this.endIntent(settled));
  }

  /** Takes over the refunds that the provider has. Throws ProviderUnavailable. */
  async reconcileRefunds(payment: PaymentRecord): Promise<PaymentRecord> {
    return this.refunds.reconcile(payment);
  }

  /** Cancels the intent that is to be cancelled, if any. A payment that has one waits for nothing else. */
  private async endIntent(payment: PaymentRecord): Promise<PaymentRecord> {
    const intentId = payment.cancel_intent;
    if (intentId === null) return payment;
    try {
      const account = await this.providers.accountOf(payment.company, payment.test_clock);
      const answer = await account.cancel(intentId, cancelKey(payment, intentId));
      if (answer.kind === 'cancelled') return await this.settlement.settleCancellation(payment, intentId);
      const { outcome } = answer.truth;
      // The customer authenticated just before it was given up: the money is there.
      if (outcome.kind === 'succeeded')
        return await this.settlement.settle(payment, currentAttempt(payment), outcome);
    } catch (error) {
      if (!(error instanceof ProviderUnavailable)) throw error;
    }
    return this.settlement.postponeCancellation(payment);
  }
}
