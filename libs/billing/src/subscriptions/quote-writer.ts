import { Injectable } from '@nestjs/common';
import type { Instants } from '@commerce/identity';
import { PaymentWriter, withClientSecret, type PaymentRecord } from '@commerce/payments';
import type { UnitOfWork } from '@commerce/data';

import type { Charge } from '../domain/cycle/decision.js';
import type { Transition } from '../domain/lifecycle/transition.js';
import type { HoldingOf } from '../domain/lines/credit.js';
import type { Terms } from '../domain/pricing/terms.js';
import { shownPayments } from '../subscription-record/shown-payments.js';
import type { SubscriptionRecord } from '../subscription-record/subscription.record.js';
import { SubscriptionStore } from '../subscription-record/subscription.store.js';
import { chargeDraft } from './charge-draft.js';
import { RefundReserver } from './refund-reserver.js';
import { settleImmediately } from './settle-immediately.js';
import { changeBy, writeChange, type RecordChange } from './subscription-change.js';

/**
 * The answer to a change or start: the subscription, a declined card, or the authentication of a customer who is
 * present, for which the payment carries its client secret.
 */
export type SubscriptionOutcome =
  | { readonly kind: 'subscription'; readonly subscription: SubscriptionRecord }
  | { readonly kind: 'declined'; readonly subscription: SubscriptionRecord; readonly payment: PaymentRecord }
  | { readonly kind: 'authentication'; readonly payment: PaymentRecord };

/** A change or start that was decided; with `charge`, one that takes effect once that is paid. */
export interface Quoted {
  readonly decided: Transition & { readonly charge: Charge | null };
  readonly terms: Terms;
  readonly instants: Instants;
  readonly holdingOf?: HoldingOf;
  /** Written along with it. */
  readonly beside?: Partial<Pick<RecordChange, 'changes' | 'by' | 'trial' | 'takesOver'>>;
  /** The payment of a quote that is tried again, with the payment method that is written along. */
  readonly again?: PaymentRecord;
  /** Whether its customer is absent. */
  readonly offSession: boolean;
}

/** A subscription as written, and the payment of its quote; null where nothing is collected first. */
export interface WrittenQuote {
  readonly after: SubscriptionRecord;
  readonly payment: PaymentRecord | null;
}

/** Writes changes and starts that take effect once they are paid, and their payments. */
@Injectable()
export class QuoteWriter {
  constructor(
    private readonly store: SubscriptionStore,
    private readonly writer: PaymentWriter,
    private readonly refunds: RefundReserver,
  ) {}

  /** Adds a decided change or start to a unit of work, and its payment where it has one. */
  async write(
    work: UnitOfWork,
    before: SubscriptionRecord,
    { decided, terms, instants, holdingOf, beside = {}, again, offSession }: Quoted,
  ): Promise<WrittenQuote> {
    const made = changeBy(decided);
    const change = { ...made, ...beside, changes: { ...made.changes, ...beside.changes } };
    const paying = { ...before, ...beside.changes };
    const payment =
      again === undefined
        ? await this.opened(work, paying, decided.charge, offSession)
        : await this.writer.attempt(work, again, paying.payment_method, offSession);
    if (payment === null) {
      return { after: writeChange(work, this.store, before, instants, change), payment };
    }
    const settled = settleImmediately(decided.state, terms, payment, instants.business, holdingOf);
    await this.refunds.reserve(
      work,
      before,
      settled.flatMap(({ refunds }) => refunds),
    );
    const opening = { ...change, changes: { ...change.changes, payments: shownPayments(before, payment) } };
    const after = writeChange(work, this.store, before, instants, opening, ...settled.map(changeBy));
    return { after, payment };
  }

  private async opened(
    work: UnitOfWork,
    subscription: SubscriptionRecord,
    charge: Charge | null,
    offSession: boolean,
  ): Promise<PaymentRecord | null> {
    return charge === null ? null : this.writer.open(work, chargeDraft(subscription, charge, offSession));
  }

  /** Charges the card, and returns the outcome for the customer. */
  async collect(subscription: SubscriptionRecord, payment: PaymentRecord): Promise<SubscriptionOutcome> {
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
}
