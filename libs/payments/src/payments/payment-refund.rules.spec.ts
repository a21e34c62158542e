import { applyRefunds, cappedRefund, reserveRefund, type RefundNews } from './payment-refund.rules.js';
import type { PaymentRecord } from './payment.record.js';
import { after, NOW, payment, settled, SOFT, SUCCESS } from './payment.spec-data.js';

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

  it('never exceed the captured amount, counting pending ones', () => {
    const once = reserved(paid(), 'a', 7000);
    expect(() => reserved(once, 'b', 7000)).toThrow(expect.objectContaining({ code: 'refund.too_large' }));
    expect(reserved(once, 'b', 3000).refunds).toHaveLength(2);
  });

  it('can be capped at the rest, or at nothing', () => {
    const draft = { key: 'b', amount_minor: 7000, reason: null };
    const once = reserved(paid(), 'a', 6000);
    expect(cappedRefund(paid(), draft)).toEqual(draft);
    expect(cappedRefund(once, draft)).toEqual({ ...draft, amount_minor: 4000 });
    expect(cappedRefund(reserved(once, 'c', 4000), draft)).toBeNull();
    expect(cappedRefund(settled(payment(), SOFT), draft)).toBeNull();
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

  it('free the money again where the bank returns it', () => {
    const first = reserved(paid(), 'a', 7000);
    const part = after(first, applyRefunds(first, [known('a', 'succeeded')], NOW));
    const back = after(part, applyRefunds(part, [known('a', 'failed')], NOW));
    expect([back.status, back.refunded_amount]).toEqual(['SUCCEEDED', 0]);
    const instead = { key: 'b', amount_minor: 10000, reason: null, instead_of: 'a' };
    expect(reserveRefund(back, instead, NOW)).toMatchObject({ owed_amount: 0, refunds: [{}, { key: 'b' }] });
    expect(() => reserved(back, 'b', 10000)).toThrow(expect.objectContaining({ code: 'refund.too_large' }));
  });

  it('are imported where they were made at the provider', () => {
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
