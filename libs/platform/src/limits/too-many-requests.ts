import { fault } from '@commerce/kernel';

import type { BucketRule } from './rate-limiter.js';

/** The limit that a request has reached, as its headers name it. */
export interface ReachedLimit {
  readonly name: string;
  readonly rule: BucketRule;
  readonly retryAfterMs: number;
}

/** The fault `rate.limited`. The reply says by headers which limit it was and when there is room again. */
export function tooManyRequests(message: string, { name, rule, retryAfterMs }: ReachedLimit): Error {
  const rate_limit = { name, quota: rule.burst, window_s: Math.ceil(rule.burst / rule.perSecond) };
  return fault('rate.limited', message, { retry_after_ms: retryAfterMs, rate_limit });
}
