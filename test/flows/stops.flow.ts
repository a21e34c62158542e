import { idIn } from '@commerce/testing';

import { World } from '../world.js';
import { Scenario, at } from './scenario.js';

let world: World;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

/** The expected charges: of the subscription, and in the forecast of its clock. */
async function shown(scenario: Scenario, id: string): Promise<{ next: unknown[]; forecast: unknown[] }> {
  const { charges } = await world.admin.read(`/subscriptions/${id}/preview`);
  const { amounts } = await world.admin.read('/forecast', { test_clock: scenario.clock, months: 3 });
  return {
    next: charges.map(({ date, amount }: any) => [date.$date, amount]),
    forecast: amounts.map(({ month, amount }: any) => [month, amount]),
  };
}

describe('a stop in a trial from 17 to 31 January, 30.00 a month in advance', () => {
  async function trial(): Promise<{ scenario: Scenario; id: string }> {
    const scenario = await Scenario.begin(world, '2025-01-17');
    const plan = { prepay: true, trial_days: 14 };
    const id = await scenario.subscribed(plan, { payment_method: await scenario.card() });
    await scenario.until('2025-01-20');
    return { scenario, id };
  }

  it('without a date cancels', async () => {
    const { scenario, id } = await trial();
    expect(await scenario.does(id, 'stop')).toMatchObject({ status: 'CANCELLED', in_trial: false });
    await scenario.until('2025-06-01');
    expect(await scenario.bill(id)).toEqual([]);
  });

  it('at 24 January goes on until then, and charges nothing', async () => {
    const { scenario, id } = await trial();
    const stopped = await scenario.does(id, 'stop', { ending_date: at('2025-01-24') });
    expect(stopped).toMatchObject({
      status: 'NON_RENEWING',
      active: true,
      in_trial: true,
      prorate_amount: 0,
    });
    expect(await shown(scenario, id)).toEqual({ next: [], forecast: [] });
    await scenario.until('2025-01-23');
    expect(await scenario.subscription(id)).toMatchObject({ status: 'NON_RENEWING', active: true });
    await scenario.until('2025-06-01');
    expect(await scenario.subscription(id)).toMatchObject({
      status: 'CANCELLED',
      active: false,
      in_trial: false,
    });
    expect(await scenario.bill(id)).toEqual([]);
    const last = (await scenario.events(id)).at(-1);
    expect([last?.kind, last?.created]).toEqual(['subscription.cancelled', at('2025-01-24')]);
  });

  it('at 16 February charges the days up to it', async () => {
    const { scenario, id } = await trial();
    await scenario.does(id, 'stop', { ending_date: at('2025-02-16') });
    expect(await shown(scenario, id)).toEqual({
      next: [[at('2025-01-31'), 17.14]],
      forecast: [['2025-01', 17.14]],
    });
    await scenario.until('2025-02-01');
    expect(await scenario.subscription(id)).toMatchObject({ in_trial: false, prorate_amount: -12.86 });
    await scenario.until('2025-06-01');
    expect(await scenario.bill(id)).toEqual([['2025-01-31', 17.14, 'SUCCEEDED']]);
    expect(await scenario.ledger()).toMatchObject({ captured: 1714, refunded: 0 });
    expect(await scenario.subscription(id)).toMatchObject({ status: 'CANCELLED' });
  });
});

describe('a stop in a pause', () => {
  it('cancels immediately, and the pause is settled once', async () => {
    const scenario = await Scenario.begin(world, '2025-04-01');
    const id = await scenario.subscribed({ prepay: true }, { payment_method: await scenario.card() });
    await scenario.settled(id);
    await scenario.until('2025-04-11');
    await scenario.does(id, 'pause');
    expect(await scenario.does(id, 'stop')).toMatchObject({
      status: 'CANCELLED',
      active: false,
      ending_date: { $date: at('2025-04-11') },
    });
    await scenario.settled(id);
    await scenario.until('2025-06-01');
    expect(await scenario.ledger()).toMatchObject({ captured: 3000, refunded: 2000 });
    expect((await scenario.kinds(id)).filter((kind) => kind !== 'subscription.updated')).toEqual([
      'subscription.created',
      'subscription.activated',
      'subscription.cancelled',
    ]);
    const again = await world.admin.post(`/subscriptions/${id}/stop`, {});
    expect([again.status, again.body]).toMatchObject([409, { current: 'CANCELLED', allowed: [] }]);
  });

  it('is allowed for a paused subscription', async () => {
    const scenario = await Scenario.begin(world, '2025-04-01');
    const id = await scenario.subscribed({}, { payment_method: await scenario.card() });
    await scenario.does(id, 'pause');
    const { status, body } = await world.admin.post(`/subscriptions/${id}/pause`, {});
    expect([status, body]).toMatchObject([409, { current: 'PAUSED', allowed: ['start', 'stop'] }]);
    const later = await world.admin.post(`/subscriptions/${id}/stop`, { ending_date: at('2025-04-20') });
    expect([later.status, later.body.errors]).toMatchObject([422, [{ path: 'ending_date' }]]);
  });
});

describe('a postponed end', () => {
  it('collects the rest of the period at the price of its first charge', async () => {
    const scenario = await Scenario.begin(world, '2025-04-01');
    const product = idIn(await world.admin.made('/products', { name: 'Coffee', price: 30, currency: 'EUR' }));
    const plan = { prepay: true, total_amount: undefined, items: [{ product, quantity: 1 }] };
    const starts = { payment_method: await scenario.card(), ending_date: at('2025-04-16') };
    const id = await scenario.subscribed(plan, starts);
    await scenario.settled(id);
    await world.admin.changed(`/products/${product}`, { price: 90 });
    await scenario.changes(id, { infinite: true });
    await scenario.until('2025-05-01');
    const bill = await scenario.bill(id);
    expect(bill).toEqual([
      ['2025-04-01', 15, 'SUCCEEDED'],
      ['2025-04-16', 15, 'SUCCEEDED'],
      ['2025-05-01', 90, 'SUCCEEDED'],
    ]);
    for (const { _id } of await scenario.payments(id)) {
      expect(await world.admin.read(`/payments/${_id.$oid}/explanation`)).toMatchObject({ agrees: true });
    }
  });
});

describe('a user who is deleted with stop=true', () => {
  it('gets the unused days refunded at the end of the period, as after any stop', async () => {
    const scenario = await Scenario.begin(world, '2025-04-01');
    const id = await scenario.subscribed({ prepay: true }, { payment_method: await scenario.card() });
    await scenario.settled(id);
    await scenario.until('2025-04-16');
    expect((await world.admin.delete(`/users/${scenario.user}?stop=true`)).status).toBe(200);
    expect(await scenario.subscription(id)).toMatchObject({ status: 'NON_RENEWING', prorate_amount: -15 });
    await scenario.until('2025-06-01');
    expect(await scenario.subscription(id)).toMatchObject({ status: 'CANCELLED' });
    expect(await scenario.ledger()).toMatchObject({ captured: 3000, refunded: 1500 });
  });
});
