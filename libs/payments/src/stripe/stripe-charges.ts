import { isFault } from '@commerce/kernel';
import type { Log, Metrics } from '@commerce/platform';
import Stripe from 'stripe';

import type { ChargeOutcome } from '../payments/charge-outcome.js';
import {
  NotSent,
  ProviderUnavailable,
  type ChargeRequest,
  type RefundOutcome,
  type RefundRequest,
} from '../provider/card-provider.js';
import { toStripeAmount } from './stripe-amounts.js';
import { real, type StripeClient } from './stripe-client.js';
import {
  factsOf,
  metadataOf,
  outcomeOfError,
  outcomeOfIntent,
  owedMetadata,
  reasonOf,
  truthOfRefund,
} from './stripe-truth.js';

/** The calls that transfer money at Stripe. */
export class StripeCharges {
  constructor(
    private readonly client: StripeClient,
    private readonly log: Log,
    private readonly metrics: Metrics,
  ) {}

  forCompany(company: string): StripeCharges {
    return new StripeCharges(this.client.forCompany(company), this.log, this.metrics);
  }

  async charge(request: ChargeRequest): Promise<ChargeOutcome> {
    const outcome = await this.chargeOnce(request);
    this.metrics.charge(outcome.kind);
    return outcome;
  }

  async refund(request: RefundRequest): Promise<RefundOutcome> {
    const { currency, intent_id, key, reason } = request;
    try {
      const refund = await this.client.inTime(() =>
        this.client.sdk.refunds.create(
          {
            payment_intent: intent_id,
            amount: toStripeAmount(request.amount_minor, currency),
            metadata: { refund: key, ...(reason === null ? {} : { reason: reason.slice(0, 500) }) },
          },
          { idempotencyKey: request.idempotency_key },
        ),
      );
      return { kind: 'known', truth: truthOfRefund(real(refund, 'refund'), currency) };
    } catch (error) {
      if (isFault(error)) return { kind: 'refused', code: error.code, message: error.message };
      if (error instanceof Stripe.errors.StripeInvalidRequestError) {
        return { kind: 'refused', code: error.code ?? 'provider.request_refused', message: error.message };
      }
      // Also where the key was used with other parameters: the list of refunds shows whether money moved under it.
      if (!(error instanceof ProviderUnavailable))
        this.log.warn(factsOf(error), 'No answer of Stripe to a refund');
      throw new ProviderUnavailable(reasonOf(error));
    }
  }

  private async chargeOnce(request: ChargeRequest): Promise<ChargeOutcome> {
    try {
      const { intent_id } = request;
      const call = (): Promise<Stripe.PaymentIntent> =>
        intent_id === null ? this.create(request) : this.confirm(intent_id, request);
      return outcomeOfIntent(real(await this.client.inTime(call), 'payment_intent'));
    } catch (error) {
      return this.outcomeOf(error, { key: request.key, payment: request.tag.payment });
    }
  }

  private create(request: ChargeRequest): Promise<Stripe.PaymentIntent> {
    return this.client.sdk.paymentIntents.create(
      {
        amount: toStripeAmount(request.amount_minor, request.currency),
        currency: request.currency.toLowerCase(),
        customer: request.customer_id,
        payment_method: request.method_id,
        // A method that redirects would need a return address, and a back end has none.
        automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
        confirm: true,
        off_session: request.off_session,
        metadata: { ...metadataOf(request.tag), ...owedMetadata(request.tag) },
        // In session the client authenticates with the provider's library instead of being redirected to a page.
        ...(request.off_session ? {} : { use_stripe_sdk: true }),
      },
      { idempotencyKey: request.key },
    );
  }

  private confirm(intentId: string, request: ChargeRequest): Promise<Stripe.PaymentIntent> {
    return this.client.sdk.paymentIntents.confirm(
      intentId,
      {
        payment_method: request.method_id,
        off_session: request.off_session,
        ...(request.off_session ? {} : { use_stripe_sdk: true }),
      },
      { idempotencyKey: request.key },
    );
  }

  private outcomeOf(error: unknown, context: object): ChargeOutcome {
    if (error instanceof ProviderUnavailable) {
      return { kind: 'unknown', reason: error.message, unsent: error instanceof NotSent };
    }
    // Stripe does not accept the amount: nothing was sent, and no retry can succeed.
    if (isFault(error)) {
      const { code, message } = error;
      return { kind: 'failed', decline: 'hard', code, message, intent_id: null };
    }
    const { outcome, serious } = outcomeOfError(error);
    if (serious) {
      this.log.error(
        { ...factsOf(error), ...context },
        'Stripe refused a charge for a reason that is not the card',
      );
    } else if (outcome.kind === 'unknown') {
      this.log.warn({ reason: outcome.reason, ...context }, 'No answer of Stripe');
    }
    return outcome;
  }
}
