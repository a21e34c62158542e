import { declareJob } from '@commerce/jobs';
import type { Id } from '@commerce/records';

/** Payments that were due for a check when the sweep found them. */
export interface PaymentChecksJob {
  readonly ids: readonly Id[];
}

/** Checks payments with unfinished work. */
export const PAYMENT_CHECKS = declareJob<PaymentChecksJob>({
  queue: 'payment-checks',
  purpose: 'asks the card provider about payments, refunds and cancellations without an answer',
  concurrency: 8,
  fields: { ids: 1 },
});
