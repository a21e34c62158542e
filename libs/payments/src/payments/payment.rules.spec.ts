import { newId, type Id } from '@commerce/records';

import type { PaymentStatus } from './payment.record.js';
import { applyOutcome, eventOf, isConclusive, type PaymentChanges } from './payment.rules.js';
import {
  attempt,
  AUTH,
  HOUR,
  MINUTE,
  NOW,
  payment,
  PENDING,
  REQUEST,
  settled,
  SOFT,
  SUCCESS,
  UNKNOWN,
} from './payment.spec-data.js';

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

  it('waits for the customer, and hides the secret', () => {
    const waiting = settled(payment(), AUTH);
    expect(waiting.status).toBe('REQUIRES_AUTH');
    expect(waiting.client_secret).toBe('pi_1_secret_x');
    expect(JSON.stringify(waiting.metadata)).not.toContain('secret');
  });

  it('leaves an attempt without an answer open', () => {
    const open = settled(payment(), UNKNOWN);
    expect(open.status).toBe('UNKNOWN');
    expect(open.checks).toBe(1);
    expect(open.request?.answered).toBe(false);
  });

  it('keeps an answer when a later one is missing', () => {
    const waiting = settled(payment(), AUTH);
    const asked = settled(waiting, UNKNOWN);
    expect(asked.status).toBe('REQUIRES_AUTH');
    expect(asked.check_at).toEqual(new Date(NOW.getTime() + MINUTE));
  });

  it('counts for the current attempt only, unless it is success', () => {
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

  it('makes a payment succeed that was abandoned while the customer authenticated', () => {
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

  it('decides the attempt that made it', () => {
    expect(isConclusive(payment(), SOFT)).toBe(true);
    expect(isConclusive(payment(), AUTH)).toBe(true);
  });

  it('does not decide whether the current confirmation was refused, or the one before', () => {
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

  it('ask nobody to authenticate an order in session, whose caller has the payment', () => {
    const request = { ...REQUEST, off_session: false };
    const asks = (order: Id | null): string =>
      eventOf(payment({ order, request }), { status: 'REQUIRES_AUTH' });
    expect([asks(newId()), asks(null)]).toEqual(['payment.updated', 'payment.requires_auth']);
  });
});
