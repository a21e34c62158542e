import { getConnectionToken } from '@nestjs/mongoose';
import { eventually, idIn, type Client } from '@commerce/testing';
import { Types, type Connection, type mongo } from 'mongoose';

import { createWorker, startWorker } from '../../apps/worker/src/create-worker.js';
import { World } from '../world.js';

const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 1);

/** More than a worker runs concurrently, and more than a sweep reads in one pass. */
const LONG_RUNS = 3;
const STUCK = 120;

let world: World;
beforeAll(async () => {
  // The worker starts when the test starts it.
  world = await World.start({ worker: false, env: { LOG_LEVEL: 'fatal' } });
});
afterAll(() => world.stop());

function database(): mongo.Db {
  const { db } = world.api.get<Connection>(getConnectionToken());
  if (db === undefined) throw new Error('the database is not connected');
  return db;
}

/** A clock with a customer who pays by card. */
async function subscribed(admin: Client, interval_unit: 'DAY' | 'MONTH'): Promise<string> {
  const clock = idIn(await admin.made('/test_clocks', { frozen_time: START }));
  const user = idIn(await admin.made('/users', { test_clock: clock }));
  const payment_method = idIn(await admin.made('/payment_methods', { payment_method: 'stripe', user }));
  await admin.changed(`/payment_methods/${payment_method}`, { payment_method_id: 'pm_card_visa' });
  const plan = idIn(
    await admin.made('/plans', { interval_unit, currency: 'EUR', total_amount: 10, prepay: true }),
  );
  await admin.made('/subscriptions', { plan, user, payment_method, start_now: true });
  return clock;
}

const advance = (admin: Client, clock: string, days: number): Promise<any> =>
  admin.made(`/test_clocks/${clock}/advance`, { frozen_time: START + days * DAY });

const statusOf = async (admin: Client, clock: string): Promise<string> =>
  (await admin.read(`/test_clocks/${clock}`)).status;

/**
 * Advancing clocks whose every run fails, because a subscription has no user. Their jobs are lost, as after the loss of
 * all Redis data.
 */
async function stuckClocks(): Promise<void> {
  const { admin } = await world.stranger();
  const clock = new Types.ObjectId(await subscribed(admin, 'MONTH'));
  const [clocks, subscriptions] = [
    database().collection('test_clocks'),
    database().collection('subscriptions'),
  ];
  const [made] = await admin.read('/subscriptions');
  const one = await clocks.findOne({ _id: clock });
  const subscription = await subscriptions.findOne({ _id: new Types.ObjectId(idIn(made)) });
  expect([one, subscription]).toMatchObject([{ status: 'ready' }, { test_clock: clock }]);
  const company = new Types.ObjectId();
  const ids = Array.from({ length: STUCK }, () => new Types.ObjectId());
  const target_time = new Date(START + 90 * DAY);
  const sent = { status: 'advancing', target_time, run_at: new Date(START), updated: new Date(START) };
  await clocks.insertMany(
    ids.map((_id, n) => ({ ...one, ...sent, _id, company, human_id: `c${String(n)}` })),
  );
  await subscriptions.insertMany(
    ids.map((test_clock, n) => ({
      ...subscription,
      ...{
        _id: new Types.ObjectId(),
        company,
        test_clock,
        user: null,
        human_id: `s${String(n)}`,
        wake_at: null,
      },
    })),
  );
}

describe('A hundred clocks whose runs fail', () => {
  it('do not hide another from the sweep, and are checked less and less often', async () => {
    await stuckClocks();
    const { admin, company } = await world.stranger();
    const clock = await subscribed(admin, 'MONTH');
    const now = new Date();
    const target_time = new Date(START + 90 * DAY);
    const sent = { status: 'advancing', target_time, run_at: now, updated: now };
    await database()
      .collection('test_clocks')
      .updateOne({ _id: new Types.ObjectId(clock), company }, { $set: sent });
    const worker = await createWorker();
    startWorker(worker);
    try {
      await eventually(
        () => statusOf(admin, clock),
        (status) => status === 'ready',
        60_000,
      );
      const stuck = { company: { $ne: company }, fruitless_runs: { $gt: 1 } };
      const again = await eventually(
        () => database().collection('test_clocks').findOne(stuck),
        (found) => found !== null,
        60_000,
      );
      expect(again).toMatchObject({ status: 'advancing' });
      expect(again!['run_at'].getTime()).toBeGreaterThan(Date.now() - 5000);
    } finally {
      await worker.close();
    }
  }, 180_000);
});

describe('Long runs of the clocks of one company', () => {
  it('do not keep the clock of another company waiting', async () => {
    const [many, one] = [await world.stranger(), await world.stranger()];
    const worker = await createWorker();
    startWorker(worker);
    try {
      const long: string[] = [];
      for (let n = 0; n < LONG_RUNS; n += 1) long.push(await subscribed(many.admin, 'DAY'));
      const short = await subscribed(one.admin, 'MONTH');
      for (const clock of long) await advance(many.admin, clock, 20 * 365);
      const hasBegun = { status: 'advancing', frozen_time: { $gt: new Date(START) } };
      await eventually(
        () =>
          database()
            .collection('test_clocks')
            .countDocuments({ company: many.company, ...hasBegun }),
        (begun) => begun >= 2,
        30_000,
      );
      await advance(one.admin, short, 90);
      await eventually(
        () => statusOf(one.admin, short),
        (status) => status === 'ready',
        60_000,
      );
      const others = await Promise.all(long.map((clock) => statusOf(many.admin, clock)));
      expect(others).toEqual(long.map(() => 'advancing'));
      // All of them continue, in any order.
      await eventually(
        () =>
          database()
            .collection('test_clocks')
            .countDocuments({ company: many.company, ...hasBegun }),
        (begun) => begun === LONG_RUNS,
        30_000,
      );
    } finally {
      await worker.close();
    }
  }, 180_000);
});
