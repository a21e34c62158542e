import { Injectable } from '@nestjs/common';
import { PaymentStore, PaymentWriter, withClientSecret, type PaymentRecord } from '@commerce/payments';
import type { UnitOfWork } from '@commerce/data';
import type { Id } from '@commerce/records';

import type { Charge } from '../domain/cycle/decision.js';
import { shownPayments } from '../subscription-record/shown-payments.js';
import type { SubscriptionRecord } from '../subscription-record/subscription.record.js';
import { SubscriptionStore } from '../subscription-record/subscription.store.js';
import { chargeDraft } from '../subscriptions/charge-draft.js';
import type { DecidedChange } from './plan-change-decider.js';
import { RefundReserver } from '../subscriptions/refund-reserver.js';
import { settleImmediately } from '../subscriptions/settle-immediately.js';
import { changeBy, writeChange } from '../subscriptions/subscription-change.js';

/**
 * The answer to a change: the subscription, a declined card, or the authentication of a customer who is present, for
 * which the payment carries its client secret.
 */
export type ChangeOutcome =
  | { readonly kind: 'subscription'; readonly subscription: SubscriptionRecord }
  | { readonly kind: 'declined'; readonly subscription: SubscriptionRecord; readonly payment: PaymentRecord }
  | { readonly kind: 'authentication'; readonly payment: PaymentRecord };

/** A change as written, and its payment; null where nothing is collected first. */
export interface WrittenChange {
  readonly after: SubscriptionRecord;
  readonly payment: PaymentRecord | null;
}

/** The payments of changes that take effect once they are paid. */
@Injectable()
export class PlanChangeCollector {
  constructor(
    private readonly store: SubscriptionStore,
    private readonly writer: PaymentWriter,
    private readonly payments: PaymentStore,
    private readonly refunds: RefundReserver,
  ) {}

  /** Adds a decided change to a unit of work, and its payment where it has one. */
  async write(
    work: UnitOfWork,
    before: SubscriptionRecord,
    { decided, terms, instants, holdingOf }: DecidedChange,
    offSession: boolean,
  ): Promise<WrittenChange> {
    const change = changeBy(decided);
    const charge: Charge | null = decided.charge;
    if (charge === null) {
      return { after: writeChange(work, this.store, before, instants, change), payment: null };
    }
    const payment = await this.writer.open(work, chargeDraft(before, charge, offSession));
    const listed = { ...change.changes, payments: shownPayments(before, payment) };
    const settled = settleImmediately(decided.state, terms, payment, instants.business, holdingOf);
    await this.refunds.reserve(
      work,
      before,
      settled.flatMap(({ refunds }) => refunds),
    );
    const opening = { ...change, changes: listed };
    const after = writeChange(work, this.store, before, instants, opening, ...settled.map(changeBy));
    return { after, payment };
  }

  /** Charges the card, and returns the outcome for the customer. */
  async collect(subscription: SubscriptionRecord, payment: PaymentRecord): Promise<ChangeOutcome> {
    const settled = await this.writer.afterCommit(payment, subscription);
    if (settled.status === 'REQUIRES_AUTH' && payment.request?.off_session === false) {
      return { kind: 'authentication', payment: withClientSecret(settled) };
    }
    // The subscription followed its payment in another commit.
    const followed = await this.store.in(subscription.company).get(subscription._id);
    return settled.status === 'FAILED'
      ? { kind: 'declined', subscription: followed, payment: settled }
      : { kind: 'subscription', subscription: followed };
  }

  /** The payment of the change that wrote these records; null where nothing was collected first. */
  async among({ company }: SubscriptionRecord, written: readonly Id[]): Promise<PaymentRecord | null> {
    const payments = await this.payments.in(company).byIds(written);
    return [...payments.values()][0] ?? null;
  }
}
