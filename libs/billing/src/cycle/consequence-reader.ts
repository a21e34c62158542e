import { Injectable } from '@nestjs/common';
import { isInFlight, isRestored, type PaymentRecord } from '@commerce/payments';

import { replacedByRestored, resumeCharge, settleCharge } from '../domain/cycle/settle.js';
import { isQuoted } from '../domain/lifecycle/quoted-state.js';
import { paymentName } from '../domain/lines/payment-key.js';
import { openNamed } from '../domain/receivable/open-payments.js';
import { paymentsInBooks } from '../domain/receivable/accounts.js';
import { stateOf } from '../subscription-record/subscription-state.adapter.js';
import type { SubscriptionRecord } from '../subscription-record/subscription.record.js';
import { RefundReserver } from '../subscriptions/refund-reserver.js';
import { RefundableReader } from '../subscriptions/refundable-reader.js';
import { resultOf } from '../subscriptions/settle-immediately.js';
import { changeBy } from '../subscriptions/subscription-change.js';
import { TermsReader } from '../terms/terms-reader.js';
import { isFollowedNow, RestoredPaymentFollower, type Consequence } from './restored-payment-follower.js';

/** Finds what the outcome of a payment means for its subscription. */
@Injectable()
export class ConsequenceReader {
  constructor(
    private readonly terms: TermsReader,
    private readonly restored: RestoredPaymentFollower,
    private readonly rests: RefundableReader,
    private readonly reserver: RefundReserver,
  ) {}

  /** Null where it has none. */
  async read(
    subscription: SubscriptionRecord,
    payment: PaymentRecord,
    now: Date,
  ): Promise<Consequence | null> {
    const result = resultOf(payment);
    if (result === null && !isInFlight(payment.status)) return null;
    const terms = await this.terms.withoutPrice(subscription.company, subscription);
    const state = stateOf(subscription, terms.plan);
    if (result !== null) {
      const open = openNamed(state.receivable.open_payments, result);
      if (result.status === 'PROCESSING' && open === null) return null;
      if (isRestored(payment) && !isFollowedNow(state, result)) return null;
      const holdingOf = isQuoted(state)
        ? await this.rests.read(subscription, paymentsInBooks(state))
        : undefined;
      const settled = settleCharge(state, terms, result, now, holdingOf);
      const left = openNamed(settled.state.receivable.open_payments, result);
      const isOver = result.status === 'FAILED' && left === null;
      const name = paymentName(result);
      const [own, others] = partition(settled.refunds, (one) => paymentName(one.payment) === name);
      const consequence: Consequence = {
        change: changeBy(settled),
        refund: own[0] ?? null,
        failedForGood: isOver,
        ...(others.length > 0 && {
          also: async (work) => void (await this.reserver.reserve(work, subscription, others)),
        }),
      };
      return isRestored(payment)
        ? this.restored.follow(subscription, payment, consequence, replacedByRestored(state, result))
        : consequence;
    }
    const resumed = resumeCharge(state, terms, payment);
    return resumed === null ? null : { change: changeBy(resumed), refund: null };
  }
}

function partition<T>(all: readonly T[], isFirst: (one: T) => boolean): readonly [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}
