import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, RateLimiter, type Config, type RateLimit } from '@commerce/platform';
import { type Id } from '@commerce/records';

/** Enough for a page that asks every few seconds while a payment is in flight. */
const INQUIRIES: RateLimit = { name: 'inquiries', perSecond: 0.5, burst: 30 };

/** Limits the requests to the card provider that one end customer causes, through any route. */
@Injectable()
export class CustomerLimiter {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'limits'>,
    private readonly limiter: RateLimiter,
  ) {}

  /**
   * Counts a card that is opened, saved or charged: thieves try stolen cards in many attempts.
   * @throws Fault `rate.limited`
   */
  async requireCardAttempt(user: Id): Promise<void> {
    const burst = this.config.limits.cardAttemptsPerHour;
    const limit = { name: 'cards', perSecond: burst / 3600, burst };
    await this.require(user, limit, 'Too many attempts with cards; try again later');
  }

  /**
   * Counts an inquiry to the provider about a payment.
   * @throws Fault `rate.limited`
   */
  async requireInquiry(user: Id): Promise<void> {
    await this.require(user, INQUIRIES, 'Too many questions about payments; try again in a moment');
  }

  private require(user: Id, limit: RateLimit, message: string): Promise<void> {
    return this.limiter.require(`${limit.name}:${user.toHexString()}`, limit, message);
  }
}
