import { Injectable } from '@nestjs/common';
import { toMinor } from '@commerce/kernel';
import { Log } from '@commerce/platform';

import type { ChargeOutcome } from '../payments/charge-outcome.js';
import type { PaymentRecord, ProviderRequest } from '../payments/payment.record.js';
import { isConclusive, isInFlight } from '../payments/payment.rules.js';
import { keyLives } from '../payments/reconcile-schedule.js';
import {
  KEY_REUSED,
  MISSING,
  ProviderUnavailable,
  type CardProvider,
  type IntentTruth,
} from '../provider/card-provider.js';
import { CardProviders } from '../provider/card-providers.js';
import { isIntentOf, owedTag, paymentTag } from '../provider/payment-tag.js';
import { PaymentClock } from '../settling/payment-clock.js';

/** `first`: right after the commit. `again`: by the reconciler, when the answer to the first is overdue. */
export type Turn = 'first' | 'again';

/** Charges: sends the request of an attempt, or looks up its outcome. Settles nothing itself. */
@Injectable()
export class ChargeProcessor {
  constructor(
    private readonly providers: CardProviders,
    private readonly clocks: PaymentClock,
    private readonly log: Log,
  ) {}

  /** The provider's outcome of the current attempt; null where there is nothing to send or look up. */
  async outcomeOf(payment: PaymentRecord, turn: Turn): Promise<ChargeOutcome | null> {
    const { request, status } = payment;
    if (isInFlight(status) && request !== null && !request.answered) {
      try {
        return await this.send(payment, request, turn);
      } catch (error) {
        return unanswered(error);
      }
    }
    const isOpen = isInFlight(status) || status === 'REQUIRES_AUTH';
    return turn === 'again' && isOpen ? this.ask(payment) : null;
  }

  /**
   * The intent of the current attempt; null when there is none.
   * @throws ProviderUnavailable
   */
  async findIntent(payment: PaymentRecord): Promise<IntentTruth | null> {
    const { request } = payment;
    const account = await this.accountOf(payment);
    if (request !== null && !request.answered && request.intent_id === null) {
      const { customer_id, number, opened_at } = request;
      const made = await account.intentOf(customer_id, paymentTag(payment, number), opened_at);
      return this.checked(payment, made);
    }
    const { intent_id } = payment.provider;
    return intent_id === null ? null : this.checked(payment, await account.intent(intent_id));
  }

  private async send(payment: PaymentRecord, request: ProviderRequest, turn: Turn): Promise<ChargeOutcome> {
    const account = await this.accountOf(payment);
    if (!keyLives(request.opened_at, this.clocks.real())) {
      const known = await this.outcomeIfSent(payment, request);
      if (known !== null) return known;
    }
    if (request.replaces !== null) {
      const standing = await this.abandon(payment, request.replaces);
      if (standing !== null) return standing;
    }
    const outcome = await account.charge({
      key: chargeKey(payment, request.number),
      tag: { ...paymentTag(payment, request.number), ...owedTag(payment) },
      intent_id: request.intent_id,
      amount_minor: toMinor(payment.amount, payment.currency),
      currency: payment.currency,
      customer_id: request.customer_id,
      method_id: request.method_id,
      off_session: request.off_session,
    });
    if (outcome.kind === 'unknown' && outcome.unsent === true && payment.status !== 'UNKNOWN') return outcome;
    if (outcome.kind === 'failed' && outcome.code === MISSING && payment.status === 'UNKNOWN')
      return (await this.outcomeIfSent(payment, request)) ?? outcome;
    const reused = outcome.kind === 'failed' && outcome.code === KEY_REUSED;
    if (!reused && (outcome.kind !== 'unknown' || turn === 'first')) return outcome;
    const truth = await this.ask(payment);
    if (truth.kind !== 'unknown') return truth;
    // Money may have moved under the key, so the outcome is unknown, not a failure.
    return reused ? { kind: 'unknown', reason: 'the key was used with other parameters' } : outcome;
  }

  /**
   * Asks the provider first when it may have forgotten the key, so that sending again could charge again. Null when it
   * is certain that nothing was sent yet, or that sending is safe because one intent takes money only once. An account
   * that does not have the intent to confirm is another one: only the one before knows the outcome.
   */
  private async outcomeIfSent(
    payment: PaymentRecord,
    { intent_id }: ProviderRequest,
  ): Promise<ChargeOutcome | null> {
    let truth: IntentTruth | null;
    try {
      truth = await this.findIntent(payment);
    } catch (error) {
      return unanswered(error);
    }
    if (truth !== null && isConclusive(payment, truth.outcome)) return truth.outcome;
    // Nothing was sent: the process that opened the attempt died before.
    if (payment.checks === 0) return null;
    if (truth !== null) return truth.outcome;
    return intent_id === null ? NOT_RECEIVED : { kind: 'unknown', reason: NO_INTENT };
  }

  /** Cancels the intent that this attempt replaces. Null when it is gone; else the outcome that prevents it. */
  private async abandon(payment: PaymentRecord, intentId: string): Promise<ChargeOutcome | null> {
    try {
      const account = await this.accountOf(payment);
      const answer = await account.cancel(intentId, cancelKey(payment, intentId));
      if (answer.kind === 'cancelled') return null;
      const { outcome } = answer.truth;
      const taken = outcome.kind === 'succeeded' || outcome.kind === 'processing';
      return taken ? outcome : { kind: 'unknown', reason: 'the intent before could not be cancelled' };
    } catch (error) {
      return unanswered(error);
    }
  }

  /** The provider's outcome of the current attempt; unknown where its answer decides nothing. */
  private async ask(payment: PaymentRecord): Promise<ChargeOutcome> {
    try {
      const truth = await this.findIntent(payment);
      if (truth === null) return { kind: 'unknown', reason: NO_INTENT };
      if (isConclusive(payment, truth.outcome)) return truth.outcome;
      return { kind: 'unknown', reason: 'the intent does not tell yet' };
    } catch (error) {
      return unanswered(error);
    }
  }

  private accountOf({ company, test_clock }: PaymentRecord): Promise<CardProvider> {
    return this.providers.accountOf(company, test_clock);
  }

  private checked(payment: PaymentRecord, truth: IntentTruth | null): IntentTruth | null {
    if (truth === null || isIntentOf(payment, truth)) return truth;
    this.log.error(
      { payment: payment._id.toHexString(), intent: truth.intent_id, amount_minor: truth.amount_minor },
      "An intent at the provider is not the payment's own, or of another amount; it is left alone",
    );
    return null;
  }
}

const NO_INTENT = 'the provider has no such intent';

const NOT_RECEIVED: ChargeOutcome = {
  kind: 'failed',
  decline: 'soft',
  code: 'provider.not_received',
  message: 'The card provider never received this charge',
  intent_id: null,
};

/** The idempotency key for the cancellation of an intent, the same for every caller. */
export function cancelKey(payment: PaymentRecord, intentId: string): string {
  return `pay-${payment._id.toHexString()}-cancel-${intentId}`;
}

function chargeKey(payment: PaymentRecord, attempt: number): string {
  const key = `pay-${payment._id.toHexString()}`;
  return attempt === 1 ? key : `${key}-c${attempt}`;
}

function unanswered(error: unknown): ChargeOutcome {
  if (!(error instanceof ProviderUnavailable)) throw error;
  return { kind: 'unknown', reason: error.message };
}
