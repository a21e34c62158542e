import { World } from '../world.js';
import { Scenario, at } from './scenario.js';

let world: World;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

describe('a subscription that renews', () => {
  it('is billed at the end of each month, from a 31st to the last day of shorter ones', async () => {
    const scenario = await Scenario.begin(world, '2025-01-31');
    const id = await scenario.subscribed({}, { payment_method: await scenario.card() });
    await scenario.settled(id);
    expect(await scenario.subscription(id)).toMatchObject({
      status: 'ACTIVE',
      active: true,
      starting_date: { $date: at('2025-01-31') },
      current_billing_date_period_start: { $date: at('2025-01-31') },
      current_billing_date_period_end: { $date: at('2025-02-28') },
      next_billing_date: { $date: at('2025-02-28') },
      payments: [],
    });
    await scenario.until('2025-04-30');
    expect(await scenario.bill(id)).toEqual([
      ['2025-02-28', 30, 'SUCCEEDED'],
      ['2025-03-31', 30, 'SUCCEEDED'],
      ['2025-04-30', 30, 'SUCCEEDED'],
    ]);
    const subscription = await scenario.subscription(id);
    expect(subscription).toMatchObject({
      status: 'ACTIVE',
      current_billing_date_period_start: { $date: at('2025-04-30') },
      current_billing_date_period_end: { $date: at('2025-05-31') },
      last_billed_date: { $date: at('2025-04-30') },
      last_billed_amount: 30,
      collection_state: 'OK',
    });
    const payments = await scenario.payments(id);
    expect(subscription.payments).toEqual(payments.map(({ _id }) => _id));
    expect(await scenario.ledger()).toMatchObject({ captured: 9000, charges: 3 });
  });

  it('names its newest 24 payments; the list has all of them', async () => {
    const scenario = await Scenario.begin(world, '2025-01-01');
    const daily = { interval_unit: 'DAY' };
    const id = await scenario.subscribed(daily, { payment_method: await scenario.card() });
    await scenario.until('2025-01-28');
    const payments = await scenario.payments(id);
    expect(payments.length).toBeGreaterThan(24);
    const { payments: named } = await scenario.subscription(id);
    expect(named).toEqual(payments.slice(-24).map(({ _id }) => _id));
  });

  it('pays in advance when the plan requires it', async () => {
    const scenario = await Scenario.begin(world, '2025-06-01');
    const id = await scenario.subscribed({ prepay: true }, { payment_method: await scenario.card() });
    await scenario.settled(id);
    expect(await scenario.bill(id)).toEqual([['2025-06-01', 30, 'SUCCEEDED']]);
    await scenario.until('2025-08-15');
    expect(await scenario.bill(id)).toEqual([
      ['2025-06-01', 30, 'SUCCEEDED'],
      ['2025-07-01', 30, 'SUCCEEDED'],
      ['2025-08-01', 30, 'SUCCEEDED'],
    ]);
  });
});
