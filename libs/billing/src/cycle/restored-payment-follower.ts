import { Injectable } from '@nestjs/common';
import { PaymentStore, PaymentWriter, type PaymentRecord, type RefundDraft } from '@commerce/payments';
import type { UnitOfWork } from '@commerce/data';

import type { PaymentKey } from '../domain/lines/payment-key.js';
import { debtNumber, quoteNumber } from '../domain/receivable/open-payment.js';
import { openNamed } from '../domain/receivable/open-payments.js';
import type { SubscriptionState } from '../domain/lifecycle/subscription-state.js';
import { shownPayments } from '../subscription-record/shown-payments.js';
import type { RecordChange } from '../subscriptions/subscription-change.js';
import type { SubscriptionRecord } from '../subscription-record/subscription.record.js';
import { WHY_ABANDONED } from './billing-step-processor.js';

/** The change of a subscription, and a refund of the payment. */
export interface Consequence {
  readonly change: RecordChange;
  readonly refund: RefundDraft | null;
  /** Adds other records to the same commit. */
  readonly also?: (work: UnitOfWork) => Promise<void>;
  /** Whether the payment has failed for good. */
  readonly failedForGood?: boolean;
}

/** Lets subscriptions follow payments that were written back from the provider's books. */
@Injectable()
export class RestoredPaymentFollower {
  constructor(
    private readonly writer: PaymentWriter,
    private readonly store: PaymentStore,
  ) {}

  /** Lists the payment again, and abandons the payment that it had replaced. */
  async follow(
    subscription: SubscriptionRecord,
    payment: PaymentRecord,
    { change, refund }: Consequence,
    replaced: PaymentKey | null,
  ): Promise<Consequence> {
    const { company, _id } = subscription;
    const changes = { ...change.changes, payments: shownPayments(subscription, payment) };
    const followed = { change: { ...change, changes }, refund };
    if (replaced === null) return followed;
    const { kind, period_key } = replaced;
    const open = await this.store.in(company).one({ subscription: _id, order: null, kind, period_key });
    if (open === null) throw new Error(`a subscription has lost its payment ${kind}/${period_key}`);
    const abandon = async (work: UnitOfWork): Promise<void> => {
      const abandoned = this.writer.abandon(work, open, 'payment.replaced', WHY_ABANDONED);
      await this.writer.release(work, abandoned);
    };
    return { ...followed, also: abandon };
  }
}

/**
 * Whether the subscription follows a payment that was written back: for a period, when it would charge that period.
 * Debt is credited immediately, because no period would ever collect it; a change that was lost with its payment gives
 * that back.
 */
export function isFollowedNow({ receivable }: SubscriptionState, key: PaymentKey): boolean {
  const isOwn = debtNumber(key) !== null || quoteNumber(key) !== null;
  return isOwn || openNamed(receivable.open_payments, key) !== null;
}
