import { CouponStore } from '@commerce/catalog';
import { idIn } from '@commerce/testing';

import { Shop, errorsIn, type Buyer } from '../shop.js';
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

const TENTH = { percent_off: 0.1 };

const post = (by: Buyer, values: object): Promise<any> =>
  by.client.post('/orders', { items: [{ product: tea }], ...values });

const buy = (by: Buyer, coupon: string): Promise<any> => post(by, { coupon, payment_method: by.card });

describe('A coupon for some products', () => {
  it('lowers their lines only, and what is quoted is charged and explained', async () => {
    const by = await shop.buyer();
    const [mug, lid] = [await shop.product({ price: 10, vat: 0.1 }), await shop.product({ price: 3 })];
    const cup = await shop.subProduct([mug], { price: 2 });
    const { id, code } = await shop.coupon({ percent_off: 0.5, products: [mug, cup], duration: 'FOREVER' });
    const items = [{ product: tea }, { product: mug, quantity: 2, sub_products: [cup] }, { product: lid }];
    const quoted = await post(by, { coupon: code, items });
    expect(quoted.body.items.map(({ coupon, total }: any) => [coupon, total])).toEqual([
      ...[
        [0, 20],
        [12, 12],
        [0, 3],
      ],
    ]);
    const path = `/orders/${idIn(quoted.body)}/pay`;
    const paid = await by.client.made(path, { payment_method: by.card });
    expect([quoted.body.amount, paid.amount, paid.status]).toEqual([35, 35, 'PAID']);
    expect(await shop.ledger(by)).toMatchObject({ captured: 3500 });
    const explained = await world.admin.read(`/payments/${paid.payment.$oid}/explanation`);
    expect(explained).toMatchObject({ agrees: true });
    expect(explained.lines).toContainEqual(
      expect.objectContaining({
        label: 'Coupon',
        amount: -12,
        note: expect.stringContaining('24.00 EUR, on'),
      }),
    );
    expect(await world.get(CouponStore).in(world.company).get(id)).toMatchObject({
      used_count: 1,
      reservations: [],
    });
  });

  it('takes an amount off no more than they cost', async () => {
    const by = await shop.buyer();
    const mug = await shop.product({ price: 4 });
    const { code } = await shop.coupon({ amount_off: 5, currency: 'EUR', products: [mug] });
    const { body } = await post(by, { coupon: code, items: [{ product: tea }, { product: mug }] });
    expect([body.amount, body.items.map(({ coupon }: any) => coupon)]).toEqual([20, [0, 4]]);
  });

  it('or for plans alone is refused on other orders, and no card is charged', async () => {
    const by = await shop.buyer();
    const mug = await shop.product({});
    const plan = { interval_unit: 'MONTH', currency: 'EUR', total_amount: 10 };
    const plans = [idIn(await world.admin.made('/plans', plan))];
    const cases = {
      [(await shop.coupon({ ...TENTH, products: [mug] })).code]: 'coupon.not_for_these_products',
      [(await shop.coupon({ ...TENTH, plans })).code]: 'coupon.not_for_orders',
    };
    for (const [coupon, code] of Object.entries(cases)) {
      const asked = { items: [{ product: tea }], user: by.id, payment_method: by.card, coupon };
      const answer = await world.admin.post('/orders', asked);
      expect([answer.status, answer.body.code, errorsIn(answer.body)]).toEqual([422, code, { coupon: code }]);
    }
    expect(await shop.ledger(by)).toMatchObject({ charges: 0 });
    const both = await shop.coupon({ ...TENTH, plans, products: [tea] });
    expect((await buy(by, both.code)).body).toMatchObject({ status: 'PAID', amount: 18 });
  });
});

describe('A coupon that another process has just created', () => {
  it('is good for an order although the clock of that process is ahead', async () => {
    const by = await shop.buyer();
    const { id, code } = await shop.coupon({ ...TENTH, max_redemptions: 1 });
    const ahead = new Date(Date.now() + 5000);
    const dates = { created: ahead, starting_date: ahead };
    await shop.database.collection('coupons').updateOne({ code }, { $set: dates });
    const { status, body } = await buy(by, code);
    expect([status, body.status, body.amount]).toEqual([200, 'PAID', 18]);
    expect(body.created.$date).toBeLessThan(ahead.getTime());
    expect((await world.admin.read(`/coupons/${id}`)).used_count).toBe(1);
  });

  it('is refused before a start of its own', async () => {
    const by = await shop.buyer();
    const { code } = await shop.coupon({ ...TENTH, starting_date: Date.now() + 5000 });
    const { status, body } = await buy(by, code);
    expect([status, body.code]).toEqual([422, 'coupon.not_usable']);
  });
});
