import { randomUUID } from 'node:crypto';

import { PaymentStore, Settlement } from '@commerce/payments';
import { callProvider, eventually, idIn } from '@commerce/testing';
import supertest from 'supertest';

import { Shop, type Buyer } from '../shop.js';
import { World } from '../world.js';
import { Payers } from './payers.js';

let world: World;
let shop: Shop;
let tea: string;
let payers: Payers;

beforeAll(async () => {
  world = await World.start();
  shop = new Shop(world);
  payers = new Payers(world);
  tea = await shop.product({ price: 20 });
});
afterAll(() => world.stop());

const AS_MERCHANT = { authorization: 'Bearer sk_test_world' };

const items = (): object[] => [{ product: tea }];

async function order({ client }: Buyer, values: object = {}): Promise<any> {
  return client.made('/orders', { items: items(), ...values });
}

const read = (one: any): Promise<any> => world.admin.read(`/orders/${idIn(one)}`);

describe('POST /orders/<id>/cancel', () => {
  it('finally ends an order that is not paid', async () => {
    const by = await shop.buyer();
    const waiting = await order(by);
    const cancelled = await by.client.made(`/orders/${idIn(waiting)}/cancel`);
    expect(cancelled).toMatchObject({ status: 'CANCELLED' });
    expect(await shop.kinds(idIn(waiting))).toEqual(['order.created', 'order.cancelled']);
    for (const move of ['pay', 'cancel']) {
      const answer = await by.client.post(`/orders/${idIn(waiting)}/${move}`, {});
      expect([answer.status, answer.body.current]).toEqual([409, 'CANCELLED']);
    }
  });

  it('abandons the payment that waits for its customer', async () => {
    const by = await shop.buyer('authenticationRequired');
    const { body: payment } = await by.client.post('/orders', { items: items(), payment_method: by.card });
    const cancelled = await by.client.made(`/orders/${payment.order.$oid}/cancel`);
    expect(cancelled).toMatchObject({ status: 'CANCELLED' });
    expect(await shop.payment(cancelled)).toMatchObject({
      status: 'FAILED',
      attempts: [{ code: 'order.cancelled' }],
    });
    await shop.authenticates(payment);
    expect(await shop.ledger(by)).toMatchObject({ charges: 0 });
  });

  it('refuses a paid order: that is refunded', async () => {
    const by = await shop.buyer();
    const paid = await order(by, { payment_method: by.card });
    const answer = await by.client.post(`/orders/${idIn(paid)}/cancel`);
    expect([answer.status, answer.body.code, answer.body.current]).toEqual([
      409,
      'order.state_conflict',
      'PAID',
    ]);
  });

  it('refunds money that arrives nevertheless, and an event reports it', async () => {
    const by = await shop.buyer('authenticationRequired');
    const { body: payment } = await by.client.post('/orders', { items: items(), payment_method: by.card });
    // The customer approves just before the cancellation reaches the provider.
    await shop.authenticates(payment);
    const cancelled = await by.client.made(`/orders/${payment.order.$oid}/cancel`);
    expect(cancelled).toMatchObject({ status: 'CANCELLED' });
    expect(await shop.payment(cancelled)).toMatchObject({
      status: 'REFUNDED',
      refunded_amount: 20,
      refunds: [{ amount: 20, status: 'SUCCEEDED', reason: 'order.cancelled' }],
    });
    expect(await shop.ledger(by)).toMatchObject({ captured: 2000, refunded: 2000 });
    const told = await shop.events(idIn(payment));
    expect(told.at(-1)).toMatchObject({ kind: 'payment.updated', object: { status: 'REFUNDED' } });
    expect(told.at(-1)!.object.refunds[0].reason).toBe('order.cancelled');
  });
});

describe('A refund', () => {
  it('in part leaves the order PAID, of the rest makes it REFUNDED', async () => {
    const by = await shop.buyer();
    const paid = await order(by, { payment_method: by.card });
    const refund = (body: object): Promise<any> =>
      world.admin.made(`/payments/${paid.payment.$oid}/refunds`, body);
    expect(await refund({ amount: 5 })).toMatchObject({ status: 'PARTIALLY_REFUNDED' });
    expect(await read(paid)).toMatchObject({ status: 'PAID' });
    expect(await refund({})).toMatchObject({ status: 'REFUNDED', refunded_amount: 20 });
    expect(await read(paid)).toMatchObject({ status: 'REFUNDED' });
    expect((await shop.events(idIn(paid))).at(-1)).toMatchObject({
      kind: 'order.updated',
      previous_data: { status: 'PAID' },
    });
  });
});

describe('A dispute', () => {
  /** The customer's bank disputes a charge, and the provider reports how the dispute ends. */
  async function dispute(payment: any): Promise<{ ends: (how: 'winning' | 'losing') => Promise<void> }> {
    const { stripe } = payers;
    const intent = String(payment.provider.intent_id);
    await callProvider(world.sandbox.url, 'POST', '/sandbox/settle', {}, AS_MERCHANT);
    const { data } = await stripe.disputes.list({ payment_intent: intent });
    const report = async (type: string): Promise<void> => {
      const payload = JSON.stringify({
        id: `evt_${randomUUID()}`,
        object: 'event',
        type,
        data: { object: { ...data[0], payment_intent: intent } },
      });
      const secret = 'whsec_world';
      const { status } = await supertest(world.baseUrl)
        .post('/provider_notices/stripe')
        .set('Content-Type', 'application/json')
        .set('Stripe-Signature', stripe.webhooks.generateTestHeaderString({ payload, secret }))
        .send(payload);
      expect(status).toBe(200);
    };
    await report('charge.dispute.created');
    return {
      ends: async (how) => {
        const evidence = { uncategorized_text: `${how}_evidence` };
        await stripe.disputes.update(data[0]!.id, { evidence, submit: true });
        await report('charge.dispute.closed');
      },
    };
  }

  const disputed = async (one: any, status: string): Promise<any> =>
    eventually(
      () => shop.payment(one),
      (payment) => payment.status === status,
    );

  const refund = (one: any, body: object): Promise<any> =>
    world.admin.made(`/payments/${one.payment.$oid}/refunds`, body);

  it.each([
    ['won', 'winning', 'REFUNDED'],
    ['lost', 'losing', 'DISPUTED'],
  ] as const)(
    'of a fully refunded charge leaves the order REFUNDED, also when it is %s',
    async (_, how, end) => {
      const by = await shop.buyer('createDispute');
      const paid = await order(by, { payment_method: by.card });
      await refund(paid, {});
      const { ends } = await dispute(await shop.payment(paid));
      await disputed(paid, 'DISPUTED');
      expect(await read(paid)).toMatchObject({ status: 'REFUNDED' });
      await ends(how);
      await disputed(paid, end);
      expect(await read(paid)).toMatchObject({ status: 'REFUNDED' });
      const told = await shop.events(idIn(paid));
      expect(told.map(({ object }) => object.status)).toEqual(['PENDING_PAYMENT', 'PAID', 'REFUNDED']);
    },
  );

  it('of a partly refunded charge leaves the order PAID', async () => {
    const by = await shop.buyer('createDispute');
    const paid = await order(by, { payment_method: by.card });
    await refund(paid, { amount: 5 });
    const { ends } = await dispute(await shop.payment(paid));
    await disputed(paid, 'DISPUTED');
    expect(await read(paid)).toMatchObject({ status: 'PAID' });
    await ends('winning');
    await disputed(paid, 'PARTIALLY_REFUNDED');
    expect(await read(paid)).toMatchObject({ status: 'PAID' });
    await refund(paid, {});
    expect(await read(paid)).toMatchObject({ status: 'REFUNDED' });
  });

  it('does not hide that the provider refunded all of the money meanwhile', async () => {
    const by = await shop.buyer('createDispute');
    const paid = await order(by, { payment_method: by.card });
    const payment = await shop.payment(paid);
    await dispute(payment);
    await disputed(paid, 'DISPUTED');
    const found = await world.get(PaymentStore).in(world.company).get(idIn(payment));
    const news = {
      kind: 'known',
      key: null,
      refund_id: 're_1',
      amount_minor: 2000,
      status: 'succeeded',
    } as const;
    await world.get(Settlement).settleRefunds(found, [news]);
    expect(await shop.payment(paid)).toMatchObject({ status: 'DISPUTED', refunded_amount: 20 });
    expect(await read(paid)).toMatchObject({ status: 'REFUNDED' });
  });
});

describe('An Idempotency-Key', () => {
  it('repeats the 422 with the payment, and the 402', async () => {
    for (const [name, status] of [
      ['authenticationRequired', 422],
      ['chargeDeclined', 402],
    ] as const) {
      const by = await shop.buyer(name);
      const keyed = by.client.with({ 'Idempotency-Key': `buy-${name}` });
      const body = { items: items(), payment_method: by.card };
      const first = await keyed.post('/orders', body);
      const second = await keyed.post('/orders', body);
      expect([first.status, second.status]).toEqual([status, status]);
      expect(second.headers['idempotent-replayed']).toBe('true');
      expect(second.headers['content-type']).toBe(first.headers['content-type']);
      expect({ ...second.body, request_id: null }).toEqual({ ...first.body, request_id: null });
      const orders = await by.client.read('/orders');
      expect(orders).toHaveLength(1);

      const paying = by.client.with({ 'Idempotency-Key': `pay-${name}` });
      const again = await shop.buyer(name);
      const waiting = await again.client.made('/orders', { items: items() });
      expect(waiting.status).toBe('PENDING_PAYMENT');
      const own = again.client.with({ 'Idempotency-Key': 'pay' });
      const path = `/orders/${idIn(waiting)}/pay`;
      const [one, two] = [
        await own.post(path, { payment_method: again.card }),
        await own.post(path, { payment_method: again.card }),
      ];
      expect([one.status, two.status]).toEqual([status, status]);
      expect({ ...two.body, request_id: null }).toEqual({ ...one.body, request_id: null });
      expect((await paying.get('/orders')).status).toBe(200);
    }
  });

  it('is free again after an invalid request', async () => {
    const by = await shop.buyer();
    const keyed = by.client.with({ 'Idempotency-Key': 'mend' });
    expect((await keyed.post('/orders', { items: [] })).status).toBe(422);
    expect((await keyed.post('/orders', { items: items() })).status).toBe(200);
  });
});
