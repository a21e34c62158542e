import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { RateLimiter } from '@commerce/platform';
import type { Request } from 'express';

import { addressOf } from '../http/requests/address-of.js';

/** Enough for a customer who waits on the page, far too few to guess tokens. */
const LIMIT = { name: 'pay', perSecond: 2, burst: 60 };

/** Counts requests by address, because these routes have no key. */
@Injectable()
export class PayLimitGuard implements CanActivate {
  constructor(private readonly limiter: RateLimiter) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const address = addressOf(context.switchToHttp().getRequest<Request>());
    await this.limiter.require(`pay:${address}`, LIMIT, 'Too many requests; try again in a moment');
    return true;
  }
}
