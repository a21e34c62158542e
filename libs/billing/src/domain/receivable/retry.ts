import type { PlanTerms } from '../pricing/terms.js';
import type { OpenPayment } from './open-payment.js';

const MINUTE_MS = 60_000;

/**
 * The retry date of a payment after a soft decline: attempt k is due at t0 + k × the wait, and the next future one
 * counts, so that an outage does not make them run all together. Null after the last, and where the next period is due
 * before.
 */
export function retryDate(plan: PlanTerms, open: OpenPayment, deadline: Date | null, now: Date): Date | null {
  if (!plan.should_retry_payments) return null;
  const wait = plan.retry_payment_in_minutes * MINUTE_MS;
  // One whose result took days is tried again from then on, as often as any other.
  const since =
    open.state === 'PROCESSING' ? now.getTime() - (open.attempts - 1) * wait : open.since.getTime();
  const k = Math.floor((now.getTime() - since) / wait) + 1;
  if (k > plan.max_payment_retries) return null;
  const at = new Date(since + k * wait);
  return deadline !== null && at >= deadline ? null : at;
}
