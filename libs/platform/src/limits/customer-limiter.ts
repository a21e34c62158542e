import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import type { Id } from '../records/fields/id.js';
import { RateLimiter, type BucketRule } from './rate-limiter.js';
import { tooManyRequests } from './too-many-requests.js';

/** Enough for a page that asks every few seconds while a payment is in flight. */
const INQUIRIES: BucketRule = { perSecond: 0.5, burst: 30 };

/** Limits what one end customer causes at the card provider, in whichever way the requests come. */
@Injectable()
export class CustomerLimiter {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'limits'>,
    private readonly limiter: RateLimiter,
  ) {}

  /**
   * Counts a card that is opened, saved or charged: stolen cards are tried by many attempts.
   * @throws Fault `rate.limited`
   */
  async requireCardAttempt(user: Id): Promise<void> {
    const limit = this.config.limits.cardAttemptsPerHour;
    const rule = { perSecond: limit / 3600, burst: limit };
    await this.require('cards', user, rule, 'Too many attempts with cards; try again later');
  }

  /**
   * Counts a question to the provider about a payment.
   * @throws Fault `rate.limited`
   */
  async requireInquiry(user: Id): Promise<void> {
    await this.require(
      'inquiries',
      user,
      INQUIRIES,
      'Too many questions about payments; try again in a moment',
    );
  }

  private async require(name: string, user: Id, rule: BucketRule, message: string): Promise<void> {
    const key = `${name}:${user.toHexString()}`;
    const { allowed, retryAfterMs } = await this.limiter.take(key, rule);
    if (allowed) return;
    throw tooManyRequests(message, { name, rule, retryAfterMs });
  }
}
