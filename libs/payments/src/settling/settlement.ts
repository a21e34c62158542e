import { Injectable } from '@nestjs/common';
import { Log } from '@commerce/platform';
import { type OwnedRecord } from '@commerce/records';

import type { ChargeOutcome } from '../payments/charge-outcome.js';
import { hasPendingRefund, withCheck } from '../payments/check-dates.js';
import { applyDispute, renewOwed, type Dispute } from '../payments/owed-refund.rules.js';
import { applyRefunds, refundCheck, type RefundNews } from '../payments/payment-refund.rules.js';
import type { PaymentRecord, WorkCheck } from '../payments/payment.record.js';
import { applyOutcome, type PaymentChanges } from '../payments/payment.rules.js';
import { nextTry } from '../payments/reconcile-schedule.js';
import { SettlementWriter, type DecideSettlement } from './settlement-writer.js';

/**
 * The only path by which the provider's outcomes reach a payment: answers, webhooks, confirmations and the reconciler's
 * findings. Each method takes the payment as its caller knows it and returns its later state; concurrent writers
 * are taken into account.
 */
@Injectable()
export class Settlement {
  constructor(
    private readonly writer: SettlementWriter,
    private readonly log: Log,
  ) {}

  /**
   * Applies an outcome to one attempt of a payment; the owner follows in the same commit. Success is final, and an
   * outcome that changes nothing writes nothing; refunds that the owner requests are reserved, not yet sent.
   * @param owner the owner's record, where the commit that wrote the payment has written that too
   */
  async settle(
    payment: PaymentRecord,
    attemptNumber: number,
    outcome: ChargeOutcome,
    owner: OwnedRecord | null = null,
  ): Promise<PaymentRecord> {
    const settled = await this.writer.change(
      payment,
      (current, { real }) => applyOutcome(current, attemptNumber, outcome, real),
      owner,
    );
    this.watchForDouble(settled, outcome);
    return settled;
  }

  /** Applies the success of an attempt that was lost with a restored database. */
  async settleLost(
    payment: PaymentRecord,
    decide: (current: PaymentRecord, real: Date) => PaymentChanges | null,
  ): Promise<PaymentRecord> {
    return this.writer.change(payment, (current, { real }) => decide(current, real));
  }

  /** Applies the provider's report on refunds. */
  async settleRefunds(payment: PaymentRecord, news: readonly RefundNews[]): Promise<PaymentRecord> {
    return this.writer.change(payment, (current, now) => {
      const changes = applyRefunds(current, news, now.business);
      if (changes === null) return null;
      return withCheck(current, { ...changes, refund_check: refundCheck(changes.refunds, now.real) });
    });
  }

  /** Reserves a refund that a caller requests; a refund to the balance is done with the commit. */
  async reserveRefund(payment: PaymentRecord, reserve: DecideSettlement): Promise<PaymentRecord> {
    return this.writer.change(payment, reserve);
  }

  /** Applies the dispute of the charge. */
  async settleDispute(payment: PaymentRecord, dispute: Dispute): Promise<PaymentRecord> {
    return this.writer.change(payment, (current, { real }) => applyDispute(current, dispute, real));
  }

  /**
   * Applies the cancellation of a payment's intent, which can take no more money; the owner follows in the same commit.
   */
  async settleCancellation(payment: PaymentRecord, intentId: string): Promise<PaymentRecord> {
    return this.writer.change(payment, (current) =>
      current.cancel_intent === intentId
        ? withCheck(current, { cancel_intent: null, cancel_check: null, cancelled_intent: intentId })
        : null,
    );
  }

  /** Schedules another check of a cancellation about which the provider gave no answer. */
  async postponeCancellation(payment: PaymentRecord): Promise<PaymentRecord> {
    return this.writer.change(payment, (current, { real }) => {
      if (current.cancel_intent === null) return null;
      return withCheck(current, { cancel_check: oneMoreTry(current.cancel_check, real) });
    });
  }

  /** Schedules another check of a refund about which the provider gave no answer. */
  async postponeRefunds(payment: PaymentRecord): Promise<PaymentRecord> {
    return this.writer.change(payment, (current, { real }) => {
      if (!hasPendingRefund(current)) return null;
      return withCheck(current, { refund_check: oneMoreTry(current.refund_check, real) });
    });
  }

  /** Reserves owed refunds again, where the date of the next try has come. */
  async renewOwedRefunds(payment: PaymentRecord, leaseEnd: Date): Promise<PaymentRecord> {
    return this.writer.change(payment, (current, { business, real }) =>
      renewOwed(current, business, { real, leaseEnd }),
    );
  }

  private watchForDouble({ _id, provider }: PaymentRecord, outcome: ChargeOutcome): void {
    if (outcome.kind !== 'succeeded' || provider.intent_id === outcome.intent_id) return;
    this.log.fatal(
      { payment: _id.toHexString(), intents: [provider.intent_id, outcome.intent_id] },
      'A payment was collected by two intents: one of them must be refunded',
    );
  }
}

function oneMoreTry(check: WorkCheck | null, real: Date): WorkCheck {
  const tries = (check?.tries ?? 0) + 1;
  return { at: nextTry(tries, real), tries };
}
