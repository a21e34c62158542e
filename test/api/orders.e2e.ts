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
  it('keeps the prices, and waits where no payment method is given', async () => {
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

  it('charges at once where a payment method is given', async () => {
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
    const [created, updated] = await shop.told(idIn(order));
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

describe('PUT /orders/<id>', () => {
  it('changes the note, and nothing else', async () => {
    const order = await buyer.client.made('/orders', { items: [{ product: tea }] });
    const at = `/orders/${idIn(order)}`;
    const { status, body } = await buyer.client.put(at, { note: 'By the door' });
    expect([status, body]).toEqual([200, { ...order, note: 'By the door', updated: body.updated }]);
    expect((await buyer.client.put(at, { note: 'By the door' })).status).toBe(200);
    expect(await shop.kinds(idIn(order))).toEqual(['order.created', 'order.updated']);
    expect((await shop.told(idIn(order)))[1]!.previous_data).toEqual({ note: null });
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
    for (const query of [{ status: 'lost' }, { sort: 'amount' }, { size: 0 }, { colour: 'red' }]) {
      expect((await world.admin.get('/orders', query as never)).status).toBe(422);
    }
  });
});

describe('Who may see an order', () => {
  it('is its user and the admins of its company', async () => {
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

  it('an admin names the user, a user does not name another', async () => {
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
