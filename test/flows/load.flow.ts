import type { INestApplicationContext } from '@nestjs/common';
import { SubscriptionStore } from '@commerce/billing';
import { PaymentStore } from '@commerce/payments';
import { eventually } from '@commerce/testing';

import { createWorker, startWorker } from '../../apps/worker/src/create-worker.js';
import { World } from '../world.js';
import { DAY, Scenario } from './scenario.js';

const MANY = Number(process.env['DUE_SLICES'] ?? 150);

let world: World;
const workers: INestApplicationContext[] = [];

beforeAll(async () => {
  world = await World.start({ worker: false });
});
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.close()));
  await world.stop();
});

describe(`${String(MANY)} billing periods that are due simultaneously, and four workers`, () => {
  it('become one payment each', async () => {
    const scenario = await Scenario.begin(world, '2025-01-01');
    const { id: user } = await world.user();
    const living = Object.assign(Object.create(Scenario.prototype), scenario, { user }) as Scenario;
    const plan = await living.plan();
    const payment_method = await living.card();
    const starting_date = Date.now() - 40 * DAY;
    const one = async (): Promise<void> => {
      await world.admin.made('/subscriptions', {
        plan,
        user,
        payment_method,
        starting_date,
        start_now: true,
      });
    };
    let left = MANY;
    const lane = async (): Promise<void> => {
      while (left-- > 0) await one();
    };
    await Promise.all(Array.from({ length: 10 }, lane));

    for (let n = 0; n < 4; n += 1) workers.push(await createWorker());
    const began = performance.now();
    for (const worker of workers) startWorker(worker);
    const payments = world.get(PaymentStore).in(world.company);
    const subscriptions = world.get(SubscriptionStore).in(world.company);
    // Unbilled subscriptions are part of the result, so that a failure shows their state.
    const open = async (): Promise<object[]> =>
      (await subscriptions.many({ last_billed_date: null }, { limit: 5 })).map((one) => ({
        due: one.due,
        wake_at: one.wake_at,
        failures: one.failures,
        open_payments: one.open_payments,
      }));
    const standing = async (): Promise<{ billed: number; open: object[]; unsettled: object[] }> => ({
      billed: await payments.count({ status: 'SUCCEEDED' }),
      open: await open(),
      unsettled: await payments.many({ status: { $ne: 'SUCCEEDED' } }, { limit: 3 }),
    });
    await eventually(standing, ({ billed }) => billed >= MANY, 200_000);
    const seconds = (performance.now() - began) / 1000;
    process.stdout.write(`${String(MANY)} payments in ${seconds.toFixed(1)} s\n`);
    expect(await payments.count({})).toBe(MANY);
    expect(await living.ledger()).toMatchObject({ charges: MANY, captured: MANY * 3000 });
    expect(await world.get(SubscriptionStore).toWake(new Date(), 1)).toEqual([]);
  }, 300_000);
});
