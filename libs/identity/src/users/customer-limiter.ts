import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, RateLimiter, rateLimited, type Config, type RateLimit } from '@commerce/platform';
import { type Id } from '@commerce/records';

/** Enough for a page that asks every few seconds while a payment is in flight. */
const INQUIRIES: RateLimit = { name: 'inquiries', perSecond: 0.5, burst: 30 };

const TOO_MANY_GUESSES = 'Too many codes of coupons that cannot be used; try again later';

/** Limits the requests to the card provider that one end customer causes, and guesses of coupons, through any route. */
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
   * Refuses a user who has named too many coupons in vain, before the next code is looked up.
   * @throws Fault `rate.limited`
   */
  async requireGuessesLeft(user: Id): Promise<void> {
    const { allowed, retryAfterMs } = await this.limiter.look(`coupons:${user.toHexString()}`, this.guesses);
    if (!allowed) throw rateLimited(TOO_MANY_GUESSES, this.guesses, retryAfterMs);
  }

  /**
   * Counts a coupon that was named in vain: its code may be a guess.
   * @throws Fault `rate.limited`
   */
  async requireCouponGuess(user: Id): Promise<void> {
    await this.require(user, this.guesses, TOO_MANY_GUESSES);
  }

  /**
   * Counts an inquiry to the provider about a payment.
   * @throws Fault `rate.limited`
   */
  async requireInquiry(user: Id): Promise<void> {
    await this.require(user, INQUIRIES, 'Too many questions about payments; try again in a moment');
  }

  private get guesses(): RateLimit {
    const burst = this.config.limits.couponGuessesPerHour;
    return { name: 'coupons', perSecond: burst / 3600, burst };
  }

  private require(user: Id, limit: RateLimit, message: string): Promise<void> {
    return this.limiter.require(`${limit.name}:${user.toHexString()}`, limit, message);
  }
}
