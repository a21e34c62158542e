import { Injectable } from '@nestjs/common';
import type { Instants } from '@commerce/identity';
import { isFault, type ExplainedAmount } from '@commerce/kernel';
import {
  OwnsPayments,
  isCollected,
  isRestored,
  type FollowUp,
  type OwnerDecision,
  type PaymentLine,
  type PaymentOwner,
  type PaymentRecord,
  type PaymentSubject,
  type SuppliedOf,
  type SuppliedPayment,
} from '@commerce/payments';
import type { Id, OwnedRecord } from '@commerce/records';

import type { Breakdown } from '../domain/pricing/breakdown.js';
import { explainBreakdown, periodText } from '../domain/pricing/explanation.js';
import { quoteNumber } from '../domain/receivable/open-payment.js';
import { ConsequenceReader } from './consequence-reader.js';
import { billingJob, followUpRequest, type BillingJob } from '../job/billing.job.js';
import { committed, type RecordChange } from '../subscriptions/subscription-change.js';
import { SubscriptionRecord } from '../subscription-record/subscription.record.js';
import { SubscriptionStore } from '../subscription-record/subscription.store.js';
import { Subscriptions } from '../subscriptions/subscriptions.service.js';
import { SubscriptionSupplyReader } from '../supplies/subscription-supply-reader.js';

/** Lets subscriptions follow their payments, in the commit that settles them. */
@Injectable()
@OwnsPayments()
export class SubscriptionPaymentOwner implements PaymentOwner {
  readonly kind = 'subscription';

  constructor(
    private readonly store: SubscriptionStore,
    private readonly consequences: ConsequenceReader,
    private readonly subscriptions: Subscriptions,
    private readonly supplies: SubscriptionSupplyReader,
  ) {}

  async settled(
    before: PaymentRecord,
    payment: PaymentRecord,
    now: Instants,
    known: OwnedRecord | null,
  ): Promise<OwnerDecision | null> {
    // Refunds and disputes of a collected payment do not affect billing.
    if (payment.subscription === null || isCollected(before.status)) return null;
    // A deleted subscription may still have a payment in flight.
    const subscription =
      known instanceof SubscriptionRecord
        ? known
        : await this.store.in(payment.company).find(payment.subscription, { deleted: true });
    if (subscription === null) return null;
    const consequence = await this.consequences.read(subscription, payment, now.business);
    if (consequence === null) return null;
    const { change, refund, also, failedForGood } = consequence;
    const { redemption, trial, ...written } = committed(subscription, change, now);
    return {
      also: async (work) => {
        await also?.(work);
        this.store.trial(work, subscription, written.changes, trial);
        if (redemption !== null) this.store.redeem(work, subscription, redemption, now.real);
      },
      failedForGood,
      changes: [{ store: this.store, before: subscription, ...written }],
      refunds: refund === null ? [] : [refund],
      followUp: followUpOf(subscription, dueAfter(subscription, change), now.business),
    };
  }

  async describe(payment: PaymentRecord): Promise<PaymentSubject | null> {
    const { company, subscription } = payment;
    const found = subscription === null ? null : await this.store.in(company).find(subscription);
    if (found === null) return null;
    const { human_id, name, method, timezone } = found;
    const title = { text: name ?? method, amount: null };
    const lines = (await this.linesOf(payment)) ?? periodOf(payment, timezone ?? 'UTC');
    return { title: `Subscription ${human_id}`, reference: human_id, lines: [title, ...lines] };
  }

  async explain({ company, breakdown }: PaymentRecord): Promise<ExplainedAmount> {
    const stored = breakdown as Breakdown;
    return explainBreakdown(stored, await this.supplies.namesIn(company, [stored]));
  }

  supplied(company: Id, payments: readonly SuppliedPayment[]): Promise<SuppliedOf> {
    return this.supplies.supplied(company, payments);
  }

  /** Charges the whole debt of the subscription to another payment method immediately; for a quote, what it is for. */
  async payBy(payment: PaymentRecord, paymentMethod: Id): Promise<void> {
    const { company, subscription } = payment;
    if (subscription === null)
      throw new Error('a payment that is for no subscription was taken for one that is');
    if (quoteNumber(payment) === null) await this.subscriptions.payBy(company, subscription, paymentMethod);
    else await this.subscriptions.payQuoteBy(payment, subscription, paymentMethod);
  }

  /** The lines of the payment's explanation; null where its breakdown cannot be computed. */
  private async linesOf(payment: PaymentRecord): Promise<PaymentLine[] | null> {
    if (isRestored(payment)) return null;
    try {
      const { lines } = await this.explain(payment);
      return lines.map(({ label, amount, note }) => ({ text: label, amount, note }));
    } catch (error) {
      if (isFault(error) || error instanceof RangeError) return null;
      throw error;
    }
  }
}

function periodOf({ period_start, period_end }: PaymentRecord, timezone: string): PaymentLine[] {
  if (period_start === null || period_end === null) return [];
  return [{ text: periodText(period_start, period_end, timezone), amount: null }];
}

function dueAfter({ due }: SubscriptionRecord, { changes }: RecordChange): Date | null {
  return changes.due === undefined ? due : changes.due;
}

/** Queues a subscription that is still due, so that it catches up period by period. */
function followUpOf(
  { company, _id, test_clock, held }: SubscriptionRecord,
  due: Date | null,
  reached: Date,
): FollowUp<BillingJob> | null {
  // On a test clock, the run of the clock continues by itself.
  if (due === null || due > reached || test_clock !== null || held !== null) return null;
  return { job: billingJob, request: followUpRequest(company, _id) };
}
