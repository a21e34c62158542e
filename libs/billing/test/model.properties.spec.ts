import fc from 'fast-check';

import { histories } from './model/histories.js';
import { Play } from './model/play.js';

/** By hand, BILLING_HISTORIES=20000 plays as many. */
const numRuns = Number(process.env.BILLING_HISTORIES ?? 1000);

/**
 * Closed so far: payments that fail or take time, quotes, refunds by hand, disputes, coupons, the balance, trials, setup
 * fees, other currencies, and months of thirty days.
 */
describe('any history of a subscription', () => {
  it('is billed alike by the service and by a second model of the rules', () => {
    fc.assert(
      fc.property(histories, (history) => new Play(history).run()),
      { numRuns },
    );
  });
});
