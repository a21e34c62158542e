import { setTimeout as wait } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';
import { CustomerLimiter } from '@commerce/identity';

import type { PaymentRecord } from '../payments/payment.record.js';
import { orUnavailable } from '../provider/or-unavailable.js';
import { PaymentProcessor } from './payment-processor.js';

/** The shortest interval between inquiries about one payment. */
const APART_MS = 1_000;

/**
 * Looks payments up at the provider. Concurrent calls for one payment share the next inquiry, which begins after each
 * of these calls, so that no answer is outdated.
 */
@Injectable()
export class PaymentInquirer {
  /** By payment, the inquiry that has not begun yet. */
  private readonly waiting = new Map<string, Promise<PaymentRecord>>();
  /** By payment, when the next inquiry may begin. */
  private readonly free = new Map<string, Promise<void>>();

  constructor(
    private readonly processor: PaymentProcessor,
    private readonly limits: CustomerLimiter,
  ) {}

  /**
   * The payment in its state at the provider. It is shared: treat it as read-only.
   * @throws Fault `provider.unavailable`, `provider.refused`, `provider.not_configured`
   */
  ask(payment: PaymentRecord): Promise<PaymentRecord> {
    const key = payment._id.toHexString();
    const shared = this.waiting.get(key);
    if (shared !== undefined) return shared;
    const question = this.begin(key, payment);
    this.waiting.set(key, question);
    return question;
  }

  /**
   * As `ask`, for the customer, whose inquiries are limited.
   * @throws Fault `rate.limited`, too
   */
  async askForCustomer(payment: PaymentRecord): Promise<PaymentRecord> {
    await this.limits.requireInquiry(payment.user);
    return this.ask(payment);
  }

  private async begin(key: string, payment: PaymentRecord): Promise<PaymentRecord> {
    await this.free.get(key);
    this.waiting.delete(key);
    const answer = orUnavailable(this.processor.reconcile(payment));
    const over: Promise<void> = Promise.allSettled([answer, wait(APART_MS)]).then(() => {
      if (this.free.get(key) === over) this.free.delete(key);
    });
    this.free.set(key, over);
    return answer;
  }
}
