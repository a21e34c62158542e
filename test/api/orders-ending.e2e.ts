import { idIn } from '@commerce/testing';

import { Shop, type Buyer } from '../shop.js';
import { World } from '../world.js';

let world: World;
let shop: Shop;
let tea: string;

beforeAll(async () => {
  world = await World.start();
  shop = new Shop(world);
  tea = await shop.product({ price: 20 });
});
afterAll(() => world.stop());

const items = (): object[] => [{ product: tea }];

async function order({ client }: Buyer, values: object = {}): Promise<any> {
  return client.made('/orders', { items: items(), ...values });
}

const read = (one: any): Promise<any> => world.admin.read(`/orders/${idIn(one)}`);

describe('POST /orders/<id>/cancel', () => {
  it('ends an order that is not paid, for good', async () => {
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

  it('gives the payment up that waits for its customer', async () => {
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

  it('gives money back that comes in nevertheless, and an event says so', async () => {
    const by = await shop.buyer('authenticationRequired');
    const { body: payment } = await by.client.post('/orders', { items: items(), payment_method: by.card });
    // The customer approves in the moment before the cancel reaches the provider.
    await shop.authenticates(payment);
    const cancelled = await by.client.made(`/orders/${payment.order.$oid}/cancel`);
    expect(cancelled).toMatchObject({ status: 'CANCELLED' });
    expect(await shop.payment(cancelled)).toMatchObject({
      status: 'REFUNDED',
      refunded_amount: 20,
      refunds: [{ amount: 20, status: 'SUCCEEDED', reason: 'order.cancelled' }],
    });
    expect(await shop.ledger(by)).toMatchObject({ captured: 2000, refunded: 2000 });
    const told = await shop.told(idIn(payment));
    expect(told.at(-1)).toMatchObject({ kind: 'payment.updated', object: { status: 'REFUNDED' } });
    expect(told.at(-1)!.object.refunds[0].reason).toBe('order.cancelled');
  });
});

describe('A refund', () => {
  it('in part leaves the order PAID, of all that is left makes it REFUNDED', async () => {
    const by = await shop.buyer();
    const paid = await order(by, { payment_method: by.card });
    const refund = (body: object): Promise<any> =>
      world.admin.made(`/payments/${paid.payment.$oid}/refunds`, body);
    expect(await refund({ amount: 5 })).toMatchObject({ status: 'PARTIALLY_REFUNDED' });
    expect(await read(paid)).toMatchObject({ status: 'PAID' });
    expect(await refund({})).toMatchObject({ status: 'REFUNDED', refunded_amount: 20 });
    expect(await read(paid)).toMatchObject({ status: 'REFUNDED' });
    expect((await shop.told(idIn(paid))).at(-1)).toMatchObject({
      kind: 'order.updated',
      previous_data: { status: 'PAID' },
    });
  });
});

describe('An Idempotency-Key', () => {
  it('gives the 422 with the payment again, and the 402', async () => {
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
