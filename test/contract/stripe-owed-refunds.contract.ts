import { ProviderWebhooks, type PaymentRecord } from '@commerce/payments';
import { UnitsOfWork } from '@commerce/data';
import { newId } from '@commerce/records';
import Stripe from 'stripe';

import { WEBHOOK_SECRET, PaymentsBench } from './stripe-harness.js';

let bench: PaymentsBench;
beforeAll(async () => {
  bench = await PaymentsBench.start();
});
afterAll(() => bench.stop());

/** Delivers a webhook of the provider for an object that it has just changed. */
async function told(type: string, object: object): Promise<void> {
  const event = { id: `evt_${newId().toHexString()}`, object: 'event', type, data: { object } };
  const payload = JSON.stringify(event);
  const timestamp = Math.floor(bench.clock.now().getTime() / 1000);
  const { webhooks } = new Stripe('sk_test_x');
  const signature = webhooks.generateTestHeaderString({ payload, timestamp, secret: WEBHOOK_SECRET });
  await bench.app.get(ProviderWebhooks).receive(Buffer.from(payload), signature);
}

/** Opens a refund that the service owes by its own rules. */
async function giveBack(payment: PaymentRecord, amount_minor: number, key = 'stop'): Promise<PaymentRecord> {
  const work = bench.app.get(UnitsOfWork).begin(bench.company, bench.clock.now());
  const refund = { key, amount_minor, reason: key };
  const reserved = await bench.writer.refund(work, await bench.read(payment), refund);
  await work.commit();
  return bench.writer.afterCommit(reserved);
}

describe('a refund that cannot be made', () => {
  it('is owed when the bank returns it, and is tried again', async () => {
    const card = await bench.card();
    const paid = await bench.charged(card);
    await bench.script(card, { next_refunds: 'fail_later' });
    expect(await giveBack(paid, 4000)).toMatchObject({ refunded_amount: 40, check_at: null });
    await bench.sandbox.raw('POST', '/sandbox/settle');
    const { data } = await bench.sandbox.stripe.refunds.list({ payment_intent: paid.provider.intent_id! });
    await told('refund.failed', data[0]!);
    const owing = await bench.read(paid);
    expect(owing).toMatchObject({ status: 'SUCCEEDED', refunded_amount: 0, owed_amount: 40 });
    expect(owing.refunds).toMatchObject([{ key: 'stop', status: 'FAILED', owed: 40 }]);

    expect(await bench.checked(paid)).toMatchObject({
      status: 'PARTIALLY_REFUNDED',
      refunded_amount: 40,
      owed_amount: 0,
      check_at: null,
      refunds: [
        { key: 'stop', status: 'FAILED', owed: 0 },
        { key: 'owed-1', status: 'SUCCEEDED', amount: 40 },
      ],
    });
    expect(await bench.ledger(card)).toMatchObject({ refunded: 4000 });
  });

  it('is settled by a refund of an admin, and not a second time', async () => {
    const card = await bench.card();
    const paid = await bench.charged(card);
    await bench.script(card, { next_refunds: 'fail_later' });
    await giveBack(paid, 4000);
    await bench.sandbox.raw('POST', '/sandbox/settle');
    const { data } = await bench.sandbox.stripe.refunds.list({ payment_intent: paid.provider.intent_id! });
    await told('refund.failed', data[0]!);
    const body = { amount: 30, reason: 'by hand', instead_of: 'stop' };
    const after = await bench.payments.refund(bench.admin, paid._id.toHexString(), body);
    expect(after).toMatchObject({ refunded_amount: 30, owed_amount: 10 });
    expect(await bench.checked(paid)).toMatchObject({ refunded_amount: 40, owed_amount: 0, check_at: null });
    expect(await bench.ledger(card)).toMatchObject({ refunded: 4000 });
  });

  it('is owed whatever else is given back, each with its cause', async () => {
    const card = await bench.card();
    const paid = await bench.charged(card);
    await bench.script(card, { next_refunds: 'balance_insufficient' });
    await giveBack(paid, 2000);
    expect(await giveBack(paid, 1000, 'change')).toMatchObject({ refunded_amount: 10, owed_amount: 20 });
    const byHand = await bench.payments.refund(bench.admin, paid._id.toHexString(), { amount: 5 });
    expect(byHand).toMatchObject({ refunded_amount: 15, owed_amount: 20 });
    const refund = (body: object): Promise<PaymentRecord> =>
      bench.payments.refund(bench.admin, paid._id.toHexString(), body);
    await expect(refund({ amount: 66 })).rejects.toMatchObject({
      code: 'refund.too_large',
      details: { refundable: 65 },
    });
    await expect(refund({ instead_of: 'change' })).rejects.toMatchObject({
      details: { errors: [{ path: 'instead_of' }] },
    });
    expect(await bench.checked(paid)).toMatchObject({
      ...{ refunded_amount: 35, owed_amount: 0, check_at: null },
      refunds: [{ key: 'stop', owed: 0 }, {}, {}, { instead_of: 'stop', reason: 'stop', amount: 20 }],
    });
    expect(await bench.ledger(card)).toMatchObject({ refunded: 3500 });
    expect(await refund({})).toMatchObject({ status: 'REFUNDED', refunded_amount: 100 });
  });

  it('of two, each is tried again by itself', async () => {
    const card = await bench.card('pm_card_refundRefused');
    const paid = await bench.charged(card);
    await giveBack(paid, 2000);
    await giveBack(paid, 1000, 'change');
    const owing = await bench.checked(paid);
    expect(owing).toMatchObject({ owed_amount: 30 });
    expect(owing.refunds.map(({ key, instead_of, owed }) => [key, instead_of, owed])).toEqual([
      ['stop', null, 0],
      ['change', null, 0],
      ['owed-2', 'stop', 20],
      ['owed-3', 'change', 10],
    ]);
  });

  it('is owed when the provider refuses it, and is tried again under another key', async () => {
    const card = await bench.card();
    const paid = await bench.charged(card);
    await bench.script(card, { next_refunds: 'balance_insufficient' });
    const owing = await giveBack(paid, 4000);
    expect(owing).toMatchObject({ status: 'SUCCEEDED', refunded_amount: 0, owed_amount: 40 });
    expect(owing.refunds).toMatchObject([{ key: 'stop', status: 'FAILED', owed: 40 }]);
    expect(await bench.ledger(card)).toMatchObject({ refunded: 0 });
    expect(await bench.checked(paid)).toMatchObject({
      status: 'PARTIALLY_REFUNDED',
      refunded_amount: 40,
      owed_amount: 0,
      check_at: null,
    });
    expect(await bench.ledger(card)).toMatchObject({ refunded: 4000 });
  });

  it('stays owed, on the books, as long as the provider refuses it', async () => {
    const card = await bench.card('pm_card_refundRefused');
    const paid = await bench.charged(card);
    let owing = await giveBack(paid, 4000);
    for (let check = 1; check <= 3; check += 1) {
      expect(owing).toMatchObject({ status: 'SUCCEEDED', refunded_amount: 0, owed_amount: 40 });
      owing = await bench.checked(paid);
    }
    expect(owing).toMatchObject({ refunded_amount: 0, owed_amount: 40, check_at: expect.any(Date) });
    expect(await bench.ledger(card)).toMatchObject({ refunded: 0 });
  });

  it('is owed while the charge is disputed, and made when the dispute is won', async () => {
    const card = await bench.card('pm_card_createDispute');
    const paid = await bench.charged(card);
    await bench.sandbox.raw('POST', '/sandbox/settle');
    const { data } = await bench.sandbox.stripe.disputes.list({ payment_intent: paid.provider.intent_id! });
    await told('charge.dispute.created', data[0]!);
    const owing = await giveBack(paid, 2500);
    expect(owing).toMatchObject({ status: 'DISPUTED', refunded_amount: 0, owed_amount: 25 });
    expect(await bench.checked(paid)).toMatchObject({ status: 'DISPUTED', owed_amount: 25 });
    await bench.sandbox.stripe.disputes.update(data[0]!.id, {
      evidence: { uncategorized_text: 'winning_evidence' },
      submit: true,
    });
    await bench.sandbox.raw('POST', '/sandbox/settle');
    await told('charge.dispute.closed', data[0]!);
    expect(await bench.read(paid)).toMatchObject({ refunded_amount: 25, owed_amount: 0, check_at: null });
    expect(await bench.ledger(card)).toMatchObject({ refunded: 2500 });
  });

  it('is given back by the bank, where the dispute is lost', async () => {
    const card = await bench.card('pm_card_createDispute');
    const paid = await bench.charged(card);
    await bench.sandbox.raw('POST', '/sandbox/settle');
    const { data } = await bench.sandbox.stripe.disputes.list({ payment_intent: paid.provider.intent_id! });
    await told('charge.dispute.created', data[0]!);
    expect(await giveBack(paid, 2500)).toMatchObject({ status: 'DISPUTED', owed_amount: 25 });
    await bench.sandbox.stripe.disputes.update(data[0]!.id, {
      evidence: { uncategorized_text: 'losing_evidence' },
      submit: true,
    });
    await bench.sandbox.raw('POST', '/sandbox/settle');
    await told('charge.dispute.closed', data[0]!);
    const lost = await bench.read(paid);
    expect(lost).toMatchObject({ status: 'DISPUTED', refunded_amount: 0, owed_amount: 0, check_at: null });
    expect(await giveBack(paid, 1000, 'change')).toMatchObject({ owed_amount: 0, refunded_amount: 0 });
    expect(await bench.ledger(card)).toMatchObject({ refunded: 0 });
  });
});
