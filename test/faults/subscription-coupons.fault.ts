import { eventually, idIn, type Client } from '@commerce/testing';

import type { ServiceProcesses } from '../processes.js';
import { dieEverywhere, startMortal, workerDiesEverywhere } from './dying.js';

let service: ServiceProcesses;
let plan: string;
beforeAll(async () => {
  service = await startMortal();
  const monthly = {
    name: 'Monthly',
    interval_unit: 'MONTH',
    currency: 'EUR',
    prepay: true,
    total_amount: 10,
  };
  plan = idIn(await service.admin.made('/plans', monthly));
}, 90_000);
afterAll(async () => {
  await service.stop();
});

/** A coupon of 20 % for 50 subscriptions. */
async function coupon(): Promise<{ readonly id: string; readonly code: string }> {
  const body = { percent_off: 0.2, duration: 'FOREVER', max_redemptions: 50 };
  const made = await service.admin.made('/coupons', body);
  return { id: idIn(made), code: made.code };
}

interface Subscriber {
  readonly id: string;
  readonly payment_method: string;
}

/** A subscription that has not started. */
async function subscriber(): Promise<Subscriber> {
  const { user, method: payment_method } = await service.cardholder('pm_card_visa');
  return { id: idIn(await service.admin.made('/subscriptions', { plan, user })), payment_method };
}

const start =
  ({ id, payment_method }: Subscriber, code: string) =>
  (by: Client): Promise<any> =>
    by.post(`/subscriptions/${id}/start`, { payment_method, coupon: code });

const paymentsOf = (id: string): Promise<any[]> => service.admin.read(`/subscriptions/${id}/payments`);

const isPaid = async ({ id }: Subscriber): Promise<boolean> =>
  (await paymentsOf(id)).some(({ status }) => status === 'SUCCEEDED');

/** Every subscription was charged once at the lowered price, and the coupon counts each once. */
async function expectRedeemedOnce(
  cases: readonly Subscriber[],
  { id }: { readonly id: string },
): Promise<void> {
  for (const [index, one] of cases.entries()) {
    await eventually(() => isPaid(one), Boolean, 60_000);
    const payments = await paymentsOf(one.id);
    const shown = payments.map(({ amount, status }) => [amount, status]);
    expect([index + 1, shown]).toEqual([index + 1, [[8, 'SUCCEEDED']]]);
  }
  const row: any = (await service.database.collection('coupons').find().toArray()).find(
    (found) => found._id.toHexString() === id,
  );
  expect([row.used_count, row.reservations]).toEqual([cases.length, []]);
}

describe('A redemption by a subscription', () => {
  it('is made once, at whichever write of the start the API dies', async () => {
    const one = await coupon();
    const cases = await dieEverywhere(service, 'start', async () => {
      const prepared = await subscriber();
      return { ...prepared, send: start(prepared, one.code) };
    });
    expect(cases.length).toBeGreaterThan(3);
    for (const { repeat } of cases) await eventually(repeat, ({ status }) => status === 200, 90_000);
    await expectRedeemedOnce(cases, one);
  }, 600_000);

  it('is counted once, at whichever write of the first charge a worker dies', async () => {
    const one = await coupon();
    const cases = await workerDiesEverywhere(
      service,
      subscriber,
      (prepared) => start(prepared, one.code)(service.admin),
      isPaid,
    );
    expect(cases.length).toBeGreaterThan(4);
    await expectRedeemedOnce(cases, one);
  }, 600_000);
});
