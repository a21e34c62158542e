import { hash } from 'node:crypto';

import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { CONFIG, RateLimiter, TurnScheduler, type Config, type StripeAccount } from '@commerce/platform';

import { ProviderPace } from './provider-pace.js';

/** The paces of the accounts with the provider. */
@Injectable()
export class ProviderPaces implements OnModuleDestroy {
  private readonly paces: ProviderPace[] = [];

  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'stripe'>,
    private readonly schedule: TurnScheduler,
    private readonly limiter: RateLimiter,
  ) {}

  /** Charges that wait to begin stay due, so that they do not delay the end of the process. */
  onModuleDestroy(): void {
    for (const pace of this.paces) pace.close();
  }

  paceOf(account: StripeAccount): ProviderPace {
    const settings = {
      account: accountName(account),
      perSecond: account.ratePerSecond,
      share: this.config.stripe.share,
    };
    const pace = new ProviderPace(this.schedule, this.limiter, settings);
    this.paces.push(pace);
    return pace;
  }
}

/** Identifies an account where its key must never be stored. */
export function accountName({ secretKey }: Pick<StripeAccount, 'secretKey'>): string {
  return hash('sha256', secretKey).slice(0, 16);
}
