import { isFault } from '@commerce/kernel';

import { ORDER_LIFECYCLE, ORDER_STATUSES, allowedActions, requireAllowed } from './order-lifecycle.js';

describe('the lifecycle of orders', () => {
  it('leads from creation to every status, and nowhere else', () => {
    const reached = new Set(ORDER_LIFECYCLE.map(({ to }) => to));
    expect([...reached].sort()).toEqual([...ORDER_STATUSES].sort());
  });

  it('has one edge for each status and cause', () => {
    const keys = ORDER_LIFECYCLE.map(({ from, by }) => `${String(from)} ${by}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it.each([
    ['PENDING_PAYMENT', ['pay', 'cancel']],
    ['REQUIRES_AUTH', ['pay', 'cancel']],
    ['PAID', []],
    ['CANCELLED', []],
    ['REFUNDED', []],
  ] as const)('lets an order that is %s be asked to %j', (status, moves) => {
    expect(allowedActions({ status, inFlight: false, ending: false })).toEqual(moves);
    expect(allowedActions({ status, inFlight: true, ending: false })).toEqual([]);
    expect(allowedActions({ status, inFlight: false, ending: true })).toEqual(
      moves.filter((action) => action !== 'pay'),
    );
  });

  it('refuses an action that is not possible now, and names the possible ones', () => {
    for (const inFlight of [true, false]) {
      try {
        requireAllowed({ status: inFlight ? 'PENDING_PAYMENT' : 'PAID', inFlight, ending: false }, 'cancel');
        throw new Error('it was allowed');
      } catch (error) {
        if (!isFault(error, 'order.state_conflict')) throw error;
        const details = inFlight
          ? { current: 'PENDING_PAYMENT', allowed: [], retry_after_ms: 1000 }
          : { current: 'PAID', allowed: [] };
        expect(error.details).toEqual(details);
      }
    }
  });
});
