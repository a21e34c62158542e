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
      note: 'Quickly',
      created: AT,
      updated: AT,
    });
    expect(order.breakdown.parts[0].vat).toEqual([{ rate: 0.24, net: 16.12, vat: 3.87, gross: 19.99 }]);
    await world.admin.put(`/products/${tea}`, { name: 'Tea', price: 19.99 });
    expect(await buyer.client.read(`/orders/${idIn(order)}`)).toEqual(order);
  });

  it('charges at once where a payment method is given', async () => {
    const order = await buyer.client.made('/orders', { items: [{ product: tea }], payment_method: buyer.card });
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
