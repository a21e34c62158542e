import { Injectable } from '@nestjs/common';
import {
  PaymentStore,
  heldMinor,
  paidByCardMinor,
  refundableMinor,
  type PaymentRecord,
} from '@commerce/payments';

import type { RestOf } from '../domain/receivable/credit.js';
import { paymentName, type PaymentKey } from '../domain/receivable/open-payment.js';
import type { SubscriptionKey } from '../subscription-record/subscription.store.js';

/** The rests of payments, in all and of what the card paid. */
export interface PaymentRests {
  readonly restOf: RestOf;
  readonly cardRestOf: RestOf;
}

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
   * The rest of each of these payments that is neither given back nor owed, with what a dispute holds; reads nothing for none. A payment that is lost
   * throws once its rest is asked for.
   */
  async read(subscription: SubscriptionKey, keys: readonly PaymentKey[]): Promise<RestOf> {
    return (await this.rests(subscription, keys)).restOf;
  }

  /** The same, and the part of each rest that the card paid. */
  async rests(subscription: SubscriptionKey, keys: readonly PaymentKey[]): Promise<PaymentRests> {
    const payments = new Map<string, PaymentRecord | null>();
    for (const key of keys) {
      const name = paymentName(key);
      if (!payments.has(name)) payments.set(name, await this.find(subscription, key));
    }
    const amountOf =
      (amount: (payment: PaymentRecord) => number) =>
      (key: PaymentKey): number => {
        const payment = payments.get(paymentName(key));
        if (payment === null) throw lost(key);
        return payment === undefined ? 0 : amount(payment);
      };
    const heldOf = amountOf((payment) => heldMinor(payment) - refundableMinor(payment));
    const restOf = Object.assign(amountOf(refundableMinor), { heldOf });
    return { restOf, cardRestOf: amountOf(paidByCardMinor) };
  }

  private find(
    { company, _id }: SubscriptionKey,
    { kind, slice }: PaymentKey,
  ): Promise<PaymentRecord | null> {
    return this.store.in(company).one({ subscription: _id, order: null, kind, slice });
  }
}

function lost(key: PaymentKey): Error {
  return new Error(`a subscription has lost its payment ${paymentName(key)}`);
}
