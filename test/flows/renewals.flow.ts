import { World } from '../world.js';
import { Story, at } from './story.js';

let world: World;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

describe('a subscription that renews', () => {
  it('is billed at the end of each month, from a 31st to the last day of shorter ones', async () => {
    const story = await Story.begin(world, '2025-01-31');
    const id = await story.subscribed({}, { payment_method: await story.card() });
    await story.settled(id);
    expect(await story.subscription(id)).toMatchObject({
      status: 'ACTIVE',
      active: true,
      starting_date: { $date: at('2025-01-31') },
      current_billing_date_period_start: { $date: at('2025-01-31') },
      current_billing_date_period_end: { $date: at('2025-02-28') },
      next_billing_date: { $date: at('2025-02-28') },
      payments: [],
    });
    await story.until('2025-04-30');
    expect(await story.bill(id)).toEqual([
      ['2025-02-28', 30, 'SUCCEEDED'],
      ['2025-03-31', 30, 'SUCCEEDED'],
      ['2025-04-30', 30, 'SUCCEEDED'],
    ]);
    const subscription = await story.subscription(id);
    expect(subscription).toMatchObject({
      status: 'ACTIVE',
      current_billing_date_period_start: { $date: at('2025-04-30') },
      current_billing_date_period_end: { $date: at('2025-05-31') },
      last_billed_date: { $date: at('2025-04-30') },
      last_billed_amount: 30,
      collection_state: 'OK',
    });
    const payments = await story.payments(id);
    expect(subscription.payments).toEqual(payments.map(({ _id }) => _id));
    expect(await story.ledger()).toMatchObject({ captured: 9000, charges: 3 });
  });

  it('names its newest 24 payments; the list has all of them', async () => {
    const story = await Story.begin(world, '2025-01-01');
    const daily = { interval_unit: 'DAY' };
    const id = await story.subscribed(daily, { payment_method: await story.card() });
    await story.until('2025-01-28');
    const payments = await story.payments(id);
    expect(payments.length).toBeGreaterThan(24);
    const { payments: named } = await story.subscription(id);
    expect(named).toEqual(payments.slice(-24).map(({ _id }) => _id));
  });

  it('pays in advance where the plan says so', async () => {
    const story = await Story.begin(world, '2025-06-01');
    const id = await story.subscribed({ prepay: true }, { payment_method: await story.card() });
    await story.settled(id);
    expect(await story.bill(id)).toEqual([['2025-06-01', 30, 'SUCCEEDED']]);
    await story.until('2025-08-15');
    expect(await story.bill(id)).toEqual([
      ['2025-06-01', 30, 'SUCCEEDED'],
      ['2025-07-01', 30, 'SUCCEEDED'],
      ['2025-08-01', 30, 'SUCCEEDED'],
    ]);
  });
});
