import { idIn } from '@commerce/testing';

import { World } from '../world.js';
import { Scenario, at } from './scenario.js';

let world: World;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

const none = { added: 0, resumed: 0, expanded: 0, contracted: 0, lost: 0 };

describe('GET /revenue', () => {
  it('shows by month what recurs, and each kind of change, once', async () => {
    const scenario = await Scenario.begin(world, '2026-01-15');
    const bill = { payment_method: await scenario.card() };
    const subscribed = (plan: object, values: object = {}): Promise<string> =>
      scenario.subscribed({ prepay: true, ...plan }, { ...bill, ...values });
    const monthly = await subscribed({ setup_fee: 10 });
    await subscribed({ interval_unit: 'ANNUAL', total_amount: 1200 });
    const trial = await subscribed({ trial_days: 30, total_amount: 50 }, { quantity: 2 });
    const other = await scenario.plan({ prepay: true, total_amount: 45 });
    await scenario.until('2026-02-20');
    await world.admin.made(`/subscriptions/${monthly}/change`, { plan: other, collect: 'later' });
    await world.admin.made(`/subscriptions/${trial}/change`, { quantity: 1, collect: 'later' });
    await scenario.until('2026-03-05');
    await scenario.does(monthly, 'pause');
    await scenario.until('2026-04-02');
    await scenario.does(monthly, 'start');
    await scenario.does(trial, 'stop');
    await scenario.until('2026-04-20');
    const asked = { months: 4, test_clock: scenario.clock };
    expect(await world.admin.read('/revenue', asked)).toEqual({
      from: { $date: at('2026-01-01') },
      to: { $date: at('2026-04-20') },
      timezone: 'UTC',
      not_included: 0,
      months: [
        {
          month: '2026-01',
          currency: 'EUR',
          recurring: 130,
          subscriptions: 2,
          ...none,
          added: 130,
          churn: null,
        },
        {
          month: '2026-02',
          currency: 'EUR',
          recurring: 195,
          subscriptions: 3,
          ...none,
          added: 100,
          expanded: 15,
          contracted: 50,
          churn: 0,
        },
        {
          month: '2026-03',
          currency: 'EUR',
          recurring: 150,
          subscriptions: 2,
          ...none,
          lost: 45,
          churn: 0.2308,
        },
        {
          month: '2026-04',
          currency: 'EUR',
          recurring: 145,
          subscriptions: 2,
          ...none,
          resumed: 45,
          lost: 50,
          churn: 0.3333,
        },
      ],
    });
    // The same at a later start: what lies before is the beginning of the first month.
    const { months } = await world.admin.read('/revenue', { ...asked, months: 1 });
    expect(months).toMatchObject([{ month: '2026-04', recurring: 145, churn: 0.3333 }]);
  });

  it('counts a subscription while its payments fail, and its debt by age', async () => {
    const scenario = await Scenario.begin(world, '2026-01-15');
    const bill = { payment_method: await scenario.card() };
    await scenario.subscribed({ prepay: true, total_amount: 70 }, bill);
    const failing = await scenario.subscribed({ prepay: true, max_fail_attempts: 3 }, bill);
    const retried = {
      prepay: true,
      total_amount: 20,
      should_retry_payments: true,
      max_payment_retries: 3,
      retry_payment_in_minutes: 4320,
    };
    const retrying = await scenario.subscribed(retried, bill);
    await scenario.until('2026-02-10');
    for (const id of [failing, retrying])
      await scenario.changes(id, { payment_method: await scenario.card('chargeDeclinedInsufficientFunds') });
    await scenario.until('2026-02-16');
    const debts = async (): Promise<any[]> =>
      (await world.admin.read('/debts', { test_clock: scenario.clock })).debts;
    const eur = { currency: 'EUR', subscriptions: 1 };
    expect(await debts()).toEqual([
      {
        ...eur,
        collection_state: 'PAST_DUE',
        from_days: 0,
        to_days: 8,
        outstanding_amount: 30,
        awaiting_amount: 0,
      },
      {
        ...eur,
        collection_state: 'RETRYING',
        from_days: 0,
        to_days: 8,
        outstanding_amount: 0,
        awaiting_amount: 20,
      },
    ]);
    await scenario.until('2026-02-26');
    expect(await debts()).toMatchObject([
      { collection_state: 'PAST_DUE', from_days: 8, to_days: 31, subscriptions: 2, outstanding_amount: 50 },
    ]);
    const recurring = async (): Promise<number[]> => {
      const query = { months: 4, test_clock: scenario.clock };
      const { months } = await world.admin.read('/revenue', query);
      return months.map((month: any) => month.recurring);
    };
    expect(await recurring()).toEqual([0, 0, 120, 120]);
    // The third period that fails in a row ends it; the debt stays.
    await scenario.until('2026-04-16');
    expect((await scenario.subscription(failing)).status).toBe('CANCELLED');
    expect(await recurring()).toEqual([120, 120, 120, 90]);
    expect(await debts()).toMatchObject([
      {
        collection_state: 'PAST_DUE',
        from_days: 31,
        to_days: 61,
        outstanding_amount: 90,
        awaiting_amount: 0,
      },
      {
        collection_state: 'RETRYING',
        from_days: 31,
        to_days: 61,
        outstanding_amount: 40,
        awaiting_amount: 20,
      },
    ]);
    const good = await scenario.card();
    await scenario.changes(retrying, { payment_method: good });
    await scenario.settled(retrying);
    expect(await debts()).toMatchObject([{ collection_state: 'PAST_DUE', outstanding_amount: 90 }]);
  });

  it('leaves out what cannot be priced, and counts it', async () => {
    const scenario = await Scenario.begin(world, '2026-01-01');
    const bill = { payment_method: await scenario.card() };
    const product = idIn(
      await world.admin.made('/products', { name: 'Tea', price: 9, currency: 'EUR', active: true }),
    );
    await scenario.subscribed({ items: [{ product }], total_amount: undefined }, bill);
    await scenario.subscribed({}, bill);
    // Changes the product directly, as was possible before plans protected its currency.
    const { getConnectionToken } = await import('@nestjs/mongoose');
    const { Types } = await import('mongoose');
    const database: any = world.api.get(getConnectionToken());
    await database
      .collection('products')
      .updateOne({ _id: new Types.ObjectId(product) }, { $set: { currency: 'USD' } });
    expect(await world.admin.read('/revenue', { months: 1, test_clock: scenario.clock })).toMatchObject({
      not_included: 1,
      months: [{ currency: 'EUR', recurring: 30, subscriptions: 1 }],
    });
  });

  it('counts nothing of another company or of a test clock, and months by the timezone of the company', async () => {
    const other = await world.stranger({ timezone: 'America/New_York' });
    const { months, timezone, from } = await other.admin.read('/revenue');
    expect({ months, timezone }).toEqual({ months: [], timezone: 'America/New_York' });
    expect(new Date(from.$date).toISOString()).toMatch(/-01T0[45]:00:00.000Z$/);
    expect((await world.admin.read('/revenue')).months).toEqual([]);
    expect((await world.admin.read('/debts')).debts).toEqual([]);
  });

  it.each([
    ['/revenue', { months: 37 }, 'months'],
    ['/revenue', { months: 0 }, 'months'],
    ['/revenue', { test_clock: 'f'.repeat(24) }, 'test_clock'],
    ['/debts', { test_clock: 'f'.repeat(24) }, 'test_clock'],
  ])('%s refuses %j', async (path, query, field) => {
    const { status, body } = await world.admin.get(path, query);
    expect([status, body.errors[0].path]).toEqual([422, field]);
  });

  it('is for admins', async () => {
    const { client } = await world.user();
    expect((await client.get('/revenue')).status).toBe(403);
    expect((await client.get('/debts')).status).toBe(403);
  });
});
