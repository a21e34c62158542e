import fc from 'fast-check';

import { histories } from './model/histories.js';
import { Play } from './model/play.js';

/** The same histories in each run, so that a failure is that of the change; by hand, BILLING_HISTORIES=20000 plays as many others. */
const byHand = process.env.BILLING_HISTORIES;
const parameters = byHand === undefined ? { numRuns: 1000, seed: 20_261_127 } : { numRuns: Number(byHand) };

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
      parameters,
    );
  });
});
