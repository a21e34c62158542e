import { SubscriptionRecord } from '@commerce/billing';
import { PaymentRecord } from '@commerce/payments';
import { makeRecord, newId } from '@commerce/records';

import { timelineLines } from './timeline-lines.js';
import { paymentTimeline, subscriptionTimeline } from './timeline.js';

const company = newId();
const at = (date: string): Date => new Date(`${date}T00:00:00Z`);
const subscription = makeRecord(
  SubscriptionRecord,
  { company, currency: 'EUR', status: 'ACTIVE', starting_date: at('2026-01-02') },
  at('2026-01-01'),
);
const attempt = {
  number: 1,
  at: at('2026-02-02'),
  payment_method: null,
  status: 'FAILED' as const,
  code: 'card_declined',
  message: 'Your card was declined.',
  decline: 'soft' as const,
};
const payment = makeRecord(
  PaymentRecord,
  { company, amount: 30, currency: 'EUR', kind: 'period', status: 'FAILED', attempts: [attempt] },
  at('2026-02-02'),
);
const period = { period_start: at('2026-03-02'), period_end: at('2026-04-02') };
const breakdown = { currency: 'EUR', amount: 30, parts: [] };

describe('the timeline of a subscription', () => {
  it('shows past and future events in order, with the present between them', () => {
    const charge = { amount: 30, credit_applied: 0, kind: 'period' as const, ...period, breakdown };
    const upcoming = [{ date: at('2026-03-02'), ...charge }];
    const entries = subscriptionTimeline(subscription, [payment], upcoming);
    const view = { timezone: 'Europe/Berlin', currency: 'EUR', now: at('2026-02-15') };
    expect(timelineLines(entries, view)).toEqual([
      'when (Europe/Berlin)  what                         amount',
      '2026-01-01 01:00      created',
      '2026-01-02 01:00      start',
      '2026-02-02 01:00      charged (period): FAILED  30.00 EUR  card_declined',
      '2026-02-15 01:00      ── now ──',
      '2026-03-02 01:00      will be charged (period)  30.00 EUR',
    ]);
  });
});

describe('the timeline of a payment', () => {
  it('has its attempts and refunds', () => {
    const refund = {
      key: 'a',
      amount: 5,
      status: 'SUCCEEDED' as const,
      reason: 'goodwill',
      at: at('2026-02-03'),
    };
    const refunded = { ...payment, refunds: [{ ...refund, provider_refund_id: null }] } as PaymentRecord;
    expect(paymentTimeline(refunded).map(({ what, amount, note }) => [what, amount, note])).toEqual([
      ['opened', 30, null],
      ['attempt 1: FAILED', null, 'Your card was declined.'],
      ['refund: SUCCEEDED', -5, 'goodwill'],
    ]);
  });
});
