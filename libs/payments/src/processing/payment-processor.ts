import { Injectable } from '@nestjs/common';
import { toMinor } from '@commerce/kernel';
import { Log } from '@commerce/platform';

import type { ChargeOutcome } from '../payments/charge-outcome.js';
import { keyLives } from '../payments/reconcile-schedule.js';
import { PaymentClock } from './payment-clock.js';
import { hasPendingRefund } from '../payments/payment-refund.rules.js';
import type { PaymentRecord, ProviderRequest } from '../payments/payment.record.js';
import { currentAttempt, isConclusive, isInFlight } from '../payments/payment.rules.js';
import {
  CardProvider,
  KEY_REUSED,
  ProviderUnavailable,
  type IntentTruth,
  type PaymentTag,
} from '../provider/card-provider.js';
import { RefundProcessor } from './refund-processor.js';
import { Settlement } from './settlement.js';

/** `first`: right after the commit. `again`: by the janitor, when the answer to the first is overdue. */
export type Turn = 'first' | 'again';

/**
 * Does what a payment owes to the provider, and settles the answers. It may be called any number of times, by
 * several workers at once, and die at any line: the same request always goes under the same key.
 */
@Injectable()
export class PaymentProcessor {
  constructor(
    private readonly provider: CardProvider,
    private readonly settlement: Settlement,
    private readonly refunds: RefundProcessor,
    private readonly clocks: PaymentClock,
    private readonly log: Log,
  ) {}

  async run(payment: PaymentRecord, turn: Turn): Promise<PaymentRecord> {
    let now = payment;
    if (now.cancel_intent !== null) now = await this.cancel(now, now.cancel_intent);
    const { request } = now;
    if (isInFlight(now.status) && request !== null && !request.answered)
      now = await this.send(now, request, turn);
    else if (turn === 'again' && (isInFlight(now.status) || now.status === 'REQUIRES_AUTH')) {
      now = await this.settle(now, await this.ask(now));
    }
    return hasPendingRefund(now) ? this.refunds.run(now) : now;
  }

  /** Asks the provider how the payment stands, and settles that. Throws ProviderUnavailable. */
  async reconcile(payment: PaymentRecord): Promise<PaymentRecord> {
    const truth = await this.find(payment);
    return truth === null || !isConclusive(payment, truth.outcome)
      ? payment
      : this.settle(payment, truth.outcome);
  }

  private async send(payment: PaymentRecord, request: ProviderRequest, turn: Turn): Promise<PaymentRecord> {
    if (!keyLives(request.opened_at, this.clocks.real())) {
      const settled = await this.settleUnsent(payment);
      if (settled !== null) return settled;
    }
    if (request.replaces !== null) {
      const standing = await this.giveUp(payment, request.replaces);
      if (standing !== null) return this.settle(payment, standing);
    }
    const outcome = await this.provider.charge({
      key: keyOf(payment, request.number),
      tag: tagOf(payment, request.number),
      intent_id: request.intent_id,
      amount_minor: toMinor(payment.amount, payment.currency),
      currency: payment.currency,
      customer_id: request.customer_id,
      method_id: request.method_id,
      off_session: request.off_session,
    });
    const reused = outcome.kind === 'failed' && outcome.code === KEY_REUSED;
    if (!reused && (outcome.kind !== 'unknown' || turn === 'first')) return this.settle(payment, outcome);
    const truth = await this.ask(payment);
    return this.settle(payment, truth.kind === 'unknown' ? outcome : truth);
  }

  /**
   * The provider may have forgotten the key, so that sending again could charge again: it is asked first. Null when
   * it is certain that nothing was sent yet, or that sending is safe because one intent takes money only once.
   */
  private async settleUnsent(payment: PaymentRecord): Promise<PaymentRecord | null> {
    let truth: IntentTruth | null;
    try {
      truth = await this.find(payment);
    } catch (error) {
      return this.settle(payment, unanswered(error));
    }
    if (truth !== null && isConclusive(payment, truth.outcome)) return this.settle(payment, truth.outcome);
    // It was never asked for: whoever opened the attempt died before it could send.
    if (payment.checks === 0) return null;
    const last = truth === null || truth.outcome.kind === 'unknown' ? NOT_RECEIVED : truth.outcome;
    return this.settle(payment, last);
  }

  /** Cancels the intent that this attempt replaces. Null when it is gone; else what keeps it from going. */
  private async giveUp(payment: PaymentRecord, intentId: string): Promise<ChargeOutcome | null> {
    try {
      const answer = await this.provider.cancel(intentId, cancelKey(payment, intentId));
      if (answer.kind === 'cancelled') return null;
      const { outcome } = answer.truth;
      const taken = outcome.kind === 'succeeded' || outcome.kind === 'processing';
      return taken ? outcome : { kind: 'unknown', reason: 'the intent before could not be cancelled' };
    } catch (error) {
      return unanswered(error);
    }
  }

  private async cancel(payment: PaymentRecord, intentId: string): Promise<PaymentRecord> {
    const { company, _id } = payment;
    try {
      const answer = await this.provider.cancel(intentId, cancelKey(payment, intentId));
      if (answer.kind === 'cancelled') return await this.settlement.cancelled(company, _id, intentId);
      // The customer authenticated just before it was given up: the money is there.
      if (answer.truth.outcome.kind === 'succeeded') return await this.settle(payment, answer.truth.outcome);
    } catch (error) {
      if (!(error instanceof ProviderUnavailable)) throw error;
    }
    return this.settlement.postpone(company, _id);
  }

  /** What the provider says of the running attempt; unknown when it says nothing that counts. */
  private async ask(payment: PaymentRecord): Promise<ChargeOutcome> {
    try {
      const truth = await this.find(payment);
      if (truth === null) return { kind: 'unknown', reason: 'the provider has no such intent' };
      if (isConclusive(payment, truth.outcome)) return truth.outcome;
      return { kind: 'unknown', reason: 'the intent does not tell yet' };
    } catch (error) {
      return unanswered(error);
    }
  }

  /** The intent of the running attempt; null when there is none. */
  private async find(payment: PaymentRecord): Promise<IntentTruth | null> {
    const { request } = payment;
    if (request !== null && !request.answered && request.intent_id === null) {
      const { customer_id, number, opened_at } = request;
      const made = await this.provider.intentOf(customer_id, tagOf(payment, number), opened_at);
      return this.checked(payment, made);
    }
    const { intent_id } = payment.provider;
    return intent_id === null ? null : this.checked(payment, await this.provider.intent(intent_id));
  }

  private checked(payment: PaymentRecord, truth: IntentTruth | null): IntentTruth | null {
    if (truth === null || isFor(payment, truth)) return truth;
    this.log.error(
      { payment: payment._id.toHexString(), intent: truth.intent_id, amount_minor: truth.amount_minor },
      "An intent at the provider is not the payment's own, or of another amount; it is left alone",
    );
    return null;
  }

  private settle(payment: PaymentRecord, outcome: ChargeOutcome): Promise<PaymentRecord> {
    return this.settlement.settle(payment.company, payment._id, currentAttempt(payment), outcome);
  }
}

const NOT_RECEIVED: ChargeOutcome = {
  kind: 'failed',
  decline: 'soft',
  code: 'provider.not_received',
  message: 'The card provider never received this charge',
  intent_id: null,
};

/** True when the intent was made for this payment and amount. */
export function isFor(payment: PaymentRecord, truth: IntentTruth): boolean {
  return (
    truth.tag?.payment === payment._id.toHexString() &&
    truth.tag.company === payment.company.toHexString() &&
    truth.currency === payment.currency &&
    truth.amount_minor === toMinor(payment.amount, payment.currency)
  );
}

function tagOf(payment: PaymentRecord, attempt: number): PaymentTag {
  return { company: payment.company.toHexString(), payment: payment._id.toHexString(), attempt };
}

function keyOf(payment: PaymentRecord, attempt: number): string {
  const key = `pay-${payment._id.toHexString()}`;
  return attempt === 1 ? key : `${key}-c${attempt}`;
}

function cancelKey(payment: PaymentRecord, intentId: string): string {
  return `pay-${payment._id.toHexString()}-cancel-${intentId}`;
}

function unanswered(error: unknown): ChargeOutcome {
  if (!(error instanceof ProviderUnavailable)) throw error;
  return { kind: 'unknown', reason: error.message };
}
