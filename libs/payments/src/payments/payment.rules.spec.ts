import { makeRecord, newId } from '@commerce/platform';
import fc from 'fast-check';

import type { ChargeOutcome } from './charge-outcome.js';
import { shownInEvent, withClientSecret } from './client-secret.js';
import { applyRefunds, reserveRefund, type RefundNews } from './payment-refund.rules.js';
import {
  PaymentRecord,
  type PaymentAttempt,
  type PaymentStatus,
  type ProviderRequest,
} from './payment.record.js';
import {
  applyDispute,
  applyOutcome,
  eventOf,
  isCollected,
  isConclusive,
  type PaymentChanges,
} from './payment.rules.js';

const NOW = new Date('2026-01-05T10:00:00Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const REQUEST: ProviderRequest = {
  number: 1,
  answered: false,
  opened_at: NOW,
  intent_id: null,
  replaces: null,
  customer_id: 'cus_1',
  method_id: 'pm_1',
  off_session: true,
};

function attempt(number: number, change: Partial<PaymentAttempt> = {}): PaymentAttempt {
  return {
    number,
    at: NOW,
    payment_method: null,
    status: 'PROCESSING',
    code: null,
    message: null,
    decline: null,
    ...change,
  };
}

function payment(change: Partial<PaymentRecord> = {}): PaymentRecord {
  const made = makeRecord(
    PaymentRecord,
    {
      company: newId(),
      user: newId(),
      kind: 'period',
      slice: '0',
      status: 'PROCESSING',
      amount: 100,
      currency: 'EUR',
      attempts: [attempt(1)],
      metadata: { payment_intent_id: null, payment_method_id: 'pm_1' },
      provider: { name: 'stripe', intent_id: null, charge_id: null },
      request: REQUEST,
    },
    NOW,
  );
  return Object.assign(made, change);
}

function after(before: PaymentRecord, changes: PaymentChanges | null): PaymentRecord {
  return Object.assign(Object.create(PaymentRecord.prototype) as PaymentRecord, before, changes);
}

const settled = (before: PaymentRecord, outcome: ChargeOutcome, number = 1, now = NOW): PaymentRecord =>
  after(before, applyOutcome(before, number, outcome, now));

const SUCCESS: ChargeOutcome = { kind: 'succeeded', intent_id: 'pi_1', charge_id: 'ch_1' };
const SOFT: ChargeOutcome = {
  kind: 'failed',
  decline: 'soft',
  code: 'insufficient_funds',
  message: 'no',
  intent_id: 'pi_1',
};
const AUTH: ChargeOutcome = { kind: 'requires_auth', intent_id: 'pi_1', client_secret: 'pi_1_secret_x' };
const PENDING: ChargeOutcome = { kind: 'processing', intent_id: 'pi_1' };
const UNKNOWN: ChargeOutcome = { kind: 'unknown', reason: 'timeout' };

describe('an outcome of a charge', () => {
  it('collects the payment', () => {
    const paid = settled(payment(), SUCCESS);
    expect(paid.status).toBe('SUCCEEDED');
    expect(paid.provider).toEqual({ name: 'stripe', intent_id: 'pi_1', charge_id: 'ch_1' });
    expect(paid.metadata).toEqual({ payment_intent_id: 'pi_1', payment_method_id: 'pm_1' });
    expect(paid.attempts).toEqual([attempt(1, { status: 'SUCCEEDED' })]);
    expect(paid.check_at).toBeNull();
  });

  it('fails the attempt with the reason and whether the card may be tried again', () => {
    const failed = settled(payment(), SOFT);
    expect(failed.status).toBe('FAILED');
    expect(failed.attempts[0]).toMatchObject({
      status: 'FAILED',
      code: 'insufficient_funds',
      decline: 'soft',
    });
    expect(failed.check_at).toBeNull();
  });

  it('waits for the customer, and keeps the secret out of what shows', () => {
    const waiting = settled(payment(), AUTH);
    expect(waiting.status).toBe('REQUIRES_AUTH');
    expect(waiting.client_secret).toBe('pi_1_secret_x');
    expect(JSON.stringify(waiting.metadata)).not.toContain('secret');
  });

  it('leaves open what had no answer', () => {
    const open = settled(payment(), UNKNOWN);
    expect(open.status).toBe('UNKNOWN');
    expect(open.checks).toBe(1);
    expect(open.request?.answered).toBe(false);
  });

  it('does not take an answer back for want of another', () => {
    const waiting = settled(payment(), AUTH);
    const asked = settled(waiting, UNKNOWN);
    expect(asked.status).toBe('REQUIRES_AUTH');
    expect(asked.check_at).toEqual(new Date(NOW.getTime() + MINUTE));
  });

  it('counts for the running attempt only, unless it is success', () => {
    const second = payment({
      status: 'PROCESSING',
      attempts: [attempt(1, { status: 'FAILED', code: 'insufficient_funds' }), attempt(2)],
      request: { ...REQUEST, number: 2, intent_id: 'pi_1' },
    });
    expect(applyOutcome(second, 1, SOFT, NOW)).toBeNull();
    expect(applyOutcome(second, 1, AUTH, NOW)).toBeNull();
    const paid = settled(second, SUCCESS, 1);
    expect(paid.status).toBe('SUCCEEDED');
    expect(paid.attempts.map(({ status, code }) => [status, code])).toEqual([
      ['SUCCEEDED', null],
      ['FAILED', 'attempt.superseded'],
    ]);
  });

  it('makes a payment succeed that was given up while the customer authenticated', () => {
    const given = payment({ status: 'FAILED', abandoned: true, cancel_intent: 'pi_1', check_at: NOW });
    const paid = settled(given, SUCCESS);
    expect(paid.status).toBe('SUCCEEDED');
    expect(paid.cancel_intent).toBeNull();
    expect(paid.check_at).toBeNull();
  });

  it('asks after 1 and 5 minutes, 1, 6 and 23 hours, then every 6 hours', () => {
    const waits: number[] = [];
    let open = payment();
    let now = NOW.getTime() + 10_000;
    for (let turn = 0; turn < 7; turn += 1) {
      open = settled(open, UNKNOWN, 1, new Date(now));
      now = open.check_at?.getTime() ?? 0;
      waits.push(now - NOW.getTime());
    }
    expect(waits).toEqual([MINUTE, 5 * MINUTE, HOUR, 6 * HOUR, 23 * HOUR, 29 * HOUR, 35 * HOUR]);
  });
});

describe('an intent that was looked up', () => {
  const confirming = payment({
    request: { ...REQUEST, number: 2, intent_id: 'pi_1' },
    attempts: [attempt(1), attempt(2)],
  });

  it('tells of the attempt that made it', () => {
    expect(isConclusive(payment(), SOFT)).toBe(true);
    expect(isConclusive(payment(), AUTH)).toBe(true);
  });

  it('does not tell whether a confirmation under way was refused, or the one before', () => {
    expect(isConclusive(confirming, SOFT)).toBe(false);
    expect(isConclusive(confirming, AUTH)).toBe(false);
    expect(isConclusive(confirming, SUCCESS)).toBe(true);
    expect(isConclusive(settled(confirming, PENDING, 2), SOFT)).toBe(true);
  });
});

describe('events of a payment', () => {
  const kinds = (status: PaymentStatus, changes: PaymentChanges): string =>
    eventOf(payment({ status }), changes);

  it('are named after the edge', () => {
    expect(kinds('PROCESSING', { status: 'SUCCEEDED' })).toBe('payment.succeeded');
    expect(kinds('PROCESSING', { status: 'REQUIRES_AUTH' })).toBe('payment.requires_auth');
    expect(kinds('REQUIRES_AUTH', { status: 'PROCESSING' })).toBe('payment.processing');
    expect(kinds('PROCESSING', { status: 'FAILED' })).toBe('payment.updated');
    expect(kinds('PROCESSING', { status: 'UNKNOWN' })).toBe('payment.updated');
    expect(kinds('SUCCEEDED', { status: 'REFUNDED' })).toBe('payment.updated');
    expect(kinds('DISPUTED', { status: 'SUCCEEDED' })).toBe('payment.updated');
  });

  it('carry the secret only where authentication is asked for', () => {
    const changes = applyOutcome(payment(), 1, AUTH, NOW);
    const shown = shownInEvent(changes ?? {})?.({
      metadata: { payment_intent_id: 'pi_1', payment_method_id: 'pm_1' },
    });
    expect(shown).toEqual({
      metadata: {
        payment_intent_id: 'pi_1',
        payment_method_id: 'pm_1',
        intent_client_secret: 'pi_1_secret_x',
      },
    });
    expect(shownInEvent(applyOutcome(payment(), 1, SUCCESS, NOW) ?? {})).toBeUndefined();
  });

  it('no longer show it once the payment went through', () => {
    const waiting = settled(payment(), AUTH);
    expect(withClientSecret(waiting).metadata).toHaveProperty('intent_client_secret', 'pi_1_secret_x');
    expect(withClientSecret(settled(waiting, SUCCESS)).metadata).not.toHaveProperty('intent_client_secret');
  });
});

describe('refunds', () => {
  const paid = (): PaymentRecord => settled(payment(), SUCCESS);
  const reserved = (before: PaymentRecord, key: string, amount_minor: number): PaymentRecord =>
    after(before, reserveRefund(before, { key, amount_minor, reason: null }, NOW));
  const known = (key: string, status: 'pending' | 'succeeded' | 'failed', amount_minor = 0): RefundNews => ({
    kind: 'known',
    key,
    refund_id: `re_${key}`,
    amount_minor,
    status,
  });

  it('are reserved once by key', () => {
    const once = reserved(paid(), 'a', 7000);
    expect(once.refunds).toHaveLength(1);
    expect(reserveRefund(once, { key: 'a', amount_minor: 7000, reason: null }, NOW)).toBeNull();
  });

  it('never exceed what was captured, pending ones counted', () => {
    const once = reserved(paid(), 'a', 7000);
    expect(() => reserved(once, 'b', 7000)).toThrow(expect.objectContaining({ code: 'refund.too_large' }));
    expect(reserved(once, 'b', 3000).refunds).toHaveLength(2);
  });

  it('are refused for a payment without money', () => {
    expect(() => reserved(settled(payment(), SOFT), 'a', 1)).toThrow(
      expect.objectContaining({ code: 'payment.state_conflict' }),
    );
  });

  it('make it partly refunded, then refunded', () => {
    const first = reserved(paid(), 'a', 7000);
    const part = after(first, applyRefunds(first, [known('a', 'succeeded', 7000)], NOW));
    expect([part.status, part.refunded_amount]).toEqual(['PARTIALLY_REFUNDED', 70]);
    const second = reserved(part, 'b', 3000);
    const all = after(second, applyRefunds(second, [known('b', 'succeeded', 3000)], NOW));
    expect([all.status, all.refunded_amount]).toEqual(['REFUNDED', 100]);
  });

  it('give the money free again where the bank returns it', () => {
    const first = reserved(paid(), 'a', 7000);
    const part = after(first, applyRefunds(first, [known('a', 'succeeded')], NOW));
    const back = after(part, applyRefunds(part, [known('a', 'failed')], NOW));
    expect([back.status, back.refunded_amount]).toEqual(['SUCCEEDED', 0]);
    expect(reserved(back, 'b', 10000).refunds).toHaveLength(2);
  });

  it('are taken over where they were made at the provider', () => {
    const news: RefundNews = {
      kind: 'known',
      key: null,
      refund_id: 're_9',
      amount_minor: 2500,
      status: 'succeeded',
    };
    const taken = after(paid(), applyRefunds(paid(), [news], NOW));
    expect([taken.status, taken.refunded_amount]).toEqual(['PARTIALLY_REFUNDED', 25]);
    expect(applyRefunds(taken, [news], NOW)).toBeNull();
  });
});

describe('whatever the provider says, in whatever order', () => {
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
    fc.record({ do: fc.constant('dispute' as const), disputed: fc.boolean() }),
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
        // The provider only ever knows refunds that were sent to it.
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
      case 'dispute':
        return after(before, applyDispute(before, one.disputed));
    }
  }

  it('success stays, refunds never exceed the capture, and saying it twice changes nothing', () => {
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
          if (one.do !== 'settle' || one.outcome.kind !== 'unknown') {
            expect({ ...apply(next, one), check_at: null }).toEqual({ ...next, check_at: null });
          }
          now = next;
        }
      }),
    );
  });
});
