import { Injectable } from '@nestjs/common';
import type { UnitOfWork } from '@commerce/data';
import { PaymentWriter, type PaymentRecord } from '@commerce/payments';

import type { Refund } from '../domain/lines/period-credits.js';
import { paymentName } from '../domain/lines/payment-key.js';
import type { SubscriptionRecord } from '../subscription-record/subscription.record.js';
import { RefundableReader } from './refundable-reader.js';

/** Reserves the refunds that billing decides on, in the commit of the decision. */
@Injectable()
export class RefundReserver {
  constructor(
    private readonly payments: PaymentWriter,
    private readonly rests: RefundableReader,
  ) {}

  /** Each refund is capped at the rest of its payment; returns those payments that had something left. */
  async reserve(
    work: UnitOfWork,
    subscription: SubscriptionRecord,
    refunds: readonly Refund[],
  ): Promise<PaymentRecord[]> {
    const payments = new Map<string, PaymentRecord>();
    for (const refund of refunds) {
      const key = paymentName(refund.payment);
      const payment = payments.get(key) ?? (await this.rests.payment(subscription, refund.payment));
      const reserved = await this.payments.refund(work, payment, refund);
      if (reserved !== payment) payments.set(key, reserved);
    }
    return [...payments.values()];
  }
}
