import { declareJob, readIds } from '@commerce/platform';

/** Payments that were due to be asked about when the sweep saw them. */
export interface PaymentChecksJob {
  readonly ids: readonly string[];
}

/** Looks again at payments whose end is open. */
export const PAYMENT_CHECKS = declareJob<PaymentChecksJob>({
  queue: 'payment-checks',
  purpose: 'asks the card provider about payments, refunds and cancellations without an answer',
  concurrency: 8,
  read: readIds(1),
});
