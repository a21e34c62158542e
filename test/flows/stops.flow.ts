import { idIn } from '@commerce/testing';

import { World } from '../world.js';
import { Story, at } from './story.js';

let world: World;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

/** The expected charges: of the subscription, and in the forecast of its clock. */
async function shown(story: Story, id: string): Promise<{ next: unknown[]; forecast: unknown[] }> {
  const { charges } = await world.admin.read(`/subscriptions/${id}/preview`);
  const { amounts } = await world.admin.read('/forecast', { test_clock: story.clock, months: 3 });
  return {
    next: charges.map(({ date, amount }: any) => [date.$date, amount]),
    forecast: amounts.map(({ month, amount }: any) => [month, amount]),
  };
}

describe('a stop in a trial from 17 to 31 January, 30.00 a month in advance', () => {
  async function trial(): Promise<{ story: Story; id: string }> {
    const story = await Story.begin(world, '2025-01-17');
    const plan = { prepay: true, trial_days: 14 };
    const id = await story.subscribed(plan, { payment_method: await story.card() });
    await story.until('2025-01-20');
    return { story, id };
  }

  it('without a date cancels', async () => {
    const { story, id } = await trial();
    expect(await story.does(id, 'stop')).toMatchObject({ status: 'CANCELLED', in_trial: false });
    await story.until('2025-06-01');
    expect(await story.bill(id)).toEqual([]);
  });

  it('at 24 January goes on until then, and charges nothing', async () => {
    const { story, id } = await trial();
    const stopped = await story.does(id, 'stop', { ending_date: at('2025-01-24') });
    expect(stopped).toMatchObject({
      status: 'NON_RENEWING',
      active: true,
      in_trial: true,
      prorate_amount: 0,
    });
    expect(await shown(story, id)).toEqual({ next: [], forecast: [] });
    await story.until('2025-01-23');
    expect(await story.subscription(id)).toMatchObject({ status: 'NON_RENEWING', active: true });
    await story.until('2025-06-01');
    expect(await story.subscription(id)).toMatchObject({
      status: 'CANCELLED',
      active: false,
      in_trial: false,
    });
    expect(await story.bill(id)).toEqual([]);
    const last = (await story.told(id)).at(-1);
    expect([last?.kind, last?.created]).toEqual(['subscription.cancelled', at('2025-01-24')]);
  });

  it('at 16 February charges that period, and refunds its unused days', async () => {
    const { story, id } = await trial();
    await story.does(id, 'stop', { ending_date: at('2025-02-16') });
    expect(await shown(story, id)).toEqual({ next: [[at('2025-01-31'), 30]], forecast: [['2025-01', 30]] });
    await story.until('2025-02-01');
    expect(await story.subscription(id)).toMatchObject({ in_trial: false, prorate_amount: -12.86 });
    await story.until('2025-06-01');
    expect(await story.bill(id)).toEqual([['2025-01-31', 30, 'PARTIALLY_REFUNDED']]);
    expect(await story.ledger()).toMatchObject({ captured: 3000, refunded: 1286 });
    expect(await story.subscription(id)).toMatchObject({ status: 'CANCELLED' });
  });
});

describe('a stop in a pause', () => {
  it('cancels immediately, and the pause is settled once', async () => {
    const story = await Story.begin(world, '2025-04-01');
    const id = await story.subscribed({ prepay: true }, { payment_method: await story.card() });
    await story.settled(id);
    await story.until('2025-04-11');
    await story.does(id, 'pause');
    expect(await story.does(id, 'stop')).toMatchObject({
      status: 'CANCELLED',
      active: false,
      ending_date: { $date: at('2025-04-11') },
    });
    await story.settled(id);
    await story.until('2025-06-01');
    expect(await story.ledger()).toMatchObject({ captured: 3000, refunded: 2000 });
    expect((await story.kinds(id)).filter((kind) => kind !== 'subscription.updated')).toEqual([
      'subscription.created',
      'subscription.activated',
      'subscription.cancelled',
    ]);
    const again = await world.admin.post(`/subscriptions/${id}/stop`, {});
    expect([again.status, again.body]).toMatchObject([409, { current: 'CANCELLED', allowed: [] }]);
  });

  it('is allowed for a paused subscription', async () => {
    const story = await Story.begin(world, '2025-04-01');
    const id = await story.subscribed({}, { payment_method: await story.card() });
    await story.does(id, 'pause');
    const { status, body } = await world.admin.post(`/subscriptions/${id}/pause`, {});
    expect([status, body]).toMatchObject([409, { current: 'PAUSED', allowed: ['start', 'stop'] }]);
    const later = await world.admin.post(`/subscriptions/${id}/stop`, { ending_date: at('2025-04-20') });
    expect([later.status, later.body.errors]).toMatchObject([422, [{ path: 'ending_date' }]]);
  });
});

describe('a postponed end', () => {
  it('collects the rest of the period at the price of its first charge', async () => {
    const story = await Story.begin(world, '2025-04-01');
    const product = idIn(await world.admin.made('/products', { name: 'Coffee', price: 30, currency: 'EUR' }));
    const plan = { prepay: true, total_amount: undefined, items: [{ product, quantity: 1 }] };
    const starts = { payment_method: await story.card(), ending_date: at('2025-04-16') };
    const id = await story.subscribed(plan, starts);
    await story.settled(id);
    await world.admin.changed(`/products/${product}`, { price: 90 });
    await story.changes(id, { infinite: true });
    await story.until('2025-05-01');
    const bill = await story.bill(id);
    expect(bill).toEqual([
      ['2025-04-01', 15, 'SUCCEEDED'],
      ['2025-04-16', 15, 'SUCCEEDED'],
      ['2025-05-01', 90, 'SUCCEEDED'],
    ]);
    for (const { _id } of await story.payments(id)) {
      expect(await world.admin.read(`/payments/${_id.$oid}/explanation`)).toMatchObject({ agrees: true });
    }
  });
});

describe('a user who is deleted with stop=true', () => {
  it('gets the unused days refunded at the end of the period, as after any stop', async () => {
    const story = await Story.begin(world, '2025-04-01');
    const id = await story.subscribed({ prepay: true }, { payment_method: await story.card() });
    await story.settled(id);
    await story.until('2025-04-16');
    expect((await world.admin.delete(`/users/${story.user}?stop=true`)).status).toBe(200);
    expect(await story.subscription(id)).toMatchObject({ status: 'NON_RENEWING', prorate_amount: -15 });
    await story.until('2025-06-01');
    expect(await story.subscription(id)).toMatchObject({ status: 'CANCELLED' });
    expect(await story.ledger()).toMatchObject({ captured: 3000, refunded: 1500 });
  });
});
