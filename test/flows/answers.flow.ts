import { idIn } from '@commerce/testing';

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

const explained = (payment: any): Promise<any> => world.admin.read(`/payments/${idIn(payment)}/explanation`);

/** Checks that the lines of every explanation add up to the charge. */
async function allExplained(payments: readonly any[]): Promise<void> {
  for (const payment of payments) {
    const { charged, recomputed, agrees, lines } = await explained(payment);
    expect({ charged, recomputed, agrees }).toEqual({
      charged: { amount: payment.amount, currency: payment.currency },
      recomputed: { amount: payment.amount, currency: payment.currency },
      agrees: true,
    });
    const cents = lines.reduce((sum: number, { amount }: any) => sum + Math.round((amount ?? 0) * 100), 0);
    expect(cents).toBe(Math.round(payment.amount * 100));
  }
}

/** The charges between two dates, by month and currency. */
function charged(payments: readonly any[], from: number, to: number): object[] {
  const sums = new Map<string, { cents: number; charges: number }>();
  for (const { created, amount, currency } of payments) {
    if (created.$date < from || created.$date >= to) continue;
    const key = `${new Date(created.$date).toISOString().slice(0, 7)} ${String(currency)}`;
    const { cents, charges } = sums.get(key) ?? { cents: 0, charges: 0 };
    sums.set(key, { cents: cents + Math.round(amount * 100), charges: charges + 1 });
  }
  return [...sums].sort().map(([key, { cents, charges }]) => {
    const [month, currency] = key.split(' ');
    return { month, currency, amount: cents / 100, credit_applied: 0, charges };
  });
}

describe('A forecast', () => {
  it('equals the charges made once the clock has advanced, to the cent; and every charge can be explained', async () => {
    const scenario = await Scenario.begin(world, '2026-01-15');
    const payment_method = await scenario.card();
    const coffee = await shop.product({ name: 'Coffee', price: 19.99, vat: 0.07 });
    const items = [{ product: coffee, quantity: 2, discount: 0.1 }];
    const bill = { payment_method };
    const all = [
      await scenario.subscribed({ prepay: true, setup_fee: 10 }, bill),
      await scenario.subscribed(
        { interval_unit: 'ANNUAL', billing_interval: 'MONTH', total_amount: 1000 },
        bill,
      ),
      await scenario.subscribed(
        { prepay: true, interval_unit: 'WEEK', total_amount: undefined, items },
        bill,
      ),
      await scenario.subscribed({ prepay: true, trial_days: 20, currency: 'USD' }, bill),
      await scenario.subscribed({ prepay: true }, { ...bill, starting_date: at('2026-03-31') } as any),
      await scenario.subscribed({ prepay: true }, { ...bill, interval_total: 2 } as any),
    ];
    const stopped = await scenario.subscribed({ total_amount: 29 }, bill);
    const paused = await scenario.subscribed({ total_amount: 31 }, bill);
    const unpaid = idIn(
      await world.admin.made('/subscriptions', {
        plan: await scenario.plan({ prepay: true }),
        user: scenario.user,
      }),
    );
    all.push(stopped, paused);
    for (const id of all) await scenario.settled(id);
    await scenario.does(stopped, 'stop', { ending_date: at('2026-03-02') });
    await scenario.until('2026-02-10');
    await scenario.does(paused, 'pause', { resume_at: at('2026-04-05') });
    for (const id of all) await scenario.settled(id);

    const query = { months: 5, test_clock: scenario.clock };
    const forecast = await world.admin.read('/forecast', query);
    expect(forecast).toMatchObject({
      from: { $date: at('2026-02-10') },
      to: { $date: at('2026-07-01') },
      timezone: 'UTC',
      subscriptions: 8,
      not_included: 0,
    });
    await scenario.until(at('2026-07-01') - 1);
    const payments = (await Promise.all([...all, unpaid].map((id) => scenario.payments(id)))).flat();
    expect(payments.every(({ status }) => status === 'SUCCEEDED')).toBe(true);
    // The charges on the day itself precede the forecast.
    const rest = charged(payments, at('2026-02-10') + 1, at('2026-07-01'));
    expect(rest.length).toBeGreaterThan(8);
    expect(forecast.amounts).toEqual(rest);
    await allExplained(payments);
  });

  it('leaves out, but counts, held subscriptions and those whose product has changed its currency', async () => {
    const scenario = await Scenario.begin(world, '2026-01-01');
    const product = await shop.product();
    const items = [{ product }];
    const bill = { payment_method: await scenario.card() };
    await scenario.settled(await scenario.subscribed({ items, total_amount: undefined }, bill));
    await scenario.settled(await scenario.subscribed({}, bill));
    const heldOne = await scenario.subscribed({}, bill);
    await scenario.settled(heldOne);
    const { Types } = await import('mongoose');
    const held = { reason: 'error', since: new Date(), periods: 1 };
    const subscriptions = shop.database.collection('subscriptions');
    await subscriptions.updateOne({ _id: new Types.ObjectId(heldOne) }, { $set: { held } });
    // Changes the product directly, as was possible before plans protected its currency.
    const products = shop.database.collection('products');
    await products.updateOne({ _id: new Types.ObjectId(product) }, { $set: { currency: 'USD' } });
    expect(await world.admin.read('/forecast', { months: 2, test_clock: scenario.clock })).toMatchObject({
      subscriptions: 1,
      not_included: 2,
      amounts: [{ month: '2026-02', currency: 'EUR', amount: 30, charges: 1 }],
    });
  });

  it('counts months by the timezone of the company, and nothing of another company', async () => {
    const other = await world.stranger({ timezone: 'America/New_York' });
    const forecast = await other.admin.read('/forecast');
    expect(forecast).toMatchObject({ timezone: 'America/New_York', subscriptions: 0, amounts: [] });
    expect(new Date(forecast.to.$date).toISOString()).toMatch(/-01T0[45]:00:00.000Z$/);
  });

  it.each([
    ['more than 36 months', { months: 37 }, 'months'],
    ['none', { months: 0 }, 'months'],
    ['an unknown test clock', { test_clock: 'f'.repeat(24) }, 'test_clock'],
  ])('refuses %s', async (_case, query, path) => {
    const { status, body } = await world.admin.get('/forecast', query);
    expect([status, body.errors[0].path]).toEqual([422, path]);
  });

  it('is for admins', async () => {
    const { client } = await world.user();
    expect((await client.get('/forecast')).status).toBe(403);
  });
});

describe('An explanation', () => {
  it('counts the days up to a pause, and names debt', async () => {
    const scenario = await Scenario.begin(world, '2026-03-01');
    const id = await scenario.subscribed(
      { total_amount: 31, should_retry_payments: false },
      { payment_method: await scenario.card() },
    );
    await scenario.settled(id);
    await scenario.bankAlways('generic_decline');
    await scenario.until('2026-04-02');
    await scenario.bankAlways();
    await scenario.until('2026-05-11');
    await scenario.does(id, 'pause');
    await scenario.settled(id);
    const payments = await scenario.payments(id);
    await allExplained(payments);
    const [first, second, third] = await Promise.all(payments.map(explained));
    expect(first.lines).toEqual([
      { label: 'Mar 1 – 31, 2026', amount: 31, note: '31.00 EUR per month: 31.00 EUR' },
    ]);
    expect(second.lines).toMatchObject([
      { label: 'Apr 1 – 30, 2026', amount: 31 },
      { label: 'Owed from before', amount: 31 },
    ]);
    expect(third.lines).toMatchObject([
      { label: 'May 1 – 10, 2026', amount: 10, note: '10 of 31 days, of 31.00 EUR per month: 31.00 EUR' },
    ]);
  });

  it('of an order names the items, and is for its owner', async () => {
    const tea = await shop.product({ price: 20, vat: 0.07 });
    const cup = await shop.subProduct([tea], { price: 5, vat: 0.19 });
    const { code } = await shop.coupon({ percent_off: 0.5 });
    const buyer = await shop.buyer();
    const items = [{ product: tea, quantity: 2, sub_products: [cup] }];
    const order = await world.admin.made('/orders', {
      items,
      coupon: code,
      user: buyer.id,
      payment_method: buyer.card,
    });
    const payment = await shop.payment(order);
    await allExplained([payment]);
    const path = `/payments/${idIn(payment)}/explanation`;
    const own = await buyer.client.read(path);
    expect(own).toEqual(await explained(payment));
    expect(own.lines.slice(0, 2)).toEqual([
      { label: '2 × Tea', amount: 50, note: '20.00 EUR each, with Cup at 5.00 EUR' },
      { label: 'Coupon', amount: -25, note: '50 % of 50.00 EUR' },
    ]);
    const { client } = await world.user();
    expect((await client.get(path)).status).toBe(404);
    expect((await (await world.stranger()).admin.get(path)).status).toBe(404);
  });

  it('reports an amount that differs from its breakdown, or that cannot be recomputed', async () => {
    const scenario = await Scenario.begin(world, '2026-01-01');
    const id = await scenario.subscribed({ prepay: true }, { payment_method: await scenario.card() });
    await scenario.settled(id);
    const [payment] = await scenario.payments(id);
    const payments = shop.database.collection('payments');
    const { Types } = await import('mongoose');
    const key = { _id: new Types.ObjectId(idIn(payment)) };
    await payments.updateOne(key, { $set: { amount: 31 } });
    expect(await explained(payment)).toMatchObject({
      charged: { amount: 31 },
      recomputed: { amount: 30 },
      agrees: false,
    });
    await payments.updateOne(key, { $set: { 'breakdown.parts.0.priced_from.total_amount': 30.001 } });
    const { recomputed, agrees, lines } = await explained(payment);
    expect({ recomputed, agrees }).toEqual({ recomputed: null, agrees: false });
    expect(lines[0].note).toContain('more decimals than EUR allows');
  });
});
