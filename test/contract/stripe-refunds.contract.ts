import type { PaymentRecord } from '@commerce/payments';

import { PaymentsBench } from './stripe-harness.js';

let bench: PaymentsBench;

beforeAll(async () => {
  bench = await PaymentsBench.start();
});
afterAll(() => bench.stop());

const refund = (payment: PaymentRecord, amount?: number): Promise<PaymentRecord> =>
  bench.payments.refund(bench.admin, payment._id.toHexString(), { amount, reason: 'goodwill' });

describe('refunds of a payment', () => {
  it('refund a part, then the rest', async () => {
    const card = await bench.card();
    const paid = await bench.charged(card);
    expect(await refund(paid, 30)).toMatchObject({
      status: 'PARTIALLY_REFUNDED',
      refunded_amount: 30,
      refunds: [
        {
          amount: 30,
          status: 'SUCCEEDED',
          reason: 'goodwill',
          provider_refund_id: expect.stringMatching(/^re_/),
        },
      ],
    });
    expect(await refund(paid)).toMatchObject({ status: 'REFUNDED', refunded_amount: 100 });
    expect(await bench.ledger(card)).toMatchObject({ captured: 10_000, refunded: 10_000 });
    await expect(refund(paid, 0.01)).rejects.toMatchObject({ code: 'refund.too_large' });
    await expect(refund(paid)).rejects.toMatchObject({ code: 'refund.too_large' });
  });

  it('of 70 and 70 of 100 at the same time: one is done, one refused', async () => {
    const card = await bench.card();
    const paid = await bench.charged(card);
    const answers = await Promise.allSettled([refund(paid, 70), refund(paid, 70)]);
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(answers.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'refund.too_large' },
    });
    expect(await bench.ledger(card)).toMatchObject({ refunded: 7000 });
    expect((await bench.read(paid)).refunded_amount).toBe(70);
  });

  it('of 10 each, twenty at the same time: ten are done', async () => {
    const card = await bench.card();
    const paid = await bench.charged(card);
    const answers = await Promise.allSettled(Array.from({ length: 20 }, () => refund(paid, 10)));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    let now = await bench.read(paid);
    if (now.check_at !== null) now = await bench.checked(paid);
    expect(now).toMatchObject({ status: 'REFUNDED', refunded_amount: 100 });
    expect(await bench.ledger(card)).toMatchObject({ refunded: 10_000 });
  });

  it.each(['timeout_after_charge', 'timeout_once', '500_twice_after_charge', '500_after_charge', '429_once'])(
    'are made once when the provider does not reply (%s)',
    async (fault) => {
      const card = await bench.card();
      const paid = await bench.charged(card);
      await bench.script(card, { next_refunds: fault });
      let now = await refund(paid, 40);
      expect(now.refunds[0]?.status).toBe('PENDING');
      for (let check = 1; check <= 3 && now.refunded_amount === 0; check += 1)
        now = await bench.checked(paid);
      expect(now).toMatchObject({ status: 'PARTIALLY_REFUNDED', refunded_amount: 40, check_at: null });
      expect(await bench.ledger(card)).toMatchObject({ refunded: 4000 });
    },
  );

  it('are made once when the process died before or after sending', async () => {
    const card = await bench.card();
    const paid = await bench.charged(card);
    await bench.script(card, { next_refunds: 'timeout_after_charge' });
    await refund(paid, 40);
    bench.clock.push(48 * 3_600_000);
    expect(await bench.checked(paid)).toMatchObject({ refunded_amount: 40 });
    expect(await bench.ledger(card)).toMatchObject({ refunded: 4000 });
  });

  it('that the bank delays are checked later', async () => {
    const card = await bench.card();
    const paid = await bench.charged(card);
    await bench.script(card, { next_refunds: 'pending' });
    const pending = await refund(paid, 40);
    expect(pending).toMatchObject({
      status: 'SUCCEEDED',
      refunded_amount: 0,
      refunds: [{ status: 'PENDING' }],
    });
    await expect(refund(paid, 61)).rejects.toMatchObject({ code: 'refund.too_large' });
    await bench.sandbox.raw('POST', '/sandbox/settle');
    expect(await bench.checked(paid)).toMatchObject({ status: 'PARTIALLY_REFUNDED', refunded_amount: 40 });
  });

  it('are refused for an uncaptured payment', async () => {
    const failed = await bench.charged(await bench.card('pm_card_chargeDeclined'));
    await expect(refund(failed, 1)).rejects.toMatchObject({ code: 'payment.state_conflict' });
  });

  it('take amounts of the currency only', async () => {
    const paid = await bench.charged(await bench.card());
    await expect(refund(paid, 1.005)).rejects.toMatchObject({ code: 'value.invalid' });
    await expect(refund(paid, 0)).rejects.toMatchObject({ code: 'refund.too_large' });
  });
});
