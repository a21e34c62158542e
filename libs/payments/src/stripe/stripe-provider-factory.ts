import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { CONFIG, Log, Metrics, SystemClock, type Config, type StripeAccount } from '@commerce/platform';

import { ProviderPaces, accountName } from '../pace/provider-paces.js';
import { StripeCharges } from './stripe-charges.js';
import { StripeClient } from './stripe-client.js';
import { StripeProvider } from './stripe-provider.js';

/** Creates the adapters of accounts with Stripe, and closes their connections at the end. */
@Injectable()
export class StripeProviderFactory implements OnApplicationShutdown {
  private readonly clients: StripeClient[] = [];

  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'stripe'>,
    private readonly clock: SystemClock,
    private readonly log: Log,
    private readonly metrics: Metrics,
    private readonly paces: ProviderPaces,
  ) {}

  onApplicationShutdown(): void {
    for (const client of this.clients) client.close();
  }

  providerOf(account: StripeAccount): StripeProvider {
    const { stripe } = this.config;
    const client = StripeClient.open(account, stripe, this.log, this.paces.paceOf(account));
    this.clients.push(client);
    const charges = new StripeCharges(client, this.log, this.metrics);
    return new StripeProvider(client, charges, this.clock, {
      ...stripe,
      ...account,
      account: accountName(account),
    });
  }
}
