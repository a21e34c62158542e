import { newId, parseId, type Id } from '@commerce/records';
import { eventually } from '@commerce/testing';
import type { mongo } from 'mongoose';

import { ServiceProcesses } from '../processes.js';
import { SELLER, TeaBuyer, expectNumbered, waitingIn } from './numbered.js';

/** Payments that succeed at one instant. */
const MANY = Number(process.env['SUCCEEDING'] ?? 2000);

let service: ServiceProcesses;
let db: mongo.Db;
beforeAll(async () => {
  service = await ServiceProcesses.start();
  if (service.database.db === undefined) throw new Error('the database is not connected');
  db = service.database.db;
}, 120_000);
afterAll(async () => {
  await service.stop();
});

const waiting = (): Promise<number> => waitingIn(db);

/** Copies a payment, which succeeds as often at one instant; the ids of the copies. */
async function succeeding(pattern: string): Promise<string[]> {
  const payment = await db.collection('payments').findOne({ _id: parseId(pattern)! });
  if (payment === null) throw new Error('the payment is gone');
  const ids: Id[] = Array.from({ length: MANY }, () => newId());
  const copies = ids.map((_id) => ({
    ...payment,
    _id,
    period_key: _id.toHexString(),
    provider: { name: 'stripe', intent_id: null, charge_id: null },
  }));
  await db.collection('payments').insertMany(copies);
  const { company } = payment;
  const from = new Date(Date.now() + 3000);
  const rows = ids.map((id) => {
    return { _id: newId(), company, payment: id, refund: null, date: from, from, tries: 0, error: null };
  });
  await db.collection('invoices_due').insertMany(rows);
  return ids.map((id) => id.toHexString());
}

describe('Many payments that succeed at one instant', () => {
  it('get their numbers in the order of success, by two workers of which one dies, without Redis', async () => {
    // The company has no seller yet, so this payment has no invoice.
    const pattern = await (await TeaBuyer.in(service)).paid();
    await service.admin.changed('/company', { seller: SELLER });
    await service.run('worker', 'second worker');
    const payments = await succeeding(pattern);
    await eventually(waiting, (count) => count < MANY, 60_000, { pauseMs: () => 5 });
    await service.kill('worker');
    expect(await waiting()).toBeGreaterThan(0);
    await service.flushRedis();
    await eventually(waiting, (count) => count === 0, 240_000);
    await expectNumbered(db, payments);
  }, 300_000);
});
