import { PaymentStore, PaymentWriter } from '@commerce/payments';
import { UnitsOfWork } from '@commerce/data';
import { eventually } from '@commerce/testing';

import { World } from '../world.js';
import { Payers, at } from './payers.js';

let world: World;
let payers: Payers;

beforeAll(async () => {
  world = await World.start({ env: { LEASE_MS: '500' } });
  payers = new Payers(world);
});
afterAll(() => world.stop());

describe('GET /payments', () => {
  it('shows a payment whole, except for its internal fields', async () => {
    const by = await payers.payer();
    const payment = await payers.charged(by);
    const shown = await by.client.read(at(payment));
    expect(shown).toEqual({
      _id: { $oid: payment._id.toHexString() },
      company: { $oid: world.company.toHexString() },
      _cls: 'Payment',
      user: { $oid: by.id },
      subscription: null,
      order: null,
      kind: 'order',
      status: 'SUCCEEDED',
      amount: 100,
      credit_applied: 0,
      currency: 'EUR',
      period_start: null,
      period_end: null,
      payment_method: by.card._id,
      attempts: [
        {
          number: 1,
          at: { $date: expect.any(Number) },
          payment_method: by.card._id,
          code: null,
          message: null,
          decline: null,
          status: 'SUCCEEDED',
        },
      ],
      refunded_amount: 0,
      owed_amount: 0,
      refunds: [],
      breakdown: { currency: 'EUR', amount: 100, parts: [] },
      metadata: {
        payment_intent_id: payment.provider.intent_id,
        payment_method_id: by.card.payment_method_id,
      },
      provider: {
        name: 'stripe',
        intent_id: payment.provider.intent_id,
        charge_id: payment.provider.charge_id,
      },
      pay_url: null,
      created: { $date: expect.any(Number) },
      updated: { $date: expect.any(Number) },
    });
  });

  it("lists a user's own, an admin's all, by state", async () => {
    const by = await payers.payer();
    await payers.charged(by);
    await payers.charged(by, { payment_method: null });
    expect((await by.client.get('/payments', { total: true })).headers['x-total-count']).toBe('2');
    expect(await by.client.read('/payments', { status: 'failed' })).toHaveLength(1);
    expect(await world.admin.read('/payments', { user: by.id, status: 'SUCCEEDED' })).toHaveLength(1);
    expect((await world.admin.get('/payments', { status: 'PAID' })).status).toBe(422);
    const other = await payers.payer();
    expect(await other.client.read('/payments')).toEqual([]);
  });

  it("is 404 for others' payments, of this company and of another", async () => {
    const payment = await payers.charged(await payers.payer());
    const other = await payers.payer();
    const stranger = await world.stranger();
    for (const client of [other.client, stranger.admin]) {
      expect((await client.get(at(payment))).status).toBe(404);
      expect(
        (await client.post(`${at(payment)}/confirm`, { payment_intent_id: 'a', payment_client_secret: 'b' }))
          .status,
      ).toBe(404);
    }
    expect((await stranger.admin.post(`${at(payment)}/refunds`, {})).status).toBe(404);
  });
});

describe('POST /payments/<id>/confirm', () => {
  it('replies with the payment as the provider has it, twice the same', async () => {
    const by = await payers.payer('pm_card_authenticationRequired');
    const payment = await payers.charged(by);
    const waiting = await by.client.read(at(payment));
    expect(waiting.status).toBe('REQUIRES_AUTH');
    const { payment_intent_id, intent_client_secret } = waiting.metadata;
    const body = { payment_intent_id, payment_client_secret: intent_client_secret };
    expect((await by.client.made(`${at(payment)}/confirm`, body)).status).toBe('REQUIRES_AUTH');
    await payers.approve(payment);
    const first = await by.client.made(`${at(payment)}/confirm`, body);
    expect(first.status).toBe('SUCCEEDED');
    expect(await by.client.made(`${at(payment)}/confirm`, body)).toEqual(first);
    expect(JSON.stringify(first)).not.toContain('_secret_');
  });

  it.each([
    ['another intent', { payment_intent_id: 'pi_other' }],
    ['another secret', { payment_client_secret: 'pi_other_secret_x' }],
  ])('refuses %s', async (_what, change) => {
    const by = await payers.payer('pm_card_authenticationRequired');
    const payment = await payers.charged(by);
    const { metadata } = await by.client.read(at(payment));
    const body = {
      payment_intent_id: metadata.payment_intent_id,
      payment_client_secret: metadata.intent_client_secret,
      ...change,
    };
    const refused = await by.client.post(`${at(payment)}/confirm`, body);
    expect(refused.status).toBe(422);
    expect(refused.body.code).toBe('payment.confirmation_invalid');
  });

  it('needs both', async () => {
    const by = await payers.payer();
    const payment = await payers.charged(by);
    const refused = await by.client.post(`${at(payment)}/confirm`, {});
    expect(refused.status).toBe(422);
    expect(refused.body.errors.map(({ path }: { path: string }) => path).sort()).toEqual([
      'payment_client_secret',
      'payment_intent_id',
    ]);
  });
});

describe('POST /payments/<id>/refunds', () => {
  it('is for admins', async () => {
    const by = await payers.payer();
    const payment = await payers.charged(by);
    expect((await by.client.post(`${at(payment)}/refunds`, { amount: 1 })).status).toBe(403);
  });

  it('refunds a part, then the rest, and no more', async () => {
    const payment = await payers.charged(await payers.payer());
    const part = await world.admin.made(`${at(payment)}/refunds`, { amount: 29.99, reason: 'broken' });
    expect(part).toMatchObject({
      status: 'PARTIALLY_REFUNDED',
      refunded_amount: 29.99,
      refunds: [
        {
          amount: 29.99,
          status: 'SUCCEEDED',
          reason: 'broken',
          requested_by: world.serviceKey.split('_')[2],
        },
      ],
    });
    const rest = await world.admin.made(`${at(payment)}/refunds`);
    expect(rest).toMatchObject({ status: 'REFUNDED', refunded_amount: 100 });
    const more = await world.admin.post(`${at(payment)}/refunds`, { amount: 0.01 });
    expect(more.status).toBe(422);
    expect(more.body.code).toBe('refund.too_large');
  });

  it('of 70 and 70 of 100 in parallel: one is done, one is 422', async () => {
    const payment = await payers.charged(await payers.payer());
    const answers = await Promise.all(
      [70, 70].map((amount) => world.admin.post(`${at(payment)}/refunds`, { amount })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect(await world.admin.read(at(payment))).toMatchObject({ refunded_amount: 70 });
  });

  it('is 409 for an uncaptured payment, 422 for an invalid amount', async () => {
    const failed = await payers.charged(await payers.payer('pm_card_chargeDeclined'));
    expect((await world.admin.post(`${at(failed)}/refunds`, { amount: 1 })).status).toBe(409);
    const paid = await payers.charged(await payers.payer());
    for (const amount of [-1, 0, 0.001, '10', 1e300]) {
      expect((await world.admin.post(`${at(paid)}/refunds`, { amount })).status).toBe(422);
    }
  });

  it('happens once under one Idempotency-Key', async () => {
    const payment = await payers.charged(await payers.payer());
    const once = world.admin.with({ 'Idempotency-Key': `refund-${payment._id.toHexString()}` });
    const first = await once.made(`${at(payment)}/refunds`, { amount: 10 });
    expect(await once.made(`${at(payment)}/refunds`, { amount: 10 })).toEqual(first);
    expect(await world.admin.read(at(payment))).toMatchObject({ refunded_amount: 10 });
  });
});

describe('a worker', () => {
  it('makes the charge of a process that died before it sent it', async () => {
    const by = await payers.payer();
    const payment = await payers.opened(by);
    const paid = await eventually(
      () => by.client.read(at(payment)),
      ({ status }) => status === 'SUCCEEDED',
    );
    expect(paid.attempts).toHaveLength(1);
    const { data } = await payers.stripe.paymentIntents.list({ customer: by.card.customer_id });
    expect(data).toHaveLength(1);
  });

  it('sends the refund of a process that died before it sent it', async () => {
    const payment = await payers.charged(await payers.payer());
    const refund = { key: 'stop', amount_minor: 2500, reason: null };
    await world.get(UnitsOfWork).write(world.company, async (work) => {
      const fresh = await world.get(PaymentStore).in(world.company).get(payment._id);
      await world.get(PaymentWriter).refund(work, fresh, refund);
    });
    await eventually(
      () => world.admin.read(at(payment)),
      ({ refunded_amount }) => refunded_amount === 25,
    );
  });
});
