import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { RateLimiter, tooManyRequests } from '@commerce/platform';
import type { Request } from 'express';

import { addressOf } from '../http/requests/address-of.js';

/** Enough for a customer who waits on the page, far too few to try tokens. */
const RULE = { perSecond: 2, burst: 60 };

/** These routes have no key to count requests by; they are counted by address. */
@Injectable()
export class PayLimitGuard implements CanActivate {
  constructor(private readonly limiter: RateLimiter) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const address = addressOf(context.switchToHttp().getRequest<Request>());
    const { allowed, retryAfterMs } = await this.limiter.take(`pay:${address}`, RULE);
    if (allowed) return true;
    throw tooManyRequests('Too many requests; try again in a moment', {
      name: 'pay',
      rule: RULE,
      retryAfterMs,
    });
  }
}
