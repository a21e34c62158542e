import { newId, parseId } from '@commerce/platform';
import { eventually, idIn } from '@commerce/testing';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';

import { World } from '../world.js';

/** The whole of it is `ON_ONE_CLOCK=2000 npm test -- test/flows/one-clock`. */
const MANY = Number(process.env['ON_ONE_CLOCK'] ?? 100);

const START = Date.UTC(2027, 0, 15, 12);
const DAY = 86_400_000;

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

function collection(name: string): ReturnType<Connection['collection']> {
  return world.api.get<Connection>(getConnectionToken()).collection(name);
}

async function advanced(clock: string, to: number): Promise<void> {
  await world.admin.made(`/test_clocks/${clock}/advance`, { frozen_time: to });
  await eventually(
    () => world.admin.read(`/test_clocks/${clock}`),
    (read) => read.status === 'ready',
    300_000,
  );
}

/** A customer on the clock who pays every month, from now on. */
async function subscribed(clock: string): Promise<string> {
  const user = idIn(await world.admin.made('/users', { name: 'Ada', test_clock: clock }));
  const card = idIn(await world.admin.made('/payment_methods', { payment_method: 'stripe', user }));
  await world.admin.changed(`/payment_methods/${card}`, { payment_method_id: 'pm_card_visa' });
  const terms = { name: 'Monthly', interval_unit: 'MONTH', billing_interval: 'MONTH', prepay: true };
  const plan = idIn(await world.admin.made('/plans', { ...terms, currency: 'EUR', total_amount: 30 }));
  const body = { plan, user, payment_method: card, start_now: true };
  return idIn(await world.admin.made('/subscriptions', body));
}

/** As many like it, every second one of a customer of its own; the others are all of its customer. */
async function multiply(subscription: string, count: number): Promise<void> {
  const pattern = await collection('subscriptions').findOne({ _id: parseId(subscription)! });
  const card = await collection('payment_methods').findOne({ _id: pattern?.['payment_method'] });
  const copies = Array.from({ length: count }, (_, index) => {
    const own = index % 2 === 0 ? { user: newId(), payment_method: newId() } : {};
    const human_id = `C${index.toString(36).toUpperCase().padStart(5, '0')}`;
    return { ...pattern, _id: newId(), human_id, payments: [], ...own };
  });
  const cards = copies
    .filter((_, index) => index % 2 === 0)
    .map((copy) => ({
      ...card,
      _id: (copy as Record<string, unknown>)['payment_method'] as never,
      user: (copy as Record<string, unknown>)['user'],
    }));
  await collection('payment_methods').insertMany(cards);
  await collection('subscriptions').insertMany(copies);
}

describe(`${String(MANY)} subscriptions on one clock`, () => {
  it('are each charged once at a boundary that they share, those of one customer too', async () => {
    const clock = idIn(await world.admin.made('/test_clocks', { name: 'Shared', frozen_time: START }));
    const first = await subscribed(clock);
    await advanced(clock, START + DAY);
    expect(await collection('payments').countDocuments({ status: 'SUCCEEDED' })).toBe(1);
    await multiply(first, MANY - 1);

    const began = performance.now();
    await advanced(clock, START + 32 * DAY);
    const seconds = (performance.now() - began) / 1000;
    process.stdout.write(`${String(MANY)} over one boundary of one clock: ${seconds.toFixed(1)} s\n`);

    const payments = collection('payments');
    expect(await payments.countDocuments({ status: 'SUCCEEDED' })).toBe(MANY + 1);
    expect(await payments.countDocuments()).toBe(MANY + 1);
    const charged = await payments.distinct('subscription');
    expect(charged).toHaveLength(MANY);
    const dates = await payments.distinct('created');
    expect(dates.map((date: Date) => date.getTime()).sort((a, b) => a - b)).toEqual([
      START,
      Date.UTC(2027, 1, 15, 12),
    ]);
  }, 400_000);
});
