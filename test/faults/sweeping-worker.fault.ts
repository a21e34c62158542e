import { setTimeout as pause } from 'node:timers/promises';

import { billedTwice, copySubscription, eventually, idIn } from '@commerce/testing';
import type { mongo } from 'mongoose';

import { ServiceProcesses } from '../processes.js';

const DUE = 5;
const ASLEEP = new Date('2100-01-01');

let service: ServiceProcesses;
let db: mongo.Db;
beforeAll(async () => {
  // The default: a worker that was killed holds the sweeps for ten seconds at most.
  service = await ServiceProcesses.start({ LEASE_MS: '25000' });
  if (service.database.db === undefined) throw new Error('the database is not connected');
  db = service.database.db;
}, 120_000);
afterAll(() => service.stop());

/** One subscription that is billed at once, and others that no job will name when they fall due. */
async function layOut(): Promise<void> {
  const terms = { interval_unit: 'MONTH', billing_interval: 'MONTH', currency: 'EUR', prepay: true };
  const plan = idIn(await service.admin.made('/plans', { name: 'Monthly', ...terms, total_amount: 30 }));
  const { user, method } = await service.cardholder('pm_card_visa');
  const values = { plan, user, payment_method: method, start_now: true };
  const pattern = idIn(await service.admin.made('/subscriptions', values));
  await copySubscription(db, pattern, { count: DUE, wakeAt: ASLEEP });
}

/** How often each worker has looked for due subscriptions. */
async function passes(): Promise<ReadonlyMap<string, number>> {
  const counted = new Map<string, number>();
  for (const [label, port] of service.workerPorts) {
    const metrics = await (await fetch(`http://127.0.0.1:${String(port)}/metrics`)).text();
    const found = /^sweep_duration_seconds_count\{sweep="billing",outcome="done"\} (\d+)$/m.exec(metrics);
    counted.set(label, Number(found?.[1] ?? 0));
  }
  return counted;
}

/** The workers that look within two seconds. */
async function sweeping(): Promise<string[]> {
  const before = await passes();
  await pause(2000);
  return [...(await passes())].filter(([label, count]) => count > before.get(label)!).map(([label]) => label);
}

const paid = (): Promise<number> => db.collection('payments').countDocuments({ status: 'SUCCEEDED' });

describe('Of two workers', () => {
  it('one sweeps; killed, it is followed by the other, which finds what fell due meanwhile', async () => {
    await service.kill('worker');
    await layOut();
    await Promise.all(['worker', 'second worker'].map((label) => service.run('worker', label)));
    await eventually(paid, (count) => count === 1, 60_000);
    const [label = ''] = await eventually(sweeping, ({ length }) => length === 1, 60_000);

    await service.kill(label);
    await db.collection('subscriptions').updateMany({ wake_at: ASLEEP }, { $set: { wake_at: new Date() } });
    await eventually(paid, (count) => count === DUE + 1, 30_000);
    expect(await billedTwice(db)).toEqual([]);
  }, 240_000);
});
