import { Injectable } from '@nestjs/common';
import type { Id, UnitOfWork } from '@commerce/platform';

import type { PaymentKind, PaymentRecord } from './payment.record.js';

/** A payment to be: one thing that is owed. */
export interface PaymentDraft {
  readonly company: Id;
  readonly user: Id;
  readonly subscription: Id | null;
  readonly order: Id | null;
  readonly kind: PaymentKind;
  /** Unique with company, subscription, order and kind. */
  readonly slice: string;
  readonly amount_minor: number;
  readonly currency: string;
  readonly period_start: Date | null;
  readonly period_end: Date | null;
  readonly payment_method: Id | null;
  readonly breakdown: object;
  /** False while the customer is there to authenticate. */
  readonly off_session: boolean;
  readonly test_clock: Id | null;
}

/**
 * Payments for those who are owed: billing and orders. Each method but afterCommit adds to a unit of work and
 * touches nothing until that is committed.
 */
@Injectable()
export class Payments {
  /**
   * Adds the payment and its first attempt: PROCESSING. An amount of 0 is SUCCEEDED at once; without a usable
   * payment method it is FAILED, `payment_method.missing`, hard.
   * The commit throws `payment.exists` when there is one for the same slice.
   */
  async open(work: UnitOfWork, draft: PaymentDraft): Promise<PaymentRecord> {
    throw new Error(`not yet ${String(work.now)} ${draft.slice}`);
  }

  /** Adds one more attempt to a payment that is FAILED or REQUIRES_AUTH: PROCESSING again. */
  async attempt(
    work: UnitOfWork,
    payment: PaymentRecord,
    paymentMethod: Id | null,
    offSession: boolean,
  ): Promise<PaymentRecord> {
    throw new Error(`not yet ${String(work.now)} ${payment.slice} ${String(paymentMethod)} ${offSession}`);
  }

  /** Gives a FAILED or REQUIRES_AUTH payment up for good; its intent is cancelled after the commit. */
  async abandon(
    work: UnitOfWork,
    payment: PaymentRecord,
    code: string,
    message: string,
  ): Promise<PaymentRecord> {
    throw new Error(`not yet ${String(work.now)} ${payment.slice} ${code} ${message}`);
  }

  /**
   * Reserves a refund. The same key twice is one refund. Throws `refund.too_large` when pending and done ones would
   * exceed what was captured; `payment.state_conflict` when nothing was.
   */
  async refund(
    work: UnitOfWork,
    payment: PaymentRecord,
    key: string,
    amountMinor: number,
    reason: string | null,
  ): Promise<PaymentRecord> {
    throw new Error(`not yet ${String(work.now)} ${payment.slice} ${key} ${amountMinor} ${String(reason)}`);
  }

  /**
   * Sends what the committed payment owes to the provider (attempt, refunds, cancel) and settles the answers.
   * Safe to call any number of times and to die at any line: the janitor does the same with the same keys.
   */
  async afterCommit(payment: PaymentRecord): Promise<PaymentRecord> {
    throw new Error(`not yet ${payment.slice}`);
  }
}
