import fc from 'fast-check';

import { applyDispute, renewOwed, reserveOrOwe } from './owed-refund.rules.js';
import { applyRefunds, reserveRefund, type RefundNews } from './payment-refund.rules.js';
import type { PaymentRecord } from './payment.record.js';
import { isCollected } from './payment.rules.js';
import {
  after,
  attempt,
  AUTH,
  NOW,
  payment,
  PENDING,
  settled,
  SOFT,
  SUCCESS,
  UNKNOWN,
} from './payment.spec-data.js';

describe('any outcomes of the provider, in any order', () => {
  const outcome = fc.constantFrom(SUCCESS, SOFT, AUTH, PENDING, UNKNOWN, {
    ...SOFT,
    decline: 'hard' as const,
  });
  const step = fc.oneof(
    fc.record({ do: fc.constant('settle' as const), outcome, attempt: fc.integer({ min: 1, max: 2 }) }),
    fc.record({
      do: fc.constant('refund' as const),
      key: fc.constantFrom('a', 'b', 'c'),
      amount: fc.integer({ min: 1, max: 12000 }),
    }),
    fc.record({
      do: fc.constant('refunds' as const),
      key: fc.constantFrom('a', 'b', 'c'),
      status: fc.constantFrom('pending' as const, 'succeeded' as const, 'failed' as const),
    }),
    fc.record({
      do: fc.constant('credit' as const),
      key: fc.constantFrom('d', 'e', 'f'),
      amount: fc.integer({ min: 1, max: 12000 }),
    }),
    fc.record({ do: fc.constant('renew' as const) }),
    fc.record({
      do: fc.constant('dispute' as const),
      dispute: fc.constantFrom('none' as const, 'open' as const, 'lost' as const),
    }),
  );

  type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

  function apply(before: PaymentRecord, one: Step): PaymentRecord {
    switch (one.do) {
      case 'settle':
        return settled(before, one.outcome, one.attempt);
      case 'refund':
        try {
          return after(
            before,
            reserveRefund(before, { key: one.key, amount_minor: one.amount, reason: null }, NOW),
          );
        } catch {
          return before;
        }
      case 'refunds': {
        // The provider only knows refunds that were sent to it.
        const row = before.refunds.find(({ key }) => key === one.key);
        if (row === undefined) return before;
        // A refund that failed stays failed there.
        if (row.status === 'FAILED') return before;
        const { key, status } = one;
        const news: RefundNews = {
          kind: 'known',
          key,
          status,
          refund_id: `re_${key}`,
          amount_minor: row.amount * 100,
        };
        return after(before, applyRefunds(before, [news], NOW));
      }
      case 'credit': {
        const { key, amount } = one;
        const credit = { key, amount_minor: amount, reason: null };
        return after(before, reserveOrOwe(before, credit, NOW, NOW));
      }
      case 'renew':
        return after(before, renewOwed(before, NOW, { real: NOW, leaseEnd: NOW }));
      case 'dispute':
        return after(before, applyDispute(before, one.dispute, NOW));
    }
  }

  it('success stays, refunds never exceed the capture, and a repeated outcome changes nothing', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let now = payment({ attempts: [attempt(1), attempt(2)] });
        for (const one of steps) {
          const next = apply(now, one);
          if (isCollected(now.status)) expect(isCollected(next.status)).toBe(true);
          const held = next.refunds
            .filter(({ status }) => status !== 'FAILED')
            .reduce((sum, { amount }) => sum + amount, 0);
          expect(Math.round(held * 100)).toBeLessThanOrEqual(10000);
          expect(next.refunded_amount).toBeLessThanOrEqual(next.amount);
          expect(Math.round((held + next.owed_amount) * 100)).toBeLessThanOrEqual(10000);
          if (one.do === 'credit') expect(next.refunds.slice(0, now.refunds.length)).toEqual(now.refunds);
          if (one.do !== 'settle' || one.outcome.kind !== 'unknown') {
            expect({ ...apply(next, one), check_at: null }).toEqual({ ...next, check_at: null });
          }
          now = next;
        }
      }),
    );
  });
});
