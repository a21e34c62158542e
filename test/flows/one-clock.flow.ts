import { newId, parseId } from '@commerce/records';
import { eventually, idIn, mostResidentMib } from '@commerce/testing';
import type { Connection } from 'mongoose';

import { ServiceProcesses } from '../processes.js';

/** For the full size: `ON_ONE_CLOCK=2000 npm test -- test/flows/one-clock -t boundary`. */
const ASKED = process.env['ON_ONE_CLOCK'];
const MANY = Number(ASKED ?? 100);
/** `FOR_YEARS=10 ON_ONE_CLOCK=100 npm test -- test/flows/one-clock -t years`. */
const YEARS = Number(process.env['FOR_YEARS'] ?? 1);
const FOR_YEARS = Number(ASKED ?? 20);
/** Every tenth subscription belongs to the same customer; every other one has a customer of its own. */
const SHARED = 10;

const START = Date.UTC(2027, 0, 15, 12);
const DAY = 86_400_000;
const MOST_MIB = 250;

let service: ServiceProcesses;
beforeEach(async () => {
  service = await ServiceProcesses.start({ SWEEP_INTERVAL_MS: '10000' });
}, 90_000);
afterEach(() => service.stop());

function collection(name: string): ReturnType<Connection['collection']> {
  return service.database.collection(name);
}

/** Advances the clock, and returns the seconds that it took to arrive. */
async function advanced(clock: string, to: number): Promise<number> {
  const began = performance.now();
  await service.admin.made(`/test_clocks/${clock}/advance`, { frozen_time: to });
  await eventually(
    () => service.admin.read(`/test_clocks/${clock}`),
    (read) => read.status === 'ready',
    600_000,
  );
  return (performance.now() - began) / 1000;
}

/** A new customer on the clock with a monthly subscription, starting now. */
async function subscribed(clock: string, card: string): Promise<string> {
  const { user, method } = await service.cardholder(card, { test_clock: clock });
  const terms = { name: 'Monthly', interval_unit: 'MONTH', billing_interval: 'MONTH', prepay: true };
  const dunning = {
    should_retry_payments: true,
    max_payment_retries: 2,
    initial_fail_amount_action: 'CONTINUE',
  };
  const plan = idIn(
    await service.admin.made('/plans', { ...terms, ...dunning, currency: 'EUR', total_amount: 30 }),
  );
  const body = { plan, user, payment_method: method, start_now: true };
  return idIn(await service.admin.made('/subscriptions', body));
}

/** Adds `count` copies of a subscription. */
async function multiply(subscription: string, count: number): Promise<void> {
  const pattern = await collection('subscriptions').findOne({ _id: parseId(subscription)! });
  const card = await collection('payment_methods').findOne({ _id: pattern?.['payment_method'] });
  const copies = Array.from({ length: count }, (_, index) => {
    const own = index % SHARED === 0 ? {} : { user: newId(), payment_method: newId() };
    const human_id = newId().toHexString().slice(-6).toUpperCase();
    return { ...pattern, _id: newId(), human_id, ...own };
  });
  const cards = copies.flatMap((copy: Record<string, unknown>) =>
    copy['user'] === pattern?.['user']
      ? []
      : [{ ...card, _id: copy['payment_method'] as never, user: copy['user'] }],
  );
  if (cards.length > 0) await collection('payment_methods').insertMany(cards);
  await collection('subscriptions').insertMany(copies);
}

/** The peak memory of the worker, in MiB. */
function workersMost(): number {
  return mostResidentMib(service.children.get('worker')!.pid!);
}

describe('Subscriptions on one clock', () => {
  it(`${String(MANY)} of them are each charged once at a boundary that they share, those of one customer too`, async () => {
    const clock = idIn(await service.admin.made('/test_clocks', { name: 'Shared', frozen_time: START }));
    const first = await subscribed(clock, 'pm_card_visa');
    await advanced(clock, START + DAY);
    expect(await collection('payments').countDocuments({ status: 'SUCCEEDED' })).toBe(1);
    await collection('subscriptions').updateOne({ _id: parseId(first)! }, { $set: { payments: [] } });
    await multiply(first, MANY - 1);

    const seconds = await advanced(clock, START + 32 * DAY);
    const most = workersMost();
    process.stdout.write(
      `${String(MANY)} over one boundary of one clock: ${seconds.toFixed(1)} s, worker ${most.toFixed(0)} MiB\n`,
    );

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
    expect(most).toBeLessThan(MOST_MIB);
  }, 700_000);

  it(`are billed for years in one go (${String(YEARS)}), those that never pay too`, async () => {
    const clock = idIn(await service.admin.made('/test_clocks', { name: 'Years', frozen_time: START }));
    const pays = await subscribed(clock, 'pm_card_visa');
    const owes = await subscribed(clock, 'pm_card_chargeDeclined');
    const few = FOR_YEARS / 10;
    await advanced(clock, START + 20 * DAY);
    await multiply(pays, FOR_YEARS - few - 1);
    await multiply(owes, few - 1);

    const seconds = await advanced(clock, Date.UTC(2027 + YEARS, 1, 4, 12));
    const most = workersMost();
    process.stdout.write(
      `${String(FOR_YEARS)} for ${String(YEARS)} years on one clock: ${seconds.toFixed(1)} s, worker ${most.toFixed(0)} MiB\n`,
    );

    // One payment each month, and one on the day on which the first two began.
    const paid = (FOR_YEARS - few) * 12 * YEARS + 1;
    const failed = few * 12 * YEARS + 1;
    const payments = collection('payments');
    expect(await payments.countDocuments({ status: 'SUCCEEDED' })).toBe(paid);
    expect(await payments.countDocuments({ status: 'FAILED' })).toBe(failed);
    expect(await payments.countDocuments()).toBe(paid + failed);
    const tries = payments.aggregate([
      { $group: { _id: '$status', tries: { $sum: { $size: '$attempts' } } } },
    ]);
    expect(await tries.toArray()).toEqual(
      expect.arrayContaining([
        { _id: 'FAILED', tries: 3 * failed },
        { _id: 'SUCCEEDED', tries: paid },
      ]),
    );
    expect(most).toBeLessThan(MOST_MIB);
  }, 900_000);
});
