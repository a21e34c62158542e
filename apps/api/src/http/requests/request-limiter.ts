import { Inject, Injectable } from '@nestjs/common';
import { fault, isFault } from '@commerce/kernel';
import { CONFIG, RateLimiter, type Caller, type Config } from '@commerce/platform';
import type { Response } from 'express';

import type { ServiceRequest } from '../service-request.js';

/** Limits requests by API key, and failed credentials by address. */
@Injectable()
export class RequestLimiter {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly limiter: RateLimiter,
  ) {}

  /**
   * Authenticates, and counts failures by address. Beyond the limit, a failure is answered with 429 instead of 401,
   * so that guessing yields nothing; valid credentials still pass, because others may share the address.
   */
  async authenticating(request: ServiceRequest, authenticate: () => Promise<Caller>): Promise<Caller> {
    const { authFailuresPerMinute: limit } = this.config.limits;
    if (limit === 0) return authenticate();
    try {
      return await authenticate();
    } catch (error) {
      if (isFault(error)) await this.countFailure(request, limit);
      throw error;
    }
  }

  /** Takes one request from the API key's bucket and says in the headers what is left. */
  async admit(request: ServiceRequest, response: Response): Promise<void> {
    const { perSecond, burst } = this.config.limits;
    if (perSecond === 0) return;
    const key = `key:${String(request.headers['x-service-api-key']).slice(8, 32)}`;
    const { allowed, remaining, retryAfterMs } = await this.limiter.take(key, { perSecond, burst });
    response.setHeader(
      'RateLimit-Policy',
      `"requests";q=${String(burst)};w=${String(Math.ceil(burst / perSecond))}`,
    );
    response.setHeader(
      'RateLimit',
      `"requests";r=${String(remaining)};t=${String(Math.ceil(retryAfterMs / 1000))}`,
    );
    if (!allowed) throw limited('Too many requests with this API key', retryAfterMs);
  }

  private async countFailure(request: ServiceRequest, limit: number): Promise<void> {
    const rule = { perSecond: limit / 60, burst: limit };
    const { allowed, retryAfterMs } = await this.limiter.take(`auth:${request.ip ?? 'unknown'}`, rule);
    if (!allowed) throw limited('Too many failed credentials from this address', retryAfterMs);
  }
}

function limited(message: string, retryAfterMs: number): Error {
  return fault('rate.limited', message, { retry_after_ms: retryAfterMs });
}
