import { Injectable } from '@nestjs/common';
import { isFault, toMajor, toMinor, type ExplainedAmount, type ExplanationLine } from '@commerce/kernel';
import type { Caller } from '@commerce/data';
import type { Id } from '@commerce/records';

import type { PaymentRecord } from '../payments/payment.record.js';
import { PaymentStore } from '../payments/payment.store.js';
import { PaymentOwners } from '../settling/payment-owners.js';

interface Money {
  readonly amount: number;
  readonly currency: string;
}

/** The explanation of a payment's amount. */
export interface PaymentExplanation {
  readonly payment: Id;
  readonly charged: Money;
  /** Null where the stored breakdown cannot be computed. */
  readonly recomputed: Money | null;
  /** Whether both are the same. */
  readonly agrees: boolean;
  /** Lines whose amounts add up to the recomputed amount. */
  readonly lines: readonly ExplanationLine[];
}

/** Recomputes payments from their stored breakdowns. */
@Injectable()
export class PaymentExplainer {
  constructor(
    private readonly store: PaymentStore,
    private readonly owners: PaymentOwners,
  ) {}

  async explain(caller: Caller, id: string): Promise<PaymentExplanation> {
    const payment = await this.store.for(caller).get(id);
    const { _id, amount, currency } = payment;
    const charged = { amount, currency };
    const explained = await this.recompute(payment);
    if (typeof explained === 'string') {
      const lines = [{ label: 'The stored breakdown cannot be computed', amount: null, note: explained }];
      return { payment: _id, charged, recomputed: null, agrees: false, lines };
    }
    const { amount_minor, lines } = explained;
    const own = (payment.breakdown as Partial<Money>).currency ?? currency;
    const recomputed = { amount: toMajor(amount_minor, own), currency: own };
    const agrees = own === currency && amount_minor === toMinor(amount, currency);
    return { payment: _id, charged, recomputed, agrees, lines };
  }

  /** The recomputed amount, or the reason why it cannot be recomputed. */
  private async recompute(payment: PaymentRecord): Promise<ExplainedAmount | string> {
    const stored = Object.keys(payment.breakdown);
    if (stored.length === 1 && stored[0] === 'restored_from')
      return 'the payment was written back from the books of the card provider, which do not say';
    const owner = this.owners.ownerOf(payment);
    if (owner?.explain === undefined) throw new Error('a payment belongs to nobody who can explain it');
    try {
      return await owner.explain(payment);
    } catch (error) {
      if (isFault(error) || error instanceof RangeError) return error.message;
      throw error;
    }
  }
}
