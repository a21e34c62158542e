import { eventually, idIn, type Client } from '@commerce/testing';

import type { ServiceProcesses } from '../processes.js';
import { dieEverywhere, startMortal, workerDiesEverywhere, type Dead } from './dying.js';

let service: ServiceProcesses;
/** A plan of 10.00 a month in advance, and one of 30.00. */
let plans: readonly [string, string];
beforeAll(async () => {
  service = await startMortal();
  plans = [await plan(10), await plan(30)];
}, 90_000);
afterAll(async () => {
  await service.stop();
});

async function plan(total_amount: number): Promise<string> {
  const monthly = { name: 'Monthly', interval_unit: 'MONTH', currency: 'EUR', prepay: true, total_amount };
  return idIn(await service.admin.made('/plans', monthly));
}

interface Subscriber {
  /** The subscription. */
  readonly id: string;
  readonly user: string;
  readonly payment_method: string;
}

const paymentsOf = (id: string): Promise<any[]> => service.admin.read(`/subscriptions/${id}/payments`);

const grant = (user: string, amount: number): Promise<any> =>
  service.admin.made(`/users/${user}/credits`, { amount, currency: 'EUR' });

/** A subscription that has not started, and a balance of 4.00. */
async function subscriber(): Promise<Subscriber> {
  const { user, method: payment_method } = await service.cardholder('pm_card_visa');
  await grant(user, 4);
  return {
    id: idIn(await service.admin.made('/subscriptions', { plan: plans[0], user })),
    user,
    payment_method,
  };
}

const start = ({ id, payment_method }: Subscriber): Promise<any> =>
  service.admin.post(`/subscriptions/${id}/start`, { payment_method });

const isPaid = async ({ id }: Pick<Subscriber, 'id'>): Promise<boolean> =>
  (await paymentsOf(id)).some(({ status }) => status === 'SUCCEEDED');

/** A subscription whose first month is paid: 4.00 by the balance, 6.00 by the card. */
async function paid(): Promise<Subscriber & { readonly payment: any }> {
  const one = await subscriber();
  await start(one);
  await eventually(() => isPaid(one), Boolean, 60_000);
  const [payment] = await paymentsOf(one.id);
  expect([payment.amount, payment.credit_applied]).toEqual([6, 4]);
  return { ...one, payment };
}

/** Kind and amount of each entry in the ledger of a user, the oldest first; the last balance is that of the user. */
async function ledger(user: string): Promise<[string, number][]> {
  const query = { sort: 'number', size: 100 };
  const entries: { kind: string; amount: number; balance: number }[] = await service.admin.read(
    `/users/${user}/credits`,
    query,
  );
  let sum = 0;
  for (const { amount, balance } of entries) {
    sum += amount;
    expect([balance, balance >= 0]).toEqual([sum, true]);
  }
  const { balance } = await service.admin.read(`/users/${user}`);
  expect(balance).toEqual(sum === 0 ? {} : { EUR: sum });
  return entries.map(({ kind, amount }) => [kind, amount]);
}

/** Repeats a request until it is answered. */
function answered({ repeat }: Dead<object>): Promise<any> {
  return eventually(repeat, ({ status }) => ![409, 503].includes(status), 90_000);
}

/** The sum of the provider's charges, in minor units. */
async function captured(): Promise<number> {
  return (await service.providerCharges()).reduce((sum, { amount }) => sum + amount, 0);
}

describe('An API that dies at any write', () => {
  it('of a grant leaves all of it or nothing; a repetition grants once', async () => {
    const cases = await dieEverywhere(service, 'grant', async () => {
      const { user } = await service.cardholder('pm_card_visa');
      await grant(user, 4);
      const body = { amount: 40, currency: 'EUR' };
      return { user, send: (by: Client) => by.post(`/users/${user}/credits`, body) };
    });
    expect(cases.length).toBeGreaterThan(2);
    for (const one of cases) {
      expect([[4], [4, 40]]).toContainEqual((await ledger(one.user)).map(([, amount]) => amount));
      const { status, body } = await answered(one);
      expect([one.at, status, body.amount, body.balance]).toEqual([one.at, 200, 40, 44]);
      const expected = [
        ['granted', 4],
        ['granted', 40],
      ];
      expect([one.at, await ledger(one.user)]).toEqual([one.at, expected]);
    }
  }, 600_000);

  it('of a refund to the balance refunds once', async () => {
    const cases = await dieEverywhere(service, 'refund', async () => {
      const one = await paid();
      const body = { amount: 5, to: 'balance' };
      return { ...one, send: (by: Client) => by.post(`/payments/${idIn(one.payment)}/refunds`, body) };
    });
    expect(cases.length).toBeGreaterThan(2);
    for (const one of cases) {
      const { status, body } = await answered(one);
      expect([one.at, status, body.refunded_amount]).toEqual([one.at, 200, 5]);
      const expected = [
        ['granted', 4],
        ['applied', -4],
        ['refunded', 5],
      ];
      expect([one.at, await ledger(one.user)]).toEqual([one.at, expected]);
      const { refunds, credit_applied } = await service.admin.read(`/payments/${idIn(one.payment)}`);
      const shown = refunds.map(({ to, amount, status: state }: any) => [to, amount, state]);
      expect([credit_applied, shown]).toEqual([4, [['balance', 5, 'SUCCEEDED']]]);
    }
  }, 600_000);

  it('of a charge that it sends itself takes the credit and charges the card once', async () => {
    const before = await captured();
    const cases = await dieEverywhere(service, 'charge', async () => {
      const one = await paid();
      await grant(one.user, 3);
      const { access_token } = await service.admin.made(`/users/${one.user}/tokens`);
      const send = (by: Client): Promise<any> =>
        by.post(`/subscriptions/${one.id}/change`, { plan: plans[1] });
      return { ...one, by: service.admin.as(access_token), send };
    });
    expect(cases.length).toBeGreaterThan(8);
    let charged = 0;
    for (const one of cases) {
      const { status, body } = await answered(one);
      expect([one.at, status, body.plan?.$oid]).toEqual([one.at, 200, plans[1]]);
      const all = await paymentsOf(one.id);
      const changes = all.filter(({ kind }) => kind === 'proration');
      const shown = changes.map(({ status: state, credit_applied }) => [state, credit_applied]).sort();
      // The change of a dead request may have been abandoned before its card was charged, and gave its credit back.
      const abandoned = shown.slice(0, -1).map(() => ['FAILED', 0]);
      expect([one.at, shown]).toEqual([one.at, [...abandoned, ['SUCCEEDED', 3]]]);
      const taken = (await ledger(one.user)).filter(([kind]) => kind !== 'granted');
      expect([one.at, taken.reduce((sum, [, amount]) => sum + amount, 0)]).toEqual([one.at, -7]);
      for (const payment of all)
        if (payment.status === 'SUCCEEDED') charged += Math.round(payment.amount * 100);
    }
    expect((await captured()) - before).toBe(charged);
  }, 600_000);
});

describe('A worker that dies at any write', () => {
  it('of a charge takes the credit once, and charges the card the rest once', async () => {
    const before = await captured();
    const cases = await workerDiesEverywhere(service, subscriber, start, isPaid);
    expect(cases.length).toBeGreaterThan(4);
    for (const [index, one] of cases.entries()) {
      await eventually(() => isPaid(one), Boolean, 60_000);
      const shown = (await paymentsOf(one.id)).map(({ amount, credit_applied }) => [amount, credit_applied]);
      expect([index, shown]).toEqual([index, [[6, 4]]]);
      const expected = [
        ['granted', 4],
        ['applied', -4],
      ];
      expect([index, await ledger(one.user)]).toEqual([index, expected]);
    }
    expect((await captured()) - before).toBe(cases.length * 600);
  }, 600_000);
});
