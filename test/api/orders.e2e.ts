import { parseId } from '@commerce/records';
import { idIn } from '@commerce/testing';

import { Shop, errorsIn, type Buyer } from '../shop.js';
import { World } from '../world.js';

let world: World;
let shop: Shop;
let tea: string;
let buyer: Buyer;

beforeAll(async () => {
  world = await World.start();
  shop = new Shop(world);
  tea = await shop.product({ price: 19.99, vat: 0.24 });
  buyer = await shop.buyer();
});
afterAll(() => world.stop());

const ID = { $oid: expect.stringMatching(/^[0-9a-f]{24}$/) };
const AT = { $date: expect.any(Number) };

describe('POST /orders', () => {
  it('keeps the prices, and waits without a payment method', async () => {
    const order = await buyer.client.made('/orders', { items: [{ product: tea }], note: 'Quickly' });
    expect(order).toEqual({
      _id: ID,
      company: { $oid: world.company.toHexString() },
      _cls: 'Order',
      user: { $oid: buyer.id },
      human_id: expect.stringMatching(/^[2-9A-HJKMNP-Z]{6}$/),
      status: 'PENDING_PAYMENT',
      items: [
        {
          product: { $oid: tea },
          name: 'Tea',
          price: 19.99,
          final_price: 19.99,
          vat: 0.24,
          quantity: 1,
          discount: 0,
          sub_products: [],
          amount: 19.99,
          coupon: 0,
          total: 19.99,
        },
      ],
      currency: 'EUR',
      amount: 19.99,
      coupon: null,
      breakdown: expect.objectContaining({ currency: 'EUR', amount: 19.99 }),
      payment_method: null,
      payment: null,
      payments: [],
      pay_url: null,
      note: 'Quickly',
      created: AT,
      updated: AT,
    });
    expect(order.breakdown.parts[0].vat).toEqual([{ rate: 0.24, net: 16.12, vat: 3.87, gross: 19.99 }]);
    await world.admin.put(`/products/${tea}`, { name: 'Tea', price: 19.99 });
    expect(await buyer.client.read(`/orders/${idIn(order)}`)).toEqual(order);
  });

  it('charges immediately when a payment method is given', async () => {
    const order = await buyer.client.made('/orders', {
      items: [{ product: tea }],
      payment_method: buyer.card,
    });
    expect(order).toMatchObject({ status: 'PAID', payment: ID, payments: [order.payment] });
    const payment = await shop.payment(order);
    expect(payment).toMatchObject({
      kind: 'order',
      order: order._id,
      subscription: null,
      status: 'SUCCEEDED',
      amount: 19.99,
      breakdown: order.breakdown,
    });
    expect(await shop.kinds(idIn(order))).toEqual(['order.created', 'order.updated']);
    const [created, updated] = await shop.events(idIn(order));
    expect([created!.object.payment, updated!.object.status]).toEqual([payment._id.$oid, 'PAID']);
    expect(updated!.previous_data).toEqual({ status: 'PENDING_PAYMENT' });
    expect(await shop.ledger(buyer)).toMatchObject({ captured: 1999, charges: 1 });
  });

  it('names each item that cannot be bought', async () => {
    const off = await shop.product({ active: false });
    const cup = await shop.subProduct([tea]);
    const dollars = await shop.product({ currency: 'USD' });
    const answer = await buyer.client.post('/orders', {
      items: [{ product: tea }, { product: off }, { product: dollars }, { product: cup, quantity: 0 }],
    });
    expect(answer.status).toBe(422);
    expect(errorsIn(answer.body)).toEqual({
      'items.1.product': 'product.inactive',
      'items.2.product': 'product.currency_differs',
      'items.3.quantity': 'value.invalid',
    });
  });
});

describe('A quantity', () => {
  const ordered = (quantity: number, product: string, by = buyer.client): Promise<any> =>
    by.post('/orders', { items: [{ product, quantity }], ...(by === world.admin ? { user: buyer.id } : {}) });

  const NOT_IN_STEPS = { 'items.0.quantity': 'quantity.not_in_steps' };
  const LOST = { 'items.0.quantity': 'amount.rounds_to_zero' };

  it('of users is a whole number, and never so small that a product is free', async () => {
    const mug = await shop.product({ price: 12 });
    const before = await shop.database.collection('orders').countDocuments({});
    for (const quantity of [0.0001, 0.5, 1.25]) {
      const { status, body } = await ordered(quantity, mug);
      expect([status, errorsIn(body)]).toEqual([422, NOT_IN_STEPS]);
    }
    expect(await shop.database.collection('orders').countDocuments({})).toBe(before);
    expect((await ordered(2, mug)).body).toMatchObject({ status: 'PENDING_PAYMENT', amount: 24 });
  });

  it('is a multiple of the step of its product and of its sub-products, exactly', async () => {
    const cheese = await shop.product({ price: 20, quantity_step: 0.1 });
    expect((await ordered(0.3, cheese)).body).toMatchObject({ status: 'PENDING_PAYMENT', amount: 6 });
    for (const by of [buyer.client, world.admin])
      expect(errorsIn((await ordered(0.25, cheese, by)).body)).toEqual(NOT_IN_STEPS);
    const basket = await shop.subProduct([cheese], { price: 15 });
    const items = [{ product: cheese, quantity: 0.1, sub_products: [basket] }];
    expect(errorsIn((await buyer.client.post('/orders', { items })).body)).toEqual(NOT_IN_STEPS);
    await world.admin.changed(`/products/${cheese}`, { quantity_step: null });
    expect(errorsIn((await ordered(0.3, cheese)).body)).toEqual(NOT_IN_STEPS);
    for (const quantity_step of [0, -1, 1e9, '1']) {
      const refused = await world.admin.put(`/products/${cheese}`, { quantity_step });
      expect([refused.status, Object.keys(errorsIn(refused.body))]).toEqual([422, ['quantity_step']]);
    }
  });

  it('of admins is free, but one that rounds to nothing is refused to them too', async () => {
    const mug = await shop.product({ price: 12 });
    expect((await ordered(0.5, mug, world.admin)).body).toMatchObject({ amount: 6 });
    const lost = await ordered(0.0001, mug, world.admin);
    expect([lost.status, lost.body.code, errorsIn(lost.body)]).toEqual([422, 'amount.rounds_to_zero', LOST]);
    const dust = await shop.product({ price: 10, quantity_step: 0.0001 });
    expect(errorsIn((await ordered(0.0004, dust)).body)).toEqual(LOST);
    expect((await ordered(0.05, dust)).body).toMatchObject({ amount: 0.5 });
  });
});

describe('An order that would be free by rounding', () => {
  it('is refused; one that costs nothing is PAID', async () => {
    const sweet = await shop.product({ price: 0.6 });
    const nearly = await shop.coupon({ percent_off: 0.9999 });
    const items = [{ product: sweet }];
    const refused = await buyer.client.post('/orders', { items, coupon: nearly.code });
    expect([refused.status, errorsIn(refused.body)]).toEqual([422, { coupon: 'amount.rounds_to_zero' }]);
    for (const off of [{ percent_off: 1 }, { amount_off: 0.6, currency: 'EUR' }]) {
      const { code } = await shop.coupon(off);
      expect(await buyer.client.made('/orders', { items, coupon: code })).toMatchObject({ status: 'PAID' });
    }
    const free = await world.admin.made('/orders', {
      items: [{ product: sweet, discount: 1 }],
      user: buyer.id,
    });
    expect(free).toMatchObject({ status: 'PAID', amount: 0 });
  });

  it('nor can a product become free that way', async () => {
    const values = { name: 'Crumb', currency: 'EUR', price: 0.01, active: true };
    const made = await world.admin.post('/products', { ...values, discount: 0.6 });
    expect([made.status, errorsIn(made.body)]).toEqual([422, { discount: 'amount.rounds_to_zero' }]);
    const crumb = await shop.product({ ...values, discount: 0.4 });
    const _id = parseId(crumb)!;
    await shop.database
      .collection('products')
      .updateOne({ _id }, { $set: { discount: 0.6, final_price: 0 } });
    const refused = await ordered100(crumb);
    expect([refused.status, errorsIn(refused.body)]).toEqual([
      422,
      { 'items.0.product': 'amount.rounds_to_zero' },
    ]);
  });

  const ordered100 = (product: string): Promise<any> =>
    buyer.client.post('/orders', { items: [{ product, quantity: 100 }] });
});

describe('PUT /orders/<id>', () => {
  it('changes the note, and nothing else', async () => {
    const order = await buyer.client.made('/orders', { items: [{ product: tea }] });
    const at = `/orders/${idIn(order)}`;
    const { status, body } = await buyer.client.put(at, { note: 'By the door' });
    expect([status, body]).toEqual([200, { ...order, note: 'By the door', updated: body.updated }]);
    expect((await buyer.client.put(at, { note: 'By the door' })).status).toBe(200);
    expect(await shop.kinds(idIn(order))).toEqual(['order.created', 'order.updated']);
    expect((await shop.events(idIn(order)))[1]!.previous_data).toEqual({ note: null });
    for (const field of ['status', 'amount', 'items', 'payment', 'company', 'coupon']) {
      const refused = await buyer.client.put(at, { [field]: 'x' });
      expect([refused.status, errorsIn(refused.body)]).toEqual([422, { [field]: 'field.unknown' }]);
    }
  });
});

describe('GET /orders', () => {
  it("lists a user's own, an admin's all, by user and status", async () => {
    const other = await shop.buyer();
    const waiting = await other.client.made('/orders', { items: [{ product: tea }] });
    const paid = await other.client.made('/orders', {
      items: [{ product: tea }],
      payment_method: other.card,
    });
    const ids = (orders: any[]): string[] => orders.map(idIn);
    expect(ids(await other.client.read('/orders'))).toEqual([idIn(paid), idIn(waiting)]);
    expect(ids(await other.client.read('/orders', { status: 'paid' }))).toEqual([idIn(paid)]);
    expect(ids(await world.admin.read('/orders', { user: other.id, sort: 'created' }))).toEqual([
      idIn(waiting),
      idIn(paid),
    ]);
    expect(await other.client.read('/orders', { user: buyer.id })).toEqual([]);
    for (const query of [{ status: 'lost' }, { sort: 'note' }, { size: 0 }, { colour: 'red' }]) {
      expect((await world.admin.get('/orders', query as never)).status).toBe(422);
    }
  });
});

describe('Access to an order', () => {
  it('belongs to its user and the admins of its company', async () => {
    const order = await buyer.client.made('/orders', { items: [{ product: tea }] });
    const other = await shop.buyer();
    const stranger = await world.stranger();
    const at = `/orders/${idIn(order)}`;
    expect((await world.admin.get(at)).status).toBe(200);
    expect((await world.anonymous.get(at)).status).toBe(401);
    for (const caller of [other.client, stranger.admin]) {
      expect((await caller.get(at)).status).toBe(404);
      expect((await caller.put(at, { note: 'Mine' })).status).toBe(404);
      expect((await caller.post(`${at}/pay`, { payment_method: other.card })).status).toBe(404);
      expect((await caller.post(`${at}/cancel`)).status).toBe(404);
    }
    const foreign = await stranger.admin.post('/orders', { items: [{ product: tea }], user: buyer.id });
    expect([foreign.status, foreign.body.code]).toEqual([422, 'user.unknown']);
  });

  it('requires an admin to name the user, and a user not to name another', async () => {
    const items = [{ product: tea }];
    const other = await shop.buyer();
    expect(errorsIn((await world.admin.post('/orders', { items })).body)).toEqual({ user: 'value.invalid' });
    const named = await buyer.client.post('/orders', { items, user: other.id });
    expect([named.status, errorsIn(named.body)]).toEqual([422, { user: 'value.invalid' }]);
    const away = await buyer.client.post('/orders', { items, off_session: true });
    expect([away.status, errorsIn(away.body)]).toEqual([422, { off_session: 'value.invalid' }]);
    const cheap = await buyer.client.post('/orders', { items: [{ product: tea, discount: 0.5 }] });
    expect([cheap.status, cheap.body.code]).toEqual([403, 'role.forbidden']);
    const given = { items: [{ product: tea, discount: 0.5 }], user: buyer.id };
    expect(await world.admin.made('/orders', given)).toMatchObject({ amount: 10, user: { $oid: buyer.id } });
  });
});
