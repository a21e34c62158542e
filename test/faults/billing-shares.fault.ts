import type { INestApplicationContext } from '@nestjs/common';
import { getConnectionToken } from '@nestjs/mongoose';
import { billedTwice, copySubscription, eventually, idIn, type Client } from '@commerce/testing';
import type { Connection, mongo } from 'mongoose';

import { createWorker, startWorker } from '../../apps/worker/src/create-worker.js';
import { World, type Merchant } from '../world.js';

/** For the full backlog of 5000: `DUE_RENEWALS=5000 npm test -- test/faults/billing-shares`. */
const MANY = Number(process.env['DUE_RENEWALS'] ?? 400);

let world: World;
const workers: INestApplicationContext[] = [];

beforeAll(async () => {
  // Four workers share one processor here.
  world = await World.start({ worker: false, env: { CHARGES_AT_ONCE: '16' } });
  for (let n = 0; n < 4; n += 1) workers.push(await createWorker());
});
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.close()));
  await world.stop();
});

function database(): mongo.Db {
  const { db } = world.api.get<Connection>(getConnectionToken());
  if (db === undefined) throw new Error('the database is not connected');
  return db;
}

/** Starts a subscription of a new customer, with its first period due immediately. */
async function started({ admin }: { readonly admin: Client }): Promise<string> {
  const user = idIn(await admin.made('/users', { name: 'Ada' }));
  const card = idIn(await admin.made('/payment_methods', { payment_method: 'stripe', user }));
  await admin.changed(`/payment_methods/${card}`, { payment_method_id: 'pm_card_visa' });
  const terms = { name: 'Monthly', interval_unit: 'MONTH', currency: 'EUR', total_amount: 30, prepay: true };
  const plan = idIn(await admin.made('/plans', terms));
  const body = { plan, user, payment_method: card, start_now: true };
  return idIn(await admin.made('/subscriptions', body));
}

/** Gives a company many more renewals, copied from its first one and due for a minute, as after an outage. */
async function owe(merchant: Merchant, count: number): Promise<void> {
  const wakeAt = new Date(Date.now() - 60_000);
  await copySubscription(database(), await started(merchant), { count: count - 1, wakeAt });
}

const paid = (company: Merchant['company']): Promise<number> =>
  database().collection('payments').countDocuments({ company, status: 'SUCCEEDED' });

describe(`${String(MANY)} renewals of one company that are due simultaneously, and four workers`, () => {
  it('do not keep the first charge of another company waiting, and are charged once each', async () => {
    const [many, one] = [await world.stranger(), await world.stranger()];
    await owe(many, MANY);
    for (const worker of workers) startWorker(worker);
    await eventually(
      () => paid(many.company),
      (count) => count >= 5,
      60_000,
    );
    const ahead = await paid(many.company);
    const id = await started(one);
    const began = performance.now();
    await eventually(
      () => paid(one.company),
      (count) => count === 1,
      30_000,
    );
    const seconds = (performance.now() - began) / 1000;
    const before = await paid(many.company);
    process.stdout.write(
      `the other company: after ${seconds.toFixed(1)} s and ${String(before - ahead)} of the first\n`,
    );
    expect(seconds).toBeLessThan(5);
    expect(before).toBeLessThan(MANY);
    expect(await one.admin.read(`/subscriptions/${id}`)).toMatchObject({ collection_state: 'OK' });

    await eventually(
      () => paid(many.company),
      (count) => count >= MANY,
      300_000,
    );
    expect(await database().collection('payments').countDocuments({ company: many.company })).toBe(MANY);
    expect(await billedTwice(database())).toEqual([]);
  }, 400_000);
});
