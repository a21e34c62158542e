import type { Config, StripeAccount, SystemClock } from '@commerce/platform';
import Stripe from 'stripe';

import { INTENT_CANCELLED, type ChargeOutcome } from '../payments/charge-outcome.js';
import type { Dispute } from '../payments/owed-refund.rules.js';
import {
  CardProvider,
  ProviderUnavailable,
  type BookedIntent,
  type CancelOutcome,
  type ChargeRequest,
  type ClientLibrary,
  type IntentTruth,
  type MethodAnswer,
  type NewCustomer,
  type PaymentTag,
  type ProviderWebhook,
  type RefundOutcome,
  type RefundRequest,
  type RefundTruth,
} from '../provider/card-provider.js';
import type { StripeCharges } from './stripe-charges.js';
import { real, type StripeClient } from './stripe-client.js';
import { readWebhook, timeOfSignature } from './stripe-webhooks.js';
import {
  bookedIntent,
  disputeOf,
  metadataOf,
  outcomeOfError,
  reasonOf,
  truthOfIntent,
  truthOfMethod,
  truthOfRefund,
} from './stripe-truth.js';

/** Seconds by which the time of a webhook's signature may differ from ours. */
const WEBHOOK_TOLERANCE_S = 300;

/** The largest difference between the provider's clock and ours: searches for its objects start this much earlier. */
const CLOCKS_APART_MS = 3_600_000;

/** Stripe's largest page. */
const PER_PAGE = 100;

/** The settings of one account with Stripe: its keys, and the addresses of its library and API. */
type Settings = Pick<StripeAccount, 'webhookSecret' | 'publishableKey'> &
  Pick<Config['stripe'], 'apiBase' | 'libraryUrl'> & { readonly account: string };

/** One account with Stripe, through its own SDK. */
export class StripeProvider extends CardProvider {
  constructor(
    private readonly client: StripeClient,
    private readonly charges: StripeCharges,
    private readonly clock: SystemClock,
    private readonly settings: Settings,
  ) {
    super();
  }

  get account(): string {
    return this.settings.account;
  }

  /** The same account for one company, which shares it with the others round robin. */
  forCompany(company: string): StripeProvider {
    const client = this.client.forCompany(company);
    return new StripeProvider(client, this.charges.forCompany(company), this.clock, this.settings);
  }

  begin<T>(work: () => Promise<T>): Promise<T> {
    return this.client.begin(work);
  }

  clientLibrary(): ClientLibrary | null {
    const { publishableKey, libraryUrl, apiBase } = this.settings;
    if (publishableKey === null) return null;
    const library = new URL(libraryUrl).origin;
    const api = new URL(apiBase).origin;
    // Stripe requires these two: https://docs.stripe.com/security/guide#content-security-policy
    const own = library === 'https://js.stripe.com' ? ['https://hooks.stripe.com'] : [];
    return {
      script: libraryUrl,
      publishable_key: publishableKey,
      connect: [...new Set([api, library])],
      frame: [library, ...own],
    };
  }

  charge(request: ChargeRequest): Promise<ChargeOutcome> {
    return this.charges.charge(request);
  }

  async intent(intentId: string): Promise<IntentTruth | null> {
    return this.client.asked(async () => {
      const intent = await this.client.sdk.paymentIntents.retrieve(intentId);
      return truthOfIntent(real(intent, 'payment_intent'));
    });
  }

  async intentOf(customerId: string, tag: PaymentTag, since: Date): Promise<IntentTruth | null> {
    // Without the customer the account knows nothing of the attempt, which is not the same as that there was none.
    return this.client.answered(async () => {
      const list = this.client.sdk.paymentIntents.list({
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

  async intentsBefore(intentId: string | null): Promise<readonly BookedIntent[]> {
    const before = intentId === null ? {} : { starting_after: intentId };
    const found = await this.client.answered(() =>
      this.client.sdk.paymentIntents.list({ ...before, limit: PER_PAGE }),
    );
    return found.data.map((intent) => bookedIntent(real(intent, 'payment_intent')));
  }

  async cancel(intentId: string, key: string): Promise<CancelOutcome> {
    const cancelled = await this.client.asked(async () => {
      try {
        await this.client.sdk.paymentIntents.cancel(intentId, {}, { idempotencyKey: key });
        return true;
      } catch (error) {
        // It is in a state that cannot be cancelled, possibly because it is cancelled already.
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

  refund(request: RefundRequest): Promise<RefundOutcome> {
    return this.charges.refund(request);
  }

  async refundsOf(intentId: string, currency: string): Promise<RefundTruth[]> {
    const found = await this.client.asked(async () => {
      const refunds: RefundTruth[] = [];
      for await (const refund of this.client.sdk.refunds.list({ payment_intent: intentId, limit: 100 })) {
        refunds.push(truthOfRefund(real(refund, 'refund'), currency));
      }
      return refunds;
    });
    return found ?? [];
  }

  async dispute(intentId: string): Promise<Dispute> {
    return this.client.answered(async () => {
      const { data } = await this.client.sdk.disputes.list({ payment_intent: intentId, limit: 100 });
      return disputeOf(data.map((dispute) => real(dispute, 'dispute')));
    });
  }

  async customer(customer: NewCustomer): Promise<string> {
    const { key, company, user } = customer;
    const made = await this.client.answered(() =>
      this.client.sdk.customers.create({ metadata: { company, user } }, { idempotencyKey: key }),
    );
    return real(made, 'customer').id;
  }

  async setup(customerId: string, key: string): Promise<{ setup_id: string; client_secret: string }> {
    const made = await this.client.answered(() =>
      this.client.sdk.setupIntents.create(
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
    return this.methodAnswer(() => this.client.sdk.paymentMethods.retrieve(methodId));
  }

  async attach(methodId: string, customerId: string): Promise<MethodAnswer> {
    return this.methodAnswer(() => this.client.sdk.paymentMethods.attach(methodId, { customer: customerId }));
  }

  async detach(methodId: string): Promise<void> {
    await this.client.asked(() => this.client.sdk.paymentMethods.detach(methodId));
  }

  /** Reads a raw webhook; null unless its signature proves that this account sent it. */
  webhook(raw: Buffer, signature: string): ProviderWebhook | null {
    const secret = this.settings.webhookSecret;
    if (secret === null) return null;
    try {
      const now = this.clock.now().getTime();
      const { webhooks } = this.client.sdk;
      const event = webhooks.constructEvent(raw, signature, secret, WEBHOOK_TOLERANCE_S, undefined, now);
      // The SDK only checks the past.
      if (timeOfSignature(signature) > now / 1000 + WEBHOOK_TOLERANCE_S)
        throw new Error('signed in the future');
      return readWebhook(event);
    } catch {
      return null;
    }
  }

  private async methodAnswer(ask: () => Promise<Stripe.PaymentMethod>): Promise<MethodAnswer> {
    try {
      const method = await this.client.inTime(ask);
      return { kind: 'known', method: truthOfMethod(real(method, 'payment_method')) };
    } catch (error) {
      const { outcome } = outcomeOfError(error);
      if (outcome.kind === 'failed') return { kind: 'refused', code: outcome.code, message: outcome.message };
      throw new ProviderUnavailable(reasonOf(error));
    }
  }
}
