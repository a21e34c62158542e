import type { RateLimit } from '@commerce/platform';
import type { Response } from 'express';

/** Sets the RateLimit headers of one limit: the remaining requests, and the milliseconds until the next one. */
export function setRateLimit(response: Response, limit: RateLimit, remaining: number, waitMs: number): void {
  const { name, burst, perSecond } = limit;
  const unit = perSecond > 0 ? `w=${String(Math.ceil(burst / perSecond))}` : 'qu="concurrent-requests"';
  response.setHeader('RateLimit-Policy', `"${name}";q=${String(burst)};${unit}`);
  response.setHeader('RateLimit', `"${name}";r=${String(remaining)};t=${String(Math.ceil(waitMs / 1000))}`);
}
