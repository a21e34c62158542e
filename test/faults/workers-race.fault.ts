import { once } from 'node:events';

import { parseId } from '@commerce/records';
import { chargesOf, eventually, idIn } from '@commerce/testing';
import pMap from 'p-map';

import type { ServiceProcesses } from '../processes.js';
import { startMortal } from './dying.js';

/** Subscribers who race for the last redemptions of a coupon. */
const SUBSCRIBERS = 200;

/** The discounted price of the plan, in minor units; no other charge of this file has this amount. */
const DISCOUNTED = 800;

/** Later than any test. */
const ASLEEP = new Date('2100-01-01T00:00:00Z');

/** Requests that lay out a test. */
const AT_ONCE = { concurrency: 8 };

let service: ServiceProcesses;
let plan: string;
beforeAll(async () => {
  // Slow enough that one worker does not bill all before the other has seen that there is something to do.
  service = await startMortal({ CHARGES_AT_ONCE: '2', SANDBOX_LATENCY_MS: '20' });
  const monthly = {
    name: 'Monthly',
    interval_unit: 'MONTH',
    currency: 'EUR',
    prepay: true,
    total_amount: 10,
  };
  plan = idIn(await service.admin.made('/plans', monthly));
  await service.run('worker', 'second worker');
}, 120_000);
afterAll(async () => {
  await service.stop();
});

const paymentRows = (filter: object): Promise<any[]> =>
  service.database.collection('payments').find(filter).toArray();

/** Sends a request until it is answered by more than a conflict with the others. */
async function answered(send: () => Promise<any>): Promise<any> {
  return eventually(send, ({ status, body }) => status !== 409 || body.code !== 'record.conflict', 60_000);
}

/** The provider's charges, in minor units. */
async function charged(): Promise<number[]> {
  return (await service.providerCharges()).map(({ amount }) => amount);
}

describe('Two workers', () => {
  it('give the last 10 redemptions to 10 of 200, though one of them is killed', async () => {
    const values = { percent_off: 0.2, duration: 'FOREVER', max_redemptions: 10 };
    const { _id, code } = await service.admin.made('/coupons', values);
    const people = await pMap(range(SUBSCRIBERS), () => service.cardholder('pm_card_visa'), AT_ONCE);
    const worker = service.children.get('worker')!;
    const gone = once(worker, 'exit');
    // It dies within the first charge with this coupon that it makes.
    const headers = { 'x-die-at': '6', 'x-die-about': _id.$oid };
    await fetch(`http://127.0.0.1:${String(service.workerPorts.get('worker'))}/health/ready`, { headers });

    const answers = await pMap(
      people,
      ({ user, method: payment_method }) => {
        const body = { plan, user, payment_method, coupon: code, start_now: true };
        return answered(() => service.admin.post('/subscriptions', body));
      },
      { concurrency: SUBSCRIBERS },
    );
    const codes = answers.map(({ status, body }) => (status === 200 ? 'made' : body.code));
    expect(codes.filter((one) => one === 'made')).toHaveLength(10);
    expect(codes.filter((one) => one === 'coupon.used_up')).toHaveLength(SUBSCRIBERS - 10);
    const isPaid = async (): Promise<boolean> => (await paymentRows({ status: 'SUCCEEDED' })).length === 10;
    await eventually(async () => worker.signalCode !== null || (await isPaid()), Boolean, 60_000);
    worker.kill('SIGKILL');
    await gone;

    await eventually(isPaid, Boolean, 60_000);
    const [coupon] = await service.database.collection('coupons').find({ code }).toArray();
    expect([coupon!['used_count'], coupon!['reservations']]).toEqual([10, []]);
    expect(await charged()).toEqual(Array(10).fill(DISCOUNTED));
    const payments = await paymentRows({});
    expect(new Set(payments.map(({ user }) => user.toHexString())).size).toBe(10);
    expect(payments).toHaveLength(10);
    expect(await service.database.collection('subscriptions').countDocuments({})).toBe(10);
  }, 240_000);

  it('share the balance of one customer exactly where all its subscriptions are due at one instant', async () => {
    for (const label of ['worker', 'second worker']) await service.kill(label);
    const { user, method: payment_method } = await service.cardholder('pm_card_visa');
    await service.admin.made(`/users/${user}/credits`, { amount: 95.5, currency: 'EUR' });
    const body = { plan, user, payment_method, start_now: true };
    const ids = await pMap(
      range(40),
      async () => idIn(await service.admin.made('/subscriptions', body)),
      AT_ONCE,
    );
    // Both workers run before anything is due: one alone would have billed all while the other starts.
    const due = { _id: { $in: ids.map((id) => parseId(id)!) } };
    const subscriptions = service.database.collection('subscriptions');
    await subscriptions.updateMany(due, { $set: { wake_at: ASLEEP } });
    await service.flushRedis();
    await Promise.all(['worker', 'second worker'].map((label) => service.run('worker', label)));
    await subscriptions.updateMany(due, { $set: { wake_at: new Date() } });

    const paid = { status: 'SUCCEEDED', subscription: { $in: ids.map((id) => parseId(id)!) } };
    await eventually(
      async () => (await paymentRows(paid)).length,
      (count) => count >= ids.length,
      120_000,
    );
    const payments: any[] = await service.admin.read('/payments', { user, size: 100 });
    const shown = payments.map(({ amount, credit_applied, status }) => [amount, credit_applied, status]);
    expect(shown.sort(([a], [b]) => a - b)).toEqual([
      ...Array(9).fill([0, 10, 'SUCCEEDED']),
      [4.5, 5.5, 'SUCCEEDED'],
      ...Array(30).fill([10, 0, 'SUCCEEDED']),
    ]);
    const ledger: any[] = await service.admin.read(`/users/${user}/credits`, { sort: 'number', size: 100 });
    expect(ledger.map(({ amount, balance }) => [amount, balance])).toEqual([
      [95.5, 95.5],
      ...range(9).map((n) => [-10, 85.5 - 10 * n]),
      [-5.5, 0],
    ]);
    expect(await service.admin.read(`/users/${user}`)).toMatchObject({ balance: {} });
    const all = await charged();
    const own = all.filter((amount) => amount !== DISCOUNTED);
    expect(all.length - own.length).toBeLessThanOrEqual(10);
    expect(own.sort((a, b) => a - b)).toEqual([450, ...Array(30).fill(1000)]);
    const by = await Promise.all([...service.workerPorts.values()].map(chargesOf));
    expect(Math.min(...by)).toBeGreaterThan(0);
  }, 240_000);
});

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
