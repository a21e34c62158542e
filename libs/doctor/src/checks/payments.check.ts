import { Injectable } from '@nestjs/common';
import {
  CardProviders,
  PaymentStore,
  Settlement,
  isCollected,
  isInFlight,
  isRestored,
  paymentTag,
  type CardProvider,
  type ChargeOutcome,
  type IntentTruth,
  type PaymentRecord,
  type RefundTruth,
} from '@commerce/payments';
import { toMajor, toMinor } from '@commerce/kernel';
import { UnitsOfWork, type Page } from '@commerce/data';
import { type Id } from '@commerce/records';

import type { Check } from './check.js';
import { IN_PROGRESS_MS, type Finding } from './finding.js';
import type { Walk } from './walk.js';

/** Payments read at once. */
const PAGE = 100;

/** Payments must agree with the card provider: collected there and here, by the same amount, and refunded alike. */
@Injectable()
export class PaymentsCheck implements Check {
  constructor(
    private readonly payments: PaymentStore,
    private readonly providers: CardProviders,
    private readonly settlement: Settlement,
    private readonly units: UnitsOfWork,
  ) {}

  async *check(walk: Walk): AsyncGenerator<Finding> {
    const { company, now } = walk;
    for await (const payment of walk.over(this.newestFirst(company))) {
      if (payment.owed_amount > 0) yield owed(payment);
      if (isUnfollowed(payment)) yield unfollowed(payment);
      const forgotten = this.forgotten(payment, now);
      if (forgotten !== null) yield forgotten;
      const truth = await this.truth(payment);
      if (truth !== null) yield* this.compare(payment, truth, now);
      else if (payment.provider.intent_id !== null || (isCollected(payment.status) && payment.amount > 0))
        yield unknown(payment);
    }
  }

  /** Page by page: a cursor would not outlive a provider that takes its time. */
  private async *newestFirst(company: Id): AsyncGenerator<PaymentRecord> {
    const sort = { field: 'created', direction: -1 } as const;
    let last: Id | null = null;
    let isMore = true;
    while (isMore) {
      const query = { size: PAGE, page: 0, after: last, sort, filter: {}, total: false };
      const { records, hasMore }: Page<PaymentRecord> = await this.payments.in(company).page(query);
      yield* records;
      last = records.at(-1)?._id ?? null;
      isMore = hasMore;
    }
  }

  private accountOf({ company, test_clock }: PaymentRecord): Promise<CardProvider> {
    return this.providers.accountOf(company, test_clock);
  }

  /** The provider's intent of a payment. Where its answer got lost, the tag of the request finds it. */
  private async truth(payment: PaymentRecord): Promise<IntentTruth | null> {
    const { provider, request } = payment;
    const cards = await this.accountOf(payment);
    if (provider.intent_id !== null) return cards.intent(provider.intent_id);
    if (request === null) return null;
    return cards.intentOf(request.customer_id, paymentTag(payment, request.number), request.opened_at);
  }

  private async *compare(payment: PaymentRecord, truth: IntentTruth, now: Date): AsyncGenerator<Finding> {
    const id = payment._id.toHexString();
    const amount = toMinor(payment.amount, payment.currency);
    if (truth.amount_minor !== amount || truth.currency !== payment.currency) {
      const theirs = `${String(toMajor(truth.amount_minor, truth.currency))} ${truth.currency}`;
      const detail = `${String(payment.amount)} ${payment.currency} here, ${theirs} at the provider`;
      yield { kind: 'payment.amount', id, detail, repair: null };
    }
    const { outcome } = truth;
    if (outcome.kind === 'succeeded' && !isCollected(payment.status) && !inProgress(payment, now)) {
      const detail = `collected at the provider, ${payment.status} here`;
      yield { kind: 'payment.unsettled', id, detail, repair: () => this.settle(payment, outcome) };
    }
    if (outcome.kind !== 'succeeded' && isCollected(payment.status)) {
      const detail = `${payment.status} here, but not collected at the provider (${outcome.kind})`;
      yield { kind: 'payment.not_collected', id, detail, repair: null };
    }
    if (isCollected(payment.status)) yield* this.compareRefunds(payment, truth.intent_id);
  }

  private async *compareRefunds(payment: PaymentRecord, intentId: string): AsyncGenerator<Finding> {
    const account = await this.accountOf(payment);
    const refunds = await account.refundsOf(intentId, payment.currency);
    const theirs = refunds.filter((one) => one.status === 'succeeded');
    const sum = theirs.reduce((total, one) => total + one.amount_minor, 0);
    const here = refundedToCardMinor(payment);
    if (sum === here) return;
    const detail = `${String(toMajor(here, payment.currency))} refunded here, ${String(toMajor(sum, payment.currency))} at the provider`;
    const id = payment._id.toHexString();
    yield { kind: 'payment.refunds', id, detail, repair: () => this.settleRefunds(payment, refunds) };
  }

  /** Money may have moved, and no date says when it will be checked. */
  private forgotten(payment: PaymentRecord, now: Date): Finding | null {
    if (!isForgotten(payment) || inProgress(payment, now)) return null;
    const repair = (): Promise<unknown> =>
      this.units.change(this.payments.in(payment.company), payment._id, (current) =>
        isForgotten(current) ? { changes: { check_at: now } } : null,
      );
    const detail = `${payment.status}, and nothing will ask the provider how it ended`;
    const id = payment._id.toHexString();
    return { kind: 'payment.forgotten', id, detail, repair };
  }

  private async settle(payment: PaymentRecord, outcome: ChargeOutcome): Promise<void> {
    const attempt = payment.attempts.at(-1)?.number ?? 1;
    await this.settlement.settle(payment, attempt, outcome);
  }

  private async settleRefunds(payment: PaymentRecord, refunds: readonly RefundTruth[]): Promise<void> {
    const news = refunds.map((truth) => ({ kind: 'known' as const, ...truth }));
    await this.settlement.settleRefunds(payment, news);
  }
}

function refundedToCardMinor({ refunds, currency }: PaymentRecord): number {
  return refunds
    .filter(({ to, status }) => to !== 'balance' && status === 'SUCCEEDED')
    .reduce((sum, { amount }) => sum + toMinor(amount, currency), 0);
}

/** An intent that is still to be cancelled can take money, as a charge without an answer can. */
function isForgotten({ status, cancel_intent, check_at }: PaymentRecord): boolean {
  return check_at === null && (isInFlight(status) || cancel_intent !== null);
}

function inProgress({ request }: PaymentRecord, now: Date): boolean {
  return request !== null && now.getTime() - request.opened_at.getTime() < IN_PROGRESS_MS;
}

/** Tried again by itself; a person may have to give the money back in another way. */
function owed({ _id, owed_amount, currency, refunds }: PaymentRecord): Finding {
  const code = refunds.findLast((one) => (one.owed ?? 0) > 0)?.code ?? 'sent back by the bank';
  const detail = `${String(owed_amount)} ${currency} could not be given back yet (${code})`;
  return { kind: 'payment.refund_owed', id: _id.toHexString(), detail, repair: null };
}

/** True for a payment that was written back for a period which its subscription has not reached yet. */
function isUnfollowed(payment: PaymentRecord): boolean {
  const { subscription, period_start, amount, debt_amount, refunded_amount } = payment;
  if (subscription === null || period_start !== null || !isRestored(payment)) return false;
  return debt_amount < amount && refunded_amount < amount;
}

/** Billing follows it at that period. After an action that was lost with the database it may never reach it. */
function unfollowed({ _id, amount, currency }: PaymentRecord): Finding {
  const detail = `${String(amount)} ${currency} was written back, and its subscription has not come to it yet; refund it where it never will`;
  return { kind: 'payment.not_followed', id: _id.toHexString(), detail, repair: null };
}

function unknown(payment: PaymentRecord): Finding {
  const detail = `${payment.status}, but the provider knows nothing of it`;
  return { kind: 'payment.unknown_to_provider', id: payment._id.toHexString(), detail, repair: null };
}
