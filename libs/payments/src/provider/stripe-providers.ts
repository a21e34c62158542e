import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { fault } from '@commerce/kernel';
import { Companies, type Mode } from '@commerce/identity';
import {
  CONFIG,
  Log,
  Metrics,
  SystemClock,
  type Config,
  type Id,
  type StripeAccount,
} from '@commerce/platform';

import { ProviderNotConfigured, type CardProvider, type ProviderWebhook } from './card-provider.js';
import { CardProviders } from './card-providers.js';
import { StripeCharges } from './stripe-charges.js';
import { StripeClient } from './stripe-client.js';
import { stripeMinimum } from './stripe-minimums.js';
import { StripeProvider } from './stripe-provider.js';

const MODES: readonly Mode[] = ['live', 'test'];

/** The accounts with Stripe. */
@Injectable()
export class StripeProviders extends CardProviders implements OnApplicationShutdown {
  readonly name = 'stripe';
  private readonly clients: StripeClient[] = [];
  private readonly accounts: Readonly<Record<Mode, StripeProvider | null>>;

  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'stripe'>,
    private readonly companies: Companies,
    private readonly clock: SystemClock,
    private readonly log: Log,
    private readonly metrics: Metrics,
  ) {
    super();
    const { live, test } = config.stripe;
    const forTest = this.providerOf(test);
    // The sandbox serves both with one account.
    this.accounts = { test: forTest, live: live === test ? forTest : this.providerOf(live) };
  }

  onApplicationShutdown(): void {
    for (const client of this.clients) client.close();
  }

  minimumCharge(currency: string): number {
    return stripeMinimum(currency);
  }

  async of(company: Id, testClock: Id | null): Promise<CardProvider> {
    const { mode } = await this.companies.get(company);
    if (mode === 'live' && testClock !== null)
      throw new ProviderNotConfigured('a live account is not for customers on test clocks');
    return this.ofMode(mode);
  }

  ofMode(mode: Mode): CardProvider {
    const account = this.configured(mode);
    if (account !== null) return account;
    throw new ProviderNotConfigured(`no account with the card provider serves ${mode} companies`);
  }

  configured(mode: Mode): CardProvider | null {
    return this.accounts[mode];
  }

  webhook(raw: Buffer, signature: string): ProviderWebhook & { readonly mode: Mode } {
    for (const mode of MODES) {
      const webhook = this.accounts[mode]?.webhook(raw, signature) ?? null;
      if (webhook !== null) return { ...webhook, mode };
    }
    const { live, test } = this.config.stripe;
    if ((live?.webhookSecret ?? test?.webhookSecret ?? null) === null)
      this.log.error('A webhook came, but STRIPE_WEBHOOK_SECRET is not set: it cannot be verified');
    throw fault('notice.invalid', 'The signature of the webhook is not valid');
  }

  private providerOf(account: StripeAccount | null): StripeProvider | null {
    if (account === null) return null;
    const { stripe } = this.config;
    const client = new StripeClient(account, stripe, this.log);
    this.clients.push(client);
    const charges = new StripeCharges(client, this.log, this.metrics);
    return new StripeProvider(client, charges, this.clock, { ...stripe, ...account });
  }
}
