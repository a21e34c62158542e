import { fault, type Fault } from '@commerce/kernel';

/** A limit as callers see it. */
export interface RateLimit {
  readonly name: string;
  readonly burst: number;
  /** 0 for a limit on what runs at the same time. */
  readonly perSecond: number;
}

/** The refusal of a request beyond a limit, which the API names in the RateLimit headers. */
export function rateLimited(message: string, limit: RateLimit, retryAfterMs: number): Fault {
  return fault('rate.limited', message, { retry_after_ms: retryAfterMs, rate_limit: limit });
}
