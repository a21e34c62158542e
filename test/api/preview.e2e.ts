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
