import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  PaymentOwners,
  PaymentWriter,
  isCollected,
  isInFlight,
  refundableMinor,
  type AfterCommit,
  type PaymentOwner,
  type PaymentRecord,
} from '@commerce/payments';
import { JobQueue, type UnitOfWork } from '@commerce/platform';

import { settleCharge } from '../domain/cycle/settle.js';
import type { Refund } from '../domain/cycle/decision.js';
import { writeChange, type RecordChange } from '../subscriptions/subscription-change.js';
import type { SubscriptionRecord } from '../subscriptions/subscription.record.js';
import { SubscriptionStore } from '../subscriptions/subscription.store.js';
import { BillingClock } from '../subscriptions/billing-clock.js';
import { TermsReader } from '../subscriptions/terms-reader.js';
import { billingJob, followUpRequest } from '../subscriptions/billing.job.js';
import { resultOf } from './settle-at-once.js';

/** Lets subscriptions follow their payments, in the commit that settles them. */
@Injectable()
export class SubscriptionPaymentOwner implements PaymentOwner {
  constructor(
    private readonly store: SubscriptionStore,
    private readonly terms: TermsReader,
    private readonly payments: PaymentWriter,
    private readonly instants: BillingClock,
    private readonly jobs: JobQueue,
  ) {}

  async settled(
    work: UnitOfWork,
    before: PaymentRecord,
    payment: PaymentRecord,
  ): Promise<AfterCommit | null> {
    // What comes after the money is there, refunds and disputes, was not billing's to begin with.
    if (payment.subscription === null || isCollected(before.status)) return null;
    // A deleted one may still have a payment on its way.
    const subscription = await this.store.in(payment.company).find(payment.subscription, { deleted: true });
    if (subscription === null) return null;
    const follows = await this.follow(subscription, payment, work.now);
    if (follows === null) return null;
    const instants = { reached: work.now, real: this.instants.real() };
    const after = writeChange(work, this.store, subscription, instants, follows.change);
    const refunded = await this.refund(work, payment, follows.refund);
    return () => this.finish(after, refunded, instants.reached);
  }

  private async follow(
    subscription: SubscriptionRecord,
    payment: PaymentRecord,
    now: Date,
  ): Promise<{ change: RecordChange; refund: Refund | null } | null> {
    const result = resultOf(payment);
    if (result !== null) {
      const terms = await this.terms.withoutPrice(subscription.company, subscription.plan);
      const settled = settleCharge(subscription, terms, result, now);
      return { change: settled, refund: settled.refund };
    }
    const { open_payment: open } = subscription;
    const isOpen = open !== null && open.kind === payment.kind && open.slice === payment.slice;
    if (!isOpen || open.state === 'IN_FLIGHT' || !isInFlight(payment.status)) return null;
    // The customer has just authenticated it: nothing may be decided before the answer is there.
    const inFlight = { ...open, state: 'IN_FLIGHT', retry_at: null, expires_at: null } as const;
    return { change: { changes: { open_payment: inFlight, due: null }, event: null }, refund: null };
  }

  private async refund(
    work: UnitOfWork,
    payment: PaymentRecord,
    refund: Refund | null,
  ): Promise<PaymentRecord | null> {
    if (refund === null) return null;
    const amount = Math.min(refund.amount_minor, refundableMinor(payment));
    return amount > 0 ? this.payments.refund(work, payment, refund.key, amount, refund.reason) : null;
  }

  /** Sends the refund, and has billed what is due already: a subscription that catches up, slice by slice. */
  private async finish(
    subscription: SubscriptionRecord,
    refunded: PaymentRecord | null,
    reached: Date,
  ): Promise<void> {
    const { company, _id, due, test_clock } = subscription;
    // On a test clock the run of the clock goes on by itself.
    if (due !== null && due <= reached && test_clock === null) {
      await this.jobs.add(billingJob, followUpRequest(company, _id));
    }
    if (refunded !== null) await this.payments.afterCommit(refunded);
  }
}

/** Tells the payments whom to ask, in every process in which payments settle. */
@Injectable()
export class SubscriptionPaymentsRegistration implements OnModuleInit {
  constructor(
    private readonly owners: PaymentOwners,
    private readonly payments: SubscriptionPaymentOwner,
  ) {}

  onModuleInit(): void {
    this.owners.register('subscription', this.payments);
  }
}
