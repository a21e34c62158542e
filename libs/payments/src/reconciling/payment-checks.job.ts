import { declareJob } from '@commerce/jobs';
import type { Id } from '@commerce/records';

/** A payment that was due for a check when the sweep found it. */
export interface PaymentChecksJob {
  readonly company: Id;
  readonly payment: Id;
}

/** Checks payments with unfinished work. */
export const PAYMENT_CHECKS = declareJob<PaymentChecksJob>({
  queue: 'payment-checks',
  purpose: 'asks the card provider about payments, refunds and cancellations without an answer',
  concurrency: 8,
  fields: { company: 'id', payment: 'id' },
});
