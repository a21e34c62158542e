import { Injectable } from '@nestjs/common';
import {
  PaymentStore,
  heldMinor,
  paidByCardMinor,
  refundableMinor,
  type PaymentRecord,
} from '@commerce/payments';

import type { Holding, HoldingOf } from '../domain/lines/credit.js';
import { paymentName, type PaymentKey } from '../domain/lines/payment-key.js';
import type { SubscriptionKey } from '../subscription-record/subscription.store.js';

/** The rests of payments, in all and of what the card paid. */
export interface PaymentRests {
  readonly holdingOf: HoldingOf;
  readonly cardRestOf: (payment: PaymentKey) => number;
}

/** The periods of an imported subscription were paid elsewhere. */
const NOTHING: Holding = { free: 0, disputed: 0 };

/** Reads the payments of a subscription by the keys that its state names. */
@Injectable()
export class RefundableReader {
  constructor(private readonly store: PaymentStore) {}

  async payment(subscription: SubscriptionKey, key: PaymentKey): Promise<PaymentRecord> {
    const found = await this.find(subscription, key);
    if (found === null) throw lost(key);
    return found;
  }

  /**
   * What each of these payments holds: the rest that is neither given back nor owed, and what a dispute holds of it. Reads
   * nothing for none; a payment that is not known holds nothing.
   */
  async read(subscription: SubscriptionKey, keys: readonly PaymentKey[]): Promise<HoldingOf> {
    return (await this.rests(subscription, keys)).holdingOf;
  }

  /** The same, and the part of each rest that the card paid. */
  async rests(subscription: SubscriptionKey, keys: readonly PaymentKey[]): Promise<PaymentRests> {
    const payments = new Map<string, PaymentRecord | null>();
    for (const key of keys) {
      const name = paymentName(key);
      if (!payments.has(name)) payments.set(name, await this.find(subscription, key));
    }
    const of = (key: PaymentKey): PaymentRecord | null => payments.get(paymentName(key)) ?? null;
    const holdingOf = (key: PaymentKey): Holding => {
      const payment = of(key);
      if (payment === null) return NOTHING;
      const free = refundableMinor(payment);
      return { free, disputed: heldMinor(payment) - free };
    };
    const cardRestOf = (key: PaymentKey): number => {
      const payment = of(key);
      return payment === null ? 0 : paidByCardMinor(payment);
    };
    return { holdingOf, cardRestOf };
  }

  private find(
    { company, _id }: SubscriptionKey,
    { kind, period_key }: PaymentKey,
  ): Promise<PaymentRecord | null> {
    return this.store.in(company).one({ subscription: _id, order: null, kind, period_key });
  }
}

function lost(key: PaymentKey): Error {
  return new Error(`a subscription has lost its payment ${paymentName(key)}`);
}
