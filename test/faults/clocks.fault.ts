import { pathToFileURL } from 'node:url';

import { eventually, idIn } from '@commerce/testing';
import { Types } from 'mongoose';

import { ServiceProcesses } from '../processes.js';

const HOUR = 3_600_000;

let service: ServiceProcesses;
beforeAll(async () => {
  service = await ServiceProcesses.start();
}, 240_000);
afterAll(async () => {
  await service.stop();
});

/** Replaces the only worker by one whose machine's clock is off by `ms`. */
async function workerOff(ms: number): Promise<void> {
  await service.kill('worker');
  const shifted = {
    CLOCK_OFF_MS: String(ms),
    NODE_OPTIONS: `--import ${pathToFileURL('test/faults/shift-clock.mjs').href}`,
  };
  Object.assign(service.env, shifted);
  await service.run('worker');
  for (const name of Object.keys(shifted)) Reflect.deleteProperty(service.env, name);
}

async function subscribe(card: string, amount: number, values: object = {}): Promise<string> {
  const monthly = { name: 'Monthly', interval_unit: 'MONTH', billing_interval: 'MONTH', prepay: true };
  const plan = idIn(
    await service.admin.made('/plans', { ...monthly, currency: 'EUR', total_amount: amount }),
  );
  const { user, method: payment_method } = await service.cardholder(card);
  const body = { plan, user, payment_method, start_now: true, ...values };
  return idIn(await service.admin.made('/subscriptions', body));
}

const paymentsOf = (subscription: string): Promise<any[]> =>
  service.admin.read(`/subscriptions/${subscription}/payments`);

async function stored(payment: any): Promise<any> {
  const _id = new Types.ObjectId(idIn(payment));
  return service.database.collection('payments').findOne({ _id });
}

describe.each([
  ['an hour slow', -HOUR, 41],
  ['an hour fast', HOUR, 42],
])('A worker whose clock is %s', (_how, off, amount) => {
  beforeAll(() => workerOff(off), 120_000);

  it('bills due work, now, and nothing else', async () => {
    const soon = await subscribe('pm_card_visa', amount, { starting_date: Date.now() + HOUR / 2 });
    const due = await subscribe('pm_card_visa', amount);
    const [payment] = await eventually(
      () => paymentsOf(due),
      (all) => all.length === 1 && all[0].status === 'SUCCEEDED',
      30_000,
    );
    expect(Math.abs(payment.created.$date - Date.now())).toBeLessThan(HOUR / 4);
    expect(await service.admin.read(`/subscriptions/${soon}`)).toMatchObject({ status: 'FUTURE' });
    expect(await paymentsOf(soon)).toEqual([]);
  }, 60_000);

  it('leases for the length of a lease by the time of the database', async () => {
    const subscription = await subscribe('pm_card_fault_timeout_after_charge', amount + 10);
    const [open] = await eventually(
      () => paymentsOf(subscription),
      (all) => all.length === 1,
      30_000,
    );
    const { check_at, request } = await stored(open);
    expect(Math.abs(request.opened_at.getTime() - Date.now())).toBeLessThan(60_000);
    expect(Math.abs(check_at.getTime() - Date.now())).toBeLessThan(2 * 60_000);
  }, 60_000);
});

describe('After workers whose clocks were off', () => {
  it('each period was charged once', async () => {
    // The last payment was seen when it was committed, just before its request was sent.
    const charges = await eventually(
      () => service.providerCharges(),
      (all) => all.length >= 4,
    );
    for (const amount of [4100, 4200, 5100, 5200]) {
      expect([amount, charges.filter((one) => one.amount === amount).length]).toEqual([amount, 1]);
    }
  });
});
