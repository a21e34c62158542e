import { CouponStore } from '@commerce/catalog';
import { eventually, idIn } from '@commerce/testing';

import { Shop } from '../shop.js';
import { World } from '../world.js';
import { Scenario, at } from './scenario.js';

let world: World;
let shop: Shop;

beforeAll(async () => {
  world = await World.start();
  shop = new Shop(world);
});
afterAll(() => world.stop());

describe('A customer on a test clock', () => {
  it('buys at the dates of the clock: with the coupon until it ends, then without', async () => {
    const scenario = await Scenario.begin(world, '2025-06-01');
    const payment_method = await scenario.card();
    const tea = await shop.product({ price: 20, vat: 0.07 });
    const cup = await shop.subProduct([tea], { price: 5, vat: 0.19 });
    const { id, code } = await shop.coupon({
      percent_off: 0.5,
      starting_date: at('2025-06-01'),
      ending_date: at('2025-07-01'),
      max_redemptions: 5,
    });
    const items = [{ product: tea, quantity: 2, sub_products: [cup] }];
    const body = { items, user: scenario.user, payment_method };

    const first = await world.admin.made('/orders', { ...body, coupon: code });
    expect(first).toMatchObject({ status: 'PAID', amount: 25, created: { $date: at('2025-06-01') } });
    expect(first.breakdown.parts[0].vat.map(({ rate, gross }: any) => [rate, gross])).toEqual([
      [0.07, 20],
      [0.19, 5],
    ]);
    expect((await shop.payment(first)).created).toEqual({ $date: at('2025-06-01') });

    await world.admin.changed(`/products/${tea}`, { price: 30 });
    await scenario.until('2025-06-30T23:59');
    const second = await world.admin.made('/orders', { ...body, coupon: code });
    expect(second).toMatchObject({ status: 'PAID', amount: 35 });

    await scenario.until('2025-07-01');
    const late = await world.admin.post('/orders', { ...body, coupon: code });
    expect([late.status, late.body.code]).toEqual([422, 'coupon.expired']);
    expect(late.body.detail).toContain('test clock');
    const third = await world.admin.made('/orders', body);
    expect(third).toMatchObject({ status: 'PAID', amount: 70, coupon: null });

    await world.admin.made(`/payments/${String(first.payment.$oid)}/refunds`, {});
    const orders = await world.admin.read('/orders', { user: scenario.user, sort: 'created' });
    expect(orders.map((order: any) => [idIn(order), order.status, order.amount])).toEqual([
      [idIn(first), 'REFUNDED', 25],
      [idIn(second), 'PAID', 35],
      [idIn(third), 'PAID', 70],
    ]);
    expect((await world.admin.read(`/coupons/${id}`)).used_count).toBe(2);
    expect(await scenario.ledger()).toMatchObject({ captured: 13_000, refunded: 2500, charges: 3 });
  });

  it('who must authenticate has seven days of the clock, after which the coupon is free again', async () => {
    const scenario = await Scenario.begin(world, '2025-06-01');
    const payment_method = await scenario.card('authenticationRequired');
    const tea = await shop.product({ price: 20 });
    const { id, code } = await shop.coupon({ percent_off: 0.5, starting_date: at('2025-06-01') });
    const body = { items: [{ product: tea }], user: scenario.user, payment_method, coupon: code };
    const order = await world.admin.made('/orders', body);
    expect(order).toMatchObject({ status: 'REQUIRES_AUTH', amount: 10 });
    const read = (): Promise<any> => world.admin.read(`/orders/${idIn(order)}`);

    await scenario.until('2025-06-07T23:59');
    expect(await read()).toMatchObject({ status: 'REQUIRES_AUTH' });
    await scenario.until('2025-06-30');
    const given = await read();
    expect(given).toMatchObject({ status: 'PENDING_PAYMENT', updated: { $date: at('2025-06-08') } });
    expect(await shop.payment(given)).toMatchObject({
      status: 'FAILED',
      attempts: [{ code: 'authentication.expired' }],
    });
    const coupons = world.get(CouponStore).in(world.company);
    await eventually(
      async () => (await coupons.get(id)).reservations.length,
      (held) => held === 0,
    );
    expect(await scenario.ledger()).toMatchObject({ charges: 0 });

    const another = await scenario.card();
    const paid = await world.admin.made(`/orders/${idIn(order)}/pay`, { payment_method: another });
    expect(paid).toMatchObject({ status: 'PAID', amount: 10 });
    expect((await coupons.get(id)).used_count).toBe(1);
  });

  it('who pays and does not, again and again, is charged once', async () => {
    const scenario = await Scenario.begin(world, '2025-06-01');
    const payment_method = await scenario.card();
    const product = await shop.product({ price: 12 });
    const order = await world.admin.made('/orders', { items: [{ product }], user: scenario.user });
    const pay = (): Promise<any> =>
      world.admin.post(`/orders/${idIn(order)}/pay`, { payment_method, off_session: true });
    await scenario.bank('generic_decline', 'insufficient_funds', 'timeout_after_charge');
    expect([(await pay()).status, (await pay()).status]).toEqual([402, 402]);
    const unknown = await pay();
    expect([unknown.status, unknown.body.status]).toEqual([200, 'PENDING_PAYMENT']);
    expect((await pay()).body.code).toBe('order.state_conflict');
    await scenario.providerHurries();
    const paid = await eventually(
      () => world.admin.read(`/orders/${idIn(order)}`),
      ({ status }: any) => status === 'PAID',
    );
    expect((await shop.payment(paid)).attempts.map(({ status }: any) => status)).toEqual([
      'FAILED',
      'FAILED',
      'SUCCEEDED',
    ]);
    expect(await scenario.ledger()).toMatchObject({ captured: 1200, charges: 1 });
  });
});
