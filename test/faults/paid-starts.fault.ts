import { eventually, idIn, type Client } from '@commerce/testing';

import type { ServiceProcesses } from '../processes.js';
import { dieEverywhere, startMortal } from './dying.js';

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

const IN_PROGRESS = ['CREATED', 'PROCESSING', 'UNKNOWN'];

/** The subscription of a customer, once no payment of it is in progress. */
async function only(
  user: string,
): Promise<{ readonly subscription: any; readonly payments: readonly any[] }> {
  const all: any[] = await service.admin.read('/subscriptions', { user });
  expect(all).toHaveLength(1);
  const id = idIn(all[0]);
  const payments: any[] = await eventually(
    () => service.admin.read(`/subscriptions/${id}/payments`),
    (found) => found.every(({ status }: any) => !IN_PROGRESS.includes(status)),
    60_000,
  );
  return { subscription: await service.admin.read(`/subscriptions/${id}`), payments };
}

describe('An API that dies at any write', () => {
  it('of a subscription that starts once it is paid makes one, and charges it once', async () => {
    const cases = await dieEverywhere(service, 'start', async () => {
      const { user, method: payment_method } = await service.cardholder('pm_card_visa');
      const { access_token } = await service.admin.made(`/users/${user}/tokens`);
      const body = { plan, payment_method, start_now: true, collect: 'first' };
      const send = (by: Client): Promise<any> => by.post('/subscriptions', body);
      return { user, send, by: service.admin.as(access_token) };
    });
    expect(cases.length).toBeGreaterThan(8);
    for (const { at, user, repeat } of cases) {
      const { status, body } = await eventually(
        repeat,
        (answer) => ![409, 503].includes(answer.status),
        90_000,
      );
      expect([at, status, body.status]).toEqual([at, 200, 'ACTIVE']);
      const { subscription, payments } = await only(user);
      expect([at, subscription.status, subscription.active, subscription.pending_start]).toEqual([
        at,
        'ACTIVE',
        true,
        null,
      ]);
      expect([at, payments.map(({ amount, status: paid }) => [amount, paid])]).toEqual([
        at,
        [[10, 'SUCCEEDED']],
      ]);
    }
    const charges = (await service.providerCharges()).map(({ amount }) => amount);
    expect(charges).toEqual(cases.map(() => 1000));
  }, 600_000);
});
