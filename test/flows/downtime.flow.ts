import { BillingProcessor } from '@commerce/billing';
import { idIn } from '@commerce/testing';

import { World } from '../world.js';
import { DAY, Scenario } from './scenario.js';

let world: World;

beforeAll(async () => {
  // Without a worker, nothing is billed until the test starts one.
  world = await World.start({ worker: false });
});
afterAll(() => world.stop());

describe('three months without a worker', () => {
  it('are billed afterwards, period by period, the oldest first, once an admin has released them', async () => {
    const scenario = await Scenario.begin(world, '2025-01-01');
    const { id: user } = await world.user();
    const living = Object.assign(Object.create(Scenario.prototype), scenario, { user }) as Scenario;
    const payment_method = await living.card();
    const plan = await living.plan({ interval_unit: 'WEEK', total_amount: 7 });
    const id = idIn(await world.admin.made('/subscriptions', { plan, user, payment_method }));
    const starting_date = Date.now() - 92 * DAY;
    await living.does(id, 'start', { starting_date });
    expect(await living.payments(id)).toEqual([]);
    const billing = world.get(BillingProcessor);
    expect((await billing.runDue(new Date())).subscriptions).toBe(1);
    expect(await living.payments(id)).toHaveLength(3);
    expect(await scenario.subscription(id)).toMatchObject({ held: { reason: 'catch_up', periods: 10 } });
    await world.admin.made(`/subscriptions/${id}/release`);
    const report = await billing.runDue(new Date());
    expect(report.subscriptions).toBe(1);
    const payments = await living.payments(id);
    expect(
      payments.map(({ period_start }) => Math.round((period_start.$date - starting_date) / DAY)),
    ).toEqual(Array.from({ length: 13 }, (_, week) => week * 7));
    expect(payments.every(({ status }) => status === 'SUCCEEDED')).toBe(true);
    expect(await living.ledger()).toMatchObject({ charges: 13, captured: 9100 });
    expect(await world.get(BillingProcessor).runDue(new Date())).toEqual({ subscriptions: 0, steps: 0 });
  });
});
