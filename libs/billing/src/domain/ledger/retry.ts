import type { PlanTerms } from '../pricing/terms.js';
import type { OpenPayment } from './open-payment.js';

const MINUTE_MS = 60_000;

/**
 * When a payment that failed softly is tried again: attempt k at t0 + k times the wait, the first of them that is
 * still to come (an outage does not make them run one upon the other). Null after the last, and where the next
 * slice is due before.
 */
export function retryDate(plan: PlanTerms, open: OpenPayment, cutOff: Date | null, now: Date): Date | null {
  if (!plan.should_retry_payments) return null;
  const wait = plan.retry_payment_in_minutes * MINUTE_MS;
  const since = open.since.getTime();
  const k = Math.floor((now.getTime() - since) / wait) + 1;
  if (k > plan.max_payment_retries) return null;
  const at = new Date(since + k * wait);
  return cutOff !== null && at >= cutOff ? null : at;
}
