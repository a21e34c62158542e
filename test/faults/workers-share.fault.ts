import { parseId } from '@commerce/platform';
import { billedTwice, callProvider, chargesOf, copySubscription, eventually, idIn } from '@commerce/testing';
import type { mongo } from 'mongoose';

import { ServiceProcesses } from '../processes.js';

/** The large version, of 100,000 subscriptions and four workers, is `npm run scale`. */
const SUBSCRIPTIONS = 400;
const DUE = 100;
const PER_SECOND = 12;

let service: ServiceProcesses;
let db: mongo.Db;
beforeAll(async () => {
  service = await ServiceProcesses.start({ PROVIDER_RATE_PER_SECOND: String(PER_SECOND) });
  if (service.database.db === undefined) throw new Error('the database is not connected');
  db = service.database.db;
}, 120_000);
afterAll(() => service.stop());

const ASLEEP = new Date('2100-01-01');

/** Subscriptions of one customer that rest, and among them those that are to fall due. */
async function layOut(): Promise<void> {
  const terms = { interval_unit: 'MONTH', billing_interval: 'MONTH', currency: 'EUR', prepay: true };
  const plan = idIn(await service.admin.made('/plans', { name: 'Monthly', ...terms, total_amount: 30 }));
  const { user, method } = await service.cardholder('pm_card_visa');
  const values = { plan, user, payment_method: method, start_now: true };
  const pattern = idIn(await service.admin.made('/subscriptions', values));
  await copySubscription(db, pattern, { count: SUBSCRIPTIONS - DUE, wakeAt: new Date('2099-01-01') });
  await copySubscription(db, pattern, { count: DUE - 1, wakeAt: ASLEEP });
  await db.collection('subscriptions').updateOne({ _id: parseId(pattern)! }, { $set: { wake_at: ASLEEP } });
}

/** When the provider charged, in whole seconds, by its own list. */
async function chargedAt(): Promise<number[]> {
  const { STRIPE_API_BASE: url = '', STRIPE_SECRET_KEY: key = '' } = service.env;
  const query = { limit: '100' };
  const { body } = await callProvider(url, 'GET', '/v1/charges', query, { authorization: `Bearer ${key}` });
  return body.data.map((charge: { created: number }) => charge.created).sort((a: number, b: number) => a - b);
}

describe(`${String(DUE)} of ${String(SUBSCRIPTIONS)} subscriptions that fall due at once, and two workers`, () => {
  it('are billed once each, by both, at the rate that both share', async () => {
    await service.kill('worker');
    await layOut();
    await service.run('worker');
    await service.run('worker', 'another worker');
    await db.collection('subscriptions').updateMany({ wake_at: ASLEEP }, { $set: { wake_at: new Date() } });
    const paid = (): Promise<number> => db.collection('payments').countDocuments({ status: 'SUCCEEDED' });
    await eventually(paid, (count) => count >= DUE, 120_000, { what: 'all payments' });

    expect(await db.collection('payments').countDocuments({})).toBe(DUE);
    expect(await billedTwice(db)).toEqual([]);
    const charges = await Promise.all([...service.workerPorts.values()].map(chargesOf));
    // Answers, not charges: where a lease ended while a request waited for its turn, the same key was sent again.
    expect(charges.reduce((sum, count) => sum + count)).toBeGreaterThanOrEqual(DUE);
    expect(Math.min(...charges)).toBeGreaterThan(DUE / 10);

    const seconds = await chargedAt();
    expect(seconds).toHaveLength(DUE);
    const [first = 0, last = 0] = [seconds.at(0), seconds.at(-1)];
    expect(last - first).toBeGreaterThanOrEqual(Math.floor(DUE / PER_SECOND) - 2);
    for (const second of new Set(seconds)) {
      // A bucket holds a quarter of a second's requests, and a request may arrive in the second after its turn.
      expect(seconds.filter((at) => at === second).length).toBeLessThanOrEqual(2 * PER_SECOND);
    }
  }, 240_000);
});
