import { idIn } from '@commerce/testing';

import { Scenario, at } from '../flows/scenario.js';
import { World } from '../world.js';

let world: World;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

const preview = (body: object): Promise<any> => world.admin.made('/subscriptions/preview', body);
const paths = (body: { errors: { path: string }[] }): string[] => body.errors.map(({ path }) => path);

describe('POST /subscriptions/preview', () => {
  it('shows the next charges and stores nothing', async () => {
    const scenario = await Scenario.begin(world, '2026-01-31');
    const plan = await scenario.plan({ prepay: true, setup_fee: 10 });
    const charges = await preview({ plan, user: scenario.user, count: 3 });
    expect(charges).toMatchObject([
      { date: { $date: at('2026-01-31') }, amount: 40, kind: 'period' },
      { date: { $date: at('2026-02-28') }, amount: 30, kind: 'period' },
      {
        date: { $date: at('2026-03-31') },
        amount: 30,
        period_start: { $date: at('2026-03-31') },
        period_end: { $date: at('2026-04-30') },
        breakdown: { currency: 'EUR', amount: 30 },
      },
    ]);
    expect(charges).toHaveLength(3);
    expect(await world.admin.read('/subscriptions', { user: scenario.user })).toEqual([]);
  });

  it('of a plan with many products ends early, as the preview of the plan does', async () => {
    const made = (name: string, values: object): Promise<any> =>
      world.admin.made('/products', { name, price: 1, currency: 'EUR', ...values });
    const product = idIn(await made('Box', {}));
    const parts = await Promise.all(
      [1, 2, 3, 4].map((n) => made(`Part ${String(n)}`, { main_product: false })),
    );
    const sub_products = parts.map(idIn);
    await world.admin.changed(`/products/${product}/sub_products`, { add: sub_products });
    const items = Array.from({ length: 100 }, () => ({ product, quantity: 1, sub_products }));
    const plan = { name: 'Large', interval_unit: 'MONTH', prepay: true, items };
    const large = idIn(await world.admin.made('/plans', plan));
    const charges = await preview({ plan: large, count: 36 });
    expect(charges).toHaveLength(3);
    expect(JSON.stringify(charges).length).toBeLessThan(1_000_000);
    const planned = await world.admin.made('/plans/preview', { ...plan, count: 36 });
    expect(planned.charges).toHaveLength(3);
  });

  it('shows the later charges, to the day and the cent', async () => {
    const scenario = await Scenario.begin(world, '2026-01-31');
    const plan = await scenario.plan({
      interval_unit: 'ANNUAL',
      billing_interval: 'MONTH',
      total_amount: 1000,
    });
    const body = { plan, user: scenario.user, payment_method: await scenario.card() };
    const foreseen = await preview({ ...body, count: 12 });
    const { _id } = await world.admin.made('/subscriptions', { ...body, start_now: true });
    await scenario.until('2027-02-01');
    const billed = await scenario.payments(_id.$oid);
    const facts = ({ amount, kind, period_start, period_end, breakdown }: any): object => ({
      ...{ amount, kind, period_start, period_end, breakdown },
    });
    expect(billed.map(facts)).toEqual(foreseen.map(facts));
    expect(billed.map(({ created }) => created)).toEqual(foreseen.map(({ date }: any) => date));
    expect(billed).toHaveLength(12);
  });

  it('shows quarters and quantities as they are charged; the setup fee is charged once', async () => {
    const scenario = await Scenario.begin(world, '2026-01-31');
    const plan = await scenario.plan({ interval_count: 3, total_amount: 10, setup_fee: 5, prepay: true });
    const body = { plan, quantity: 3, user: scenario.user, payment_method: await scenario.card() };
    const foreseen = await preview({ ...body, count: 3 });
    expect(foreseen.map(({ date, amount }: any) => [date.$date, amount])).toEqual([
      [at('2026-01-31'), 35],
      [at('2026-04-30'), 30],
      [at('2026-07-31'), 30],
    ]);
    const [, second] = foreseen;
    expect(second.breakdown.parts[0]).toMatchObject({
      interval_unit: 'MONTH',
      interval_count: 3,
      billing_interval_count: 3,
      whole: 30,
      priced_from: { total_amount: 10, quantity: 3 },
    });
    const made = await world.admin.made('/subscriptions', { ...body, start_now: true });
    expect(made.quantity).toBe(3);
    await scenario.until('2026-08-01');
    const billed = await scenario.payments(made._id.$oid);
    expect(billed.map(({ created, amount }) => [created.$date, amount])).toEqual(
      foreseen.map(({ date, amount }: any) => [date.$date, amount]),
    );
    const { lines } = await world.admin.read(`/payments/${String(billed[1]._id.$oid)}/explanation`);
    expect(lines[0].note).toBe('3 × 10.00 EUR per 3 months: 30.00 EUR');
    const ahead = await world.admin.read(`/subscriptions/${String(made._id.$oid)}/preview`, { count: 1 });
    expect(ahead.charges[0]).toMatchObject({ date: { $date: at('2026-10-31') }, amount: 30 });
  });

  it('refuses a quantity that makes the price too large, as a start does', async () => {
    const scenario = await Scenario.begin(world, '2026-01-31');
    const plan = await scenario.plan({ total_amount: 1_000_000_000 });
    const body = { plan, user: scenario.user, quantity: 1_000_000 };
    for (const path of ['/subscriptions/preview', '/subscriptions']) {
      const { status, body: problem } = await world.admin.post(path, body);
      expect([status, problem.code, paths(problem)]).toEqual([422, 'amount.invalid', ['quantity']]);
    }
  });

  it.each([0, 1_000_001, 1.5, null])('refuses the quantity %p', async (quantity) => {
    const scenario = await Scenario.begin(world, '2026-01-31');
    const body = { plan: await scenario.plan(), user: scenario.user, quantity };
    for (const path of ['/subscriptions/preview', '/subscriptions']) {
      const { status, body: problem } = await world.admin.post(path, body);
      expect([status, paths(problem)]).toEqual([422, ['quantity']]);
    }
  });

  it('ends with the subscription', async () => {
    const scenario = await Scenario.begin(world, '2026-01-01');
    const body = { plan: await scenario.plan(), user: scenario.user, interval_total: 2 };
    expect(await preview({ ...body, count: 36 })).toHaveLength(2);
    expect(await preview({ ...body, interval_total: 20 })).toHaveLength(12);
  });

  it.each([
    ['more than 36', { count: 37 }, 'count'],
    ['none', { count: 0 }, 'count'],
    ['an unknown plan', { plan: 'f'.repeat(24) }, 'plan'],
    ['an unknown field', { price: 1 }, 'price'],
  ])('refuses %s', async (_case, values, path) => {
    const scenario = await Scenario.begin(world, '2026-01-01');
    const body = { plan: await scenario.plan(), user: scenario.user, ...values };
    const answer = await world.admin.post('/subscriptions/preview', body);
    expect([answer.status, paths(answer.body)]).toEqual([422, [path]]);
  });

  it('is open to users, for themselves', async () => {
    const scenario = await Scenario.begin(world, '2026-01-01');
    const plan = await scenario.plan();
    const { client } = await world.user();
    expect(await client.made('/subscriptions/preview', { plan, count: 1 })).toHaveLength(1);
    const other = await client.post('/subscriptions/preview', { plan, user: scenario.user });
    expect(other.status).toBe(422);
  });
});
