import { parseId } from '@commerce/records';
import { billedTwice, chargesOf, copySubscription, eventually, idIn } from '@commerce/testing';
import type { mongo } from 'mongoose';

import { ServiceProcesses } from '../processes.js';

/** `npm run scale` is the large version, with 100,000 subscriptions and four workers. */
const SUBSCRIPTIONS = 1000;
const DUE = 500;
const WORKERS = ['worker', 'second worker', 'third worker', 'fourth worker'];

/** The provider's rate for a test account. */
const PER_SECOND = 20;

let service: ServiceProcesses;
let db: mongo.Db;
beforeAll(async () => {
  service = await ServiceProcesses.start({
    PROVIDER_RATE_PER_SECOND: String(PER_SECOND),
    // The default: a shorter lease would expire while processes wait for the processor.
    LEASE_MS: '25000',
  });
  if (service.database.db === undefined) throw new Error('the database is not connected');
  db = service.database.db;
}, 120_000);
afterAll(() => service.stop());

const ASLEEP = new Date('2100-01-01');

/** Creates resting subscriptions of one customer, some of which will fall due. */
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

/** The times of the provider's charges in whole seconds, from its own journal. */
async function chargedAt(): Promise<number[]> {
  const charges = await service.providerCharges();
  return charges.map(({ created }) => created).sort((a, b) => a - b);
}

/** Payments whose request was deferred for lack of a turn, or sent more than once. */
async function givenBack(): Promise<object[]> {
  return db
    .collection('payments')
    .find({ $or: [{ 'request.unsent': { $gt: 0 } }, { 'attempts.1': { $exists: true } }] })
    .project({ _id: 0, attempts: 1, request: 1, updated: 1 })
    .toArray();
}

describe(`${String(DUE)} of ${String(SUBSCRIPTIONS)} subscriptions that fall due simultaneously, and four workers`, () => {
  it('are billed once each, by all, at the rate that all share; no charge is opened that has no turn', async () => {
    await service.kill('worker');
    await layOut();
    await Promise.all(WORKERS.map((label) => service.run('worker', label)));
    await db.collection('subscriptions').updateMany({ wake_at: ASLEEP }, { $set: { wake_at: new Date() } });
    const paid = (): Promise<number> => db.collection('payments').countDocuments({ status: 'SUCCEEDED' });
    await eventually(paid, (count) => count >= DUE, 240_000, { what: 'all payments' });

    expect(await db.collection('payments').countDocuments({})).toBe(DUE);
    expect(await billedTwice(db)).toEqual([]);
    expect(await givenBack()).toEqual([]);
    const charges = await Promise.all([...service.workerPorts.values()].map(chargesOf));
    // Counts replies, not charges: a request is repeated with the same key when its lease expired in a stalled process.
    expect(charges.reduce((sum, count) => sum + count)).toBeGreaterThanOrEqual(DUE);
    expect(Math.min(...charges)).toBeGreaterThan(DUE / 20);

    const seconds = await chargedAt();
    expect(seconds).toHaveLength(DUE);
    const [first = 0, last = 0] = [seconds.at(0), seconds.at(-1)];
    expect(last - first).toBeGreaterThanOrEqual(Math.floor(DUE / PER_SECOND) - 2);
    for (const second of new Set(seconds)) {
      // Up to a quarter of a second of turns can be caught up, and a request may arrive in the second after its turn.
      expect(seconds.filter((at) => at === second).length).toBeLessThanOrEqual(2 * PER_SECOND);
    }
  }, 360_000);
});
