import { Inject, Injectable } from '@nestjs/common';
import { fault, isFault } from '@commerce/kernel';
import { CONFIG, RateLimiter, type Caller, type Config } from '@commerce/platform';
import type { Response } from 'express';

import type { ServiceRequest } from './requests.js';

/** The limits on requests: per API key, and per address on failed credentials. */
@Injectable()
export class RequestGate {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly limiter: RateLimiter,
  ) {}

  /** Counts failed credentials by address; after too many in a minute further attempts are not looked at. */
  async counted(request: ServiceRequest, authenticate: () => Promise<Caller>): Promise<Caller> {
    const { authFailuresPerMinute: limit } = this.config.limits;
    if (limit === 0) return authenticate();
    const key = `auth:${request.ip ?? 'unknown'}`;
    const rule = { perSecond: limit / 60, burst: limit };
    try {
      return await authenticate();
    } catch (error) {
      if (isFault(error)) {
        const { allowed, retryAfterMs } = await this.limiter.take(key, rule);
        if (!allowed) {
          throw fault('rate.limited', 'Too many failed credentials from this address', {
            retry_after_ms: retryAfterMs,
          });
        }
      }
      throw error;
    }
  }

  async admit(caller: Caller, request: ServiceRequest, response: Response): Promise<void> {
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
    if (!allowed)
      throw fault('rate.limited', 'Too many requests with this API key', { retry_after_ms: retryAfterMs });
  }
}
