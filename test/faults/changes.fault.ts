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
  readonly id: string;
  readonly user: string;
  /** The customer. */
  readonly by: Client;
}

const subscription = (id: string): Promise<any> => service.admin.read(`/subscriptions/${id}`);
const paymentsOf = (id: string): Promise<any[]> => service.admin.read(`/subscriptions/${id}/payments`);

/** The payments of changes. */
async function changePayments(id: string): Promise<any[]> {
  return (await paymentsOf(id)).filter(({ kind }) => kind === 'proration');
}

async function holds(id: string, payment_method: string): Promise<void> {
  await service.admin.changed(`/subscriptions/${id}`, { payment_method });
}

/** A customer whose first month is paid. */
async function subscriber(): Promise<Subscriber> {
  const { user, method: payment_method } = await service.cardholder('pm_card_visa');
  const body = { plan: plans[0], user, payment_method, start_now: true };
  const id = idIn(await service.admin.made('/subscriptions', body));
  await eventually(
    () => paymentsOf(id),
    ([first]) => first?.status === 'SUCCEEDED',
    60_000,
  );
  const { access_token } = await service.admin.made(`/users/${user}/tokens`);
  return { id, user, by: service.admin.as(access_token) };
}

/** Another card of a customer. */
async function card(user: string, name: string): Promise<string> {
  const method = idIn(await service.admin.made('/payment_methods', { payment_method: 'stripe', user }));
  await service.admin.changed(`/payment_methods/${method}`, { payment_method_id: name });
  return method;
}

/** A customer whose change waits for authentication. */
async function waiting(): Promise<Subscriber & { readonly payment: any }> {
  const one = await subscriber();
  await holds(one.id, await card(one.user, 'pm_card_authenticationRequired'));
  const { status, body } = await one.by.post(`/subscriptions/${one.id}/change`, { plan: plans[1] });
  expect([status, body.status]).toEqual([422, 'REQUIRES_AUTH']);
  return { ...one, payment: body };
}

const change =
  (id: string) =>
  (by: Client): Promise<any> =>
    by.post(`/subscriptions/${id}/change`, { plan: plans[1] });

const IN_PROGRESS = ['CREATED', 'PROCESSING', 'UNKNOWN'];

/** Waits until no payment is in progress. */
async function settled(id: string): Promise<void> {
  await eventually(
    () => paymentsOf(id),
    (all) => all.every(({ status }) => !IN_PROGRESS.includes(status)),
    60_000,
  );
}

/** The plan shows whether the change was paid, and nothing is owed. */
async function expectConsistent(at: number, id: string): Promise<void> {
  const { plan: now, outstanding_amount, pending_change } = await subscription(id);
  const paid = (await changePayments(id)).filter(({ status }) => status === 'SUCCEEDED');
  const expected = paid.length === 0 ? plans[0] : plans[1];
  expect([at, now.$oid, paid.length <= 1, outstanding_amount, pending_change]).toEqual([
    at,
    expected,
    true,
    0,
    null,
  ]);
}

/** Repeats a request until it is answered. */
function answered({ repeat }: Dead<object>): Promise<any> {
  return eventually(repeat, ({ status }) => ![409, 503].includes(status), 90_000);
}

/** After its repetition, every change has taken effect and was paid once. */
async function expectChangedOnce(cases: readonly Dead<Subscriber>[]): Promise<void> {
  for (const one of cases) {
    const { status, body } = await answered(one);
    expect([one.at, status, body.plan?.$oid]).toEqual([one.at, 200, plans[1]]);
    await expectPaidOnce(one.at, one.id);
  }
}

async function expectPaidOnce(at: number, id: string): Promise<void> {
  const payments = await eventually(
    () => changePayments(id),
    (all) => all.some(({ status }) => status === 'SUCCEEDED'),
    60_000,
  );
  const paid = payments.filter(({ status }) => status === 'SUCCEEDED');
  expect([at, paid.length, (await subscription(id)).plan.$oid]).toEqual([at, 1, plans[1]]);
  expect(await subscription(id)).toMatchObject({ outstanding_amount: 0, pending_change: null });
}

/** The provider's charges are those of the payments, one each. */
async function expectSameBooks(): Promise<void> {
  const paid = await service.database.collection('payments').find({ status: 'SUCCEEDED' }).toArray();
  const sorted = (amounts: number[]): number[] => amounts.sort((a, b) => a - b);
  const booked = (await service.providerCharges()).map(({ amount }) => amount);
  expect(sorted(booked)).toEqual(sorted(paid.map(({ amount }) => Math.round(Number(String(amount)) * 100))));
}

describe('An API that dies at any write', () => {
  afterEach(expectSameBooks);

  it('of a change collected first leaves the old plan or one charge; a repetition pays it once', async () => {
    const cases = await dieEverywhere(service, 'first', async () => {
      const one = await subscriber();
      return { ...one, send: change(one.id) };
    });
    expect(cases.length).toBeGreaterThan(8);
    for (const { at, id } of cases) {
      await settled(id);
      await expectConsistent(at, id);
    }
    await expectChangedOnce(cases);
  }, 600_000);

  it('of a change collected later answers the repetition with it, not with an earlier change', async () => {
    const cases = await dieEverywhere(service, 'later', async () => {
      const one = await subscriber();
      const { payment_method } = await subscription(one.id);
      await holds(one.id, await card(one.user, 'pm_card_chargeDeclined'));
      expect((await change(one.id)(one.by)).status).toBe(402);
      await holds(one.id, payment_method.$oid);
      return { ...one, by: service.admin, send: change(one.id) };
    });
    expect(cases.length).toBeGreaterThan(4);
    await expectChangedOnce(cases);
  }, 600_000);

  it('of the confirmation of a change charges it once', async () => {
    const cases = await dieEverywhere(service, 'confirmed', async () => {
      const one = await waiting();
      const { payment_intent_id, intent_client_secret } = one.payment.metadata;
      const approve = new URLSearchParams({ outcome: 'approve' });
      const page = `${service.env['STRIPE_API_BASE']!}/authenticate/${String(payment_intent_id)}`;
      await fetch(page, { method: 'POST', body: approve, redirect: 'manual' });
      const proof = { payment_intent_id, payment_client_secret: intent_client_secret };
      const path = `/payments/${idIn(one.payment)}/confirm`;
      return { ...one, send: (by: Client) => by.post(path, proof) };
    });
    expect(cases.length).toBeGreaterThan(2);
    for (const one of cases) {
      const { status, body } = await answered(one);
      expect([one.at, status, body.status]).toEqual([one.at, 200, 'SUCCEEDED']);
      await expectPaidOnce(one.at, one.id);
    }
  }, 600_000);

  it('of a withdrawal leaves the old plan and takes no money', async () => {
    const cases = await dieEverywhere(service, 'withdrawn', async () => {
      const one = await waiting();
      return { ...one, send: (by: Client) => by.delete(`/subscriptions/${one.id}/change`) };
    });
    expect(cases.length).toBeGreaterThan(2);
    for (const one of cases) {
      const { status, body } = await answered(one);
      expect([one.at, status, body.pending_change]).toEqual([one.at, 200, null]);
      await expectGivenUp(one.at, one);
    }
  }, 600_000);
});

/** The payment of a withdrawn change has failed, here and at the provider. */
async function expectGivenUp(
  at: number,
  { id, payment }: Awaited<ReturnType<typeof waiting>>,
): Promise<void> {
  await eventually(
    () => changePayments(id),
    ([one]) => one.status === 'FAILED',
    60_000,
  );
  await expectConsistent(at, id);
  const { payment_intent_id } = payment.metadata;
  const intent = await eventually(
    () => service.providerIntent(payment_intent_id),
    ({ status }) => status === 'canceled',
    60_000,
  );
  expect([at, intent.status]).toEqual([at, 'canceled']);
}

describe('A worker that dies at any write', () => {
  afterEach(expectSameBooks);

  it('of the charge of a change collected later charges it once', async () => {
    const isPaid = async ({ id }: Subscriber): Promise<boolean> =>
      (await changePayments(id)).some(({ status }) => status === 'SUCCEEDED');
    const now = ({ id }: Subscriber): Promise<any> => change(id)(service.admin);
    const cases = await workerDiesEverywhere(service, subscriber, now, isPaid);
    expect(cases.length).toBeGreaterThan(4);
    for (const [index, { id }] of cases.entries()) await expectPaidOnce(index + 1, id);
  }, 600_000);

  it('of giving up the payment of a withdrawn change takes no money', async () => {
    const isOver = async ({ id }: Subscriber): Promise<boolean> =>
      (await changePayments(id)).every(({ status }) => status === 'FAILED');
    const withdraw = ({ id, by }: Subscriber): Promise<any> => by.delete(`/subscriptions/${id}/change`);
    const cases = await workerDiesEverywhere(service, waiting, withdraw, isOver);
    expect(cases.length).toBeGreaterThan(2);
    for (const [index, one] of cases.entries()) await expectGivenUp(index + 1, one);
  }, 600_000);
});
