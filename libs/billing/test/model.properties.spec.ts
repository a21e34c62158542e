import fc from 'fast-check';

import { histories } from './model/histories.js';
import { Play } from './model/play.js';

/** By hand, BILLING_HISTORIES=20000 plays as many. */
const numRuns = Number(process.env.BILLING_HISTORIES ?? 1000);

/**
 * Closed so far: payments that are retried, wait for the customer or take days, new cards and the collection of debt,
 * quotes, coupons, the balance, trials, setup fees, prices that change, and months of thirty days; a stop or change on the
 * day in which a new calendar begins (shared-days.spec.ts); an end within a period by the second, or beside plans of which
 * only some are prorated.
 */
describe('any history of a subscription', () => {
  it('is billed alike by the service and by a second model of the rules', () => {
    fc.assert(
      fc.property(histories, (history) => new Play(history).run()),
      { numRuns },
    );
  });
});
