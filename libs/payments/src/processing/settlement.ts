import { Injectable } from '@nestjs/common';
import { Log, UnitsOfWork, retryOnConflict, type Id } from '@commerce/platform';

import type { ChargeOutcome } from '../payments/charge-outcome.js';
import { nextTry } from '../payments/reconcile-schedule.js';
import { shownInEvent } from '../payments/client-secret.js';
import { PaymentClock, type Instants } from './payment-clock.js';
import { PaymentOwners, type AfterCommit } from './payment-owners.js';
import { applyRefunds, hasPendingRefund, type RefundNews } from '../payments/payment-refund.rules.js';
import type { PaymentRecord } from '../payments/payment.record.js';
import {
  applyDispute,
  applyOutcome,
  eventOf,
  isCollected,
  type PaymentChanges,
} from '../payments/payment.rules.js';
import { PaymentStore } from '../payments/payment.store.js';

type Decide = (payment: PaymentRecord, now: Instants) => PaymentChanges | null;

/** The one way by which anything that the provider says reaches a payment: answer, notice, confirm or janitor. */
@Injectable()
export class Settlement {
  constructor(
    private readonly store: PaymentStore,
    private readonly units: UnitsOfWork,
    private readonly owners: PaymentOwners,
    private readonly clocks: PaymentClock,
    private readonly log: Log,
  ) {}

  /**
   * Applies an outcome to one attempt of a payment; the owner follows in the same commit. Success is sticky, an
   * outcome that changes nothing writes nothing. Tried again when another writer was quicker.
   */
  async settle(
    company: Id,
    paymentId: Id,
    attemptNumber: number,
    outcome: ChargeOutcome,
  ): Promise<PaymentRecord> {
    return this.change(company, paymentId, (payment, { real }) => {
      this.watchForDouble(payment, outcome);
      return applyOutcome(payment, attemptNumber, outcome, real);
    });
  }

  /** Applies what the provider says of refunds. */
  async settleRefunds(company: Id, paymentId: Id, news: readonly RefundNews[]): Promise<PaymentRecord> {
    return this.change(company, paymentId, (payment, now) => {
      const changes = applyRefunds(payment, news, now.business);
      if (changes === null) return null;
      const open = hasPendingRefund(changes);
      return { ...changes, checks: 0, check_at: open ? nextTry(1, now.real) : null };
    });
  }

  /** Applies whether the charge is disputed. */
  async settleDispute(company: Id, paymentId: Id, disputed: boolean): Promise<PaymentRecord> {
    return this.change(company, paymentId, (payment) => applyDispute(payment, disputed));
  }

  /** The intent of a payment that was given up can no longer take money. */
  async cancelled(company: Id, paymentId: Id, intentId: string): Promise<PaymentRecord> {
    return this.change(company, paymentId, (payment) =>
      payment.cancel_intent === intentId ? { cancel_intent: null, checks: 0, check_at: null } : null,
    );
  }

  /** The provider gave no answer about a refund or a cancellation: it is asked again later. */
  async postpone(company: Id, paymentId: Id): Promise<PaymentRecord> {
    return this.change(company, paymentId, (payment, { real }) => {
      if (payment.cancel_intent === null && !hasPendingRefund(payment)) return null;
      const checks = payment.checks + 1;
      return { checks, check_at: nextTry(checks, real) };
    });
  }

  private async change(company: Id, id: Id, decide: Decide): Promise<PaymentRecord> {
    const { payment, finish } = await retryOnConflict(() => this.changeOnce(company, id, decide));
    if (finish !== null) await this.runAfter(payment, finish);
    return payment;
  }

  private async changeOnce(
    company: Id,
    id: Id,
    decide: Decide,
  ): Promise<{ payment: PaymentRecord; finish: AfterCommit | null }> {
    const before = await this.store.in(company).get(id);
    const now = await this.clocks.of(before);
    const changes = decide(before, now);
    if (changes === null) return { payment: before, finish: null };
    const work = this.units.begin(company, now.business);
    const after = work.update(this.store, before, changes, eventOf(before, changes), shownInEvent(changes));
    const owner = after.status === before.status ? null : this.owners.of(after);
    const finish = owner === null ? null : await owner.settled(work, before, after);
    await work.commit();
    return { payment: after, finish };
  }

  /** What the owner does after the commit is a hint to others; the payment is settled without it. */
  private async runAfter(payment: PaymentRecord, finish: AfterCommit): Promise<void> {
    try {
      await finish();
    } catch (error) {
      this.log.error(
        { error, payment: payment._id.toHexString() },
        'The owner of a payment failed after it settled',
      );
    }
  }

  private watchForDouble(payment: PaymentRecord, outcome: ChargeOutcome): void {
    if (outcome.kind !== 'succeeded' || !isCollected(payment.status)) return;
    const { intent_id } = payment.provider;
    if (intent_id === outcome.intent_id) return;
    this.log.fatal(
      { payment: payment._id.toHexString(), intents: [intent_id, outcome.intent_id] },
      'A payment was collected by two intents: one of them must be refunded',
    );
  }
}
