import { declareJob, readIds } from '@commerce/jobs';

/** Payments that were due to be looked at when the sweep found them. */
export interface PaymentChecksJob {
  readonly ids: readonly string[];
}

/** Looks again at payments with something unfinished. */
export const PAYMENT_CHECKS = declareJob<PaymentChecksJob>({
  queue: 'payment-checks',
  purpose: 'asks the card provider about payments, refunds and cancellations without an answer',
  concurrency: 8,
  read: readIds(1),
});
