import { hash } from 'node:crypto';

import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import {
  CONFIG,
  Log,
  Metrics,
  RateLimiter,
  SystemClock,
  type Config,
  type StripeAccount,
} from '@commerce/platform';

import { ProviderPace } from './provider-pace.js';
import { StripeCharges } from './stripe-charges.js';
import { StripeClient } from './stripe-client.js';
import { StripeProvider } from './stripe-provider.js';

/** Makes the adapters of accounts with Stripe, and closes their connections in the end. */
@Injectable()
export class StripeProviderFactory implements OnApplicationShutdown {
  private readonly clients: StripeClient[] = [];

  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'stripe'>,
    private readonly clock: SystemClock,
    private readonly log: Log,
    private readonly metrics: Metrics,
    private readonly limiter: RateLimiter,
  ) {}

  onApplicationShutdown(): void {
    for (const client of this.clients) client.close();
  }

  providerOf(account: StripeAccount): StripeProvider {
    const { stripe } = this.config;
    // The processes share their pace in Redis, where no key must ever stand.
    const name = hash('sha256', account.secretKey).slice(0, 16);
    const pace = new ProviderPace(this.limiter, name, stripe.ratePerSecond);
    const client = new StripeClient(account, stripe, this.log, pace);
    this.clients.push(client);
    const charges = new StripeCharges(client, this.log, this.metrics);
    return new StripeProvider(client, charges, this.clock, { ...stripe, ...account });
  }
}
