import { Inject, Injectable } from '@nestjs/common';
import { fault } from '@commerce/kernel';
import { Companies, type Mode } from '@commerce/identity';
import { CONFIG, Log, type Config, type StripeAccount } from '@commerce/platform';
import { type Id } from '@commerce/records';

import { ProviderNotConfigured, type ProviderWebhook } from '../provider/card-provider.js';
import { CardProviders } from '../provider/card-providers.js';
import { STRIPE_MINIMUMS } from './stripe-minimums.js';
import type { StripeProvider } from './stripe-provider.js';
import { StripeProviderFactory } from './stripe-provider-factory.js';

const MODES: readonly Mode[] = ['live', 'test'];

/** The accounts with Stripe. */
@Injectable()
export class StripeProviders extends CardProviders {
  readonly name = 'stripe';
  readonly minimums = STRIPE_MINIMUMS;
  private readonly accounts: Readonly<Record<Mode, StripeProvider | null>>;

  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'stripe'>,
    private readonly companies: Companies,
    private readonly log: Log,
    factory: StripeProviderFactory,
  ) {
    super();
    const { live, test } = config.stripe;
    const providerOf = (account: StripeAccount | null): StripeProvider | null =>
      account === null ? null : factory.providerOf(account);
    const forTest = providerOf(test);
    // The sandbox serves both with one account.
    this.accounts = { test: forTest, live: live === test ? forTest : providerOf(live) };
  }

  async accountOf(company: Id, testClock: Id | null): Promise<StripeProvider> {
    const { mode } = await this.companies.get(company);
    if (mode === 'live' && testClock !== null)
      throw new ProviderNotConfigured('a live account is not for customers on test clocks');
    return this.ofMode(mode).forCompany(company.toHexString());
  }

  ofMode(mode: Mode): StripeProvider {
    const account = this.configured(mode);
    if (account !== null) return account;
    throw new ProviderNotConfigured(`no account with the card provider serves ${mode} companies`);
  }

  configured(mode: Mode): StripeProvider | null {
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
}
