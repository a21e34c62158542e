import { declareJob, readIds } from '@commerce/platform';

/** Looks again at payments whose end is open: `ids` of payments that were due when the sweep saw them. */
export const PAYMENT_CHECKS = declareJob({
  queue: 'payment-checks',
  purpose: 'asks the card provider about payments, refunds and cancellations without an answer',
  concurrency: 8,
  read: readIds(1),
});
