import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';

import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { fault } from '@commerce/kernel';
import { CONFIG, Log, Metrics, SystemClock, type Config } from '@commerce/platform';
import Stripe from 'stripe';

import { INTENT_CANCELLED, type ChargeOutcome } from '../charge-outcome.js';
import {
  CardProvider,
  ProviderUnavailable,
  type CancelOutcome,
  type ChargeRequest,
  type IntentTruth,
  type MethodAnswer,
  type NewCustomer,
  type PaymentTag,
  type ProviderNotice,
  type RefundOutcome,
  type RefundRequest,
  type RefundTruth,
} from './card-provider.js';
import { toStripeAmount } from './stripe-amounts.js';
import { readNotice, timeOfSignature } from './stripe-notices.js';
import {
  factsOf,
  holdsMoney,
  metadataOf,
  outcomeOfError,
  outcomeOfIntent,
  reasonOf,
  truthOfIntent,
  truthOfMethod,
  truthOfRefund,
} from './stripe-truth.js';

/** Seconds by which the time of a notice's signature may differ from ours. */
const NOTICE_TOLERANCE_S = 300;

/** The provider's clock and ours may differ by as much; what it made for us is looked for from so much earlier. */
const CLOCKS_APART_MS = 3_600_000;

/** Stripe, through its own SDK, wherever STRIPE_API_BASE says that Stripe is. */
@Injectable()
export class StripeProvider extends CardProvider implements OnApplicationShutdown {
  readonly name = 'stripe';
  private readonly stripe: Stripe;
  private readonly agent: HttpAgent;

  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'stripe'>,
    private readonly log: Log,
    private readonly metrics: Metrics,
    private readonly clock: SystemClock,
  ) {
    super();
    const base = new URL(config.stripe.apiBase);
    const secure = base.protocol === 'https:';
    this.agent = secure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
    this.stripe = new Stripe(config.stripe.secretKey, {
      apiVersion: '2026-10-28.endive',
      protocol: secure ? 'https' : 'http',
      host: base.hostname,
      port: base.port === '' ? (secure ? 443 : 80) : base.port,
      timeout: config.stripe.timeoutMs,
      // When to ask again, and how, is decided by the payment's own schedule.
      maxNetworkRetries: 0,
      telemetry: false,
      httpAgent: this.agent,
    });
  }

  onApplicationShutdown(): void {
    this.agent.destroy();
  }

  async charge(request: ChargeRequest): Promise<ChargeOutcome> {
    const outcome = await this.chargeOnce(request);
    this.metrics.charge(outcome.kind);
    return outcome;
  }

  async intent(intentId: string): Promise<IntentTruth | null> {
    return this.asked(async () => {
      const intent = await this.stripe.paymentIntents.retrieve(intentId);
      return truthOfIntent(real(intent, 'payment_intent'));
    });
  }

  async intentOf(customerId: string, tag: PaymentTag, since: Date): Promise<IntentTruth | null> {
    return this.asked(async () => {
      const list = this.stripe.paymentIntents.list({
        customer: customerId,
        created: { gte: Math.floor((since.getTime() - CLOCKS_APART_MS) / 1000) },
        limit: 100,
      });
      const wanted = metadataOf(tag);
      for await (const intent of list) {
        const { company, payment, attempt } = real(intent, 'payment_intent').metadata;
        if (company === wanted['company'] && payment === wanted['payment'] && attempt === wanted['attempt']) {
          return truthOfIntent(intent);
        }
      }
      return null;
    });
  }

  async cancel(intentId: string, key: string): Promise<CancelOutcome> {
    const cancelled = await this.asked(async () => {
      try {
        await this.stripe.paymentIntents.cancel(intentId, {}, { idempotencyKey: key });
        return true;
      } catch (error) {
        // It is in a state that cannot be cancelled, which may be that it is cancelled already.
        if (error instanceof Stripe.errors.StripeInvalidRequestError) return false;
        throw error;
      }
    });
    if (cancelled === true) return { kind: 'cancelled' };
    const truth = await this.intent(intentId);
    const gone =
      truth === null || (truth.outcome.kind === 'failed' && truth.outcome.code === INTENT_CANCELLED);
    return gone ? { kind: 'cancelled' } : { kind: 'not_cancelled', truth };
  }

  async refund(request: RefundRequest): Promise<RefundOutcome> {
    try {
      const refund = await this.inTime(
        this.stripe.refunds.create(
          {
            payment_intent: request.intent_id,
            amount: toStripeAmount(request.amount_minor, request.currency),
            metadata: {
              refund: request.key,
              ...(request.reason === null ? {} : { reason: request.reason.slice(0, 500) }),
            },
          },
          { idempotencyKey: request.idempotency_key },
        ),
      );
      return { kind: 'known', truth: truthOfRefund(real(refund, 'refund'), request.currency) };
    } catch (error) {
      const { outcome, serious } = outcomeOfError(error);
      if (serious)
        this.log.error({ ...factsOf(error), key: request.idempotency_key }, 'Stripe refused a refund');
      if (outcome.kind === 'failed') return { kind: 'refused', code: outcome.code, message: outcome.message };
      throw new ProviderUnavailable(reasonOf(error));
    }
  }

  async refundsOf(intentId: string, currency: string): Promise<RefundTruth[]> {
    const found = await this.asked(async () => {
      const refunds: RefundTruth[] = [];
      for await (const refund of this.stripe.refunds.list({ payment_intent: intentId, limit: 100 })) {
        refunds.push(truthOfRefund(real(refund, 'refund'), currency));
      }
      return refunds;
    });
    return found ?? [];
  }

  async disputed(intentId: string): Promise<boolean> {
    const found = await this.asked(async () => {
      const { data } = await this.stripe.disputes.list({ payment_intent: intentId, limit: 100 });
      return data.some((dispute) => holdsMoney(real(dispute, 'dispute')));
    });
    return found === true;
  }

  async customer(customer: NewCustomer): Promise<string> {
    const { key, company, user } = customer;
    const made = await this.asked(() =>
      this.stripe.customers.create({ metadata: { company, user } }, { idempotencyKey: key }),
    );
    return real(made, 'customer').id;
  }

  async setup(customerId: string, key: string): Promise<{ setup_id: string; client_secret: string }> {
    const made = await this.asked(() =>
      this.stripe.setupIntents.create(
        {
          customer: customerId,
          usage: 'off_session',
          automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
        },
        { idempotencyKey: key },
      ),
    );
    const { id, client_secret } = real(made, 'setup_intent');
    if (client_secret === null) throw new ProviderUnavailable('the setup intent came without its secret');
    return { setup_id: id, client_secret };
  }

  async method(methodId: string): Promise<MethodAnswer> {
    return this.methodAnswer(() => this.stripe.paymentMethods.retrieve(methodId));
  }

  async attach(methodId: string, customerId: string): Promise<MethodAnswer> {
    return this.methodAnswer(() => this.stripe.paymentMethods.attach(methodId, { customer: customerId }));
  }

  async detach(methodId: string): Promise<void> {
    await this.asked(() => this.stripe.paymentMethods.detach(methodId));
  }

  notice(raw: Buffer, signature: string): ProviderNotice {
    const secret = this.config.stripe.webhookSecret;
    if (secret === null || secret === '') {
      this.log.error('A notice came, but STRIPE_WEBHOOK_SECRET is not set: it cannot be verified');
      throw fault('notice.invalid', 'Notices cannot be verified here');
    }
    try {
      const now = this.clock.now().getTime();
      const { webhooks } = this.stripe;
      const event = webhooks.constructEvent(raw, signature, secret, NOTICE_TOLERANCE_S, undefined, now);
      // The SDK only looks at the past.
      if (timeOfSignature(signature) > now / 1000 + NOTICE_TOLERANCE_S)
        throw new Error('signed in the future');
      return readNotice(event);
    } catch {
      throw fault('notice.invalid', 'The signature of the notice is not valid');
    }
  }

  private async chargeOnce(request: ChargeRequest): Promise<ChargeOutcome> {
    try {
      const { intent_id } = request;
      const intent = await this.inTime(
        intent_id === null ? this.create(request) : this.confirm(intent_id, request),
      );
      return outcomeOfIntent(real(intent, 'payment_intent'));
    } catch (error) {
      return this.outcomeOf(error, { key: request.key, payment: request.tag.payment });
    }
  }

  private create(request: ChargeRequest): Promise<Stripe.PaymentIntent> {
    return this.stripe.paymentIntents.create(
      {
        amount: toStripeAmount(request.amount_minor, request.currency),
        currency: request.currency.toLowerCase(),
        customer: request.customer_id,
        payment_method: request.method_id,
        // A method that redirects would need an address to come back to, which a back end has not.
        automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
        confirm: true,
        off_session: request.off_session,
        metadata: metadataOf(request.tag),
        // In session the client authenticates with the provider's library, not by being sent to a page.
        ...(request.off_session ? {} : { use_stripe_sdk: true }),
      },
      { idempotencyKey: request.key },
    );
  }

  private confirm(intentId: string, request: ChargeRequest): Promise<Stripe.PaymentIntent> {
    return this.stripe.paymentIntents.confirm(
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
    if (error instanceof ProviderUnavailable) return { kind: 'unknown', reason: error.message };
    const { outcome, serious } = outcomeOfError(error);
    if (serious)
      this.log.error(
        { ...factsOf(error), ...context },
        'Stripe refused a charge for a reason that is not the card',
      );
    else if (outcome.kind === 'unknown')
      this.log.warn({ reason: outcome.reason, ...context }, 'No answer of Stripe');
    return outcome;
  }

  private async methodAnswer(ask: () => Promise<Stripe.PaymentMethod>): Promise<MethodAnswer> {
    try {
      const method = await this.inTime(ask());
      return { kind: 'known', method: truthOfMethod(real(method, 'payment_method')) };
    } catch (error) {
      const { outcome } = outcomeOfError(error);
      if (outcome.kind === 'failed') return { kind: 'refused', code: outcome.code, message: outcome.message };
      throw new ProviderUnavailable(reasonOf(error));
    }
  }

  /** Null when the provider knows no such thing. */
  private async asked<T>(ask: () => Promise<T>): Promise<T | null> {
    try {
      return await this.inTime(ask());
    } catch (error) {
      if (error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 404) return null;
      if (
        error instanceof Stripe.errors.StripeInvalidRequestError ||
        !(error instanceof Stripe.errors.StripeError)
      ) {
        if (!(error instanceof ProviderUnavailable))
          this.log.error(factsOf(error), 'Stripe refused a request');
      }
      throw new ProviderUnavailable(reasonOf(error));
    }
  }

  /** The SDK's timeout counts the gaps between bytes only; this one counts the whole call. */
  private async inTime<T>(call: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new ProviderUnavailable('timeout')),
        this.config.stripe.timeoutMs * 1.5,
      );
    });
    try {
      return await Promise.race([call, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** The thing that was asked for. What is none, such as the page of a gateway in between, is no answer. */
function real<T extends { object: string; id: string }>(thing: T | null, object: T['object']): T {
  if (thing?.object === object && typeof thing.id === 'string') return thing;
  throw new ProviderUnavailable('the answer is not of the provider');
}
