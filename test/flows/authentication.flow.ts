import { World } from '../world.js';
import { Scenario } from './scenario.js';

let world: World;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

/** A renewal that the bank wants the customer to authenticate. */
async function challenged(): Promise<{ scenario: Scenario; id: string; payment: any; secret: any }> {
  const scenario = await Scenario.begin(world, '2025-06-01');
  const id = await scenario.subscribed({ prepay: true }, { payment_method: await scenario.card() });
  await scenario.settled(id);
  await scenario.bank('authentication_required');
  await scenario.until('2025-07-01');
  const [, payment] = await scenario.payments(id);
  expect(payment).toMatchObject({ status: 'REQUIRES_AUTH', amount: 30 });
  const told = (await scenario.events(payment._id.$oid)).filter(
    ({ kind }) => kind === 'payment.requires_auth',
  );
  expect(told).toHaveLength(1);
  const { payment_intent_id, intent_client_secret } = told[0]!.object.metadata;
  return {
    scenario,
    id,
    payment,
    secret: { payment_intent_id, payment_client_secret: intent_client_secret },
  };
}

describe('a renewal that needs the customer', () => {
  it('is collected once the customer has authenticated it', async () => {
    const { scenario, id, payment, secret } = await challenged();
    expect(await scenario.subscription(id)).toMatchObject({
      status: 'ACTIVE',
      active: true,
      collection_state: 'REQUIRES_AUTH',
      failed_attempts: 0,
      outstanding_amount: 0,
      awaiting_amount: 30,
    });
    const waiting = { status: 'REQUIRES_AUTH' };
    expect(await world.admin.read(`/subscriptions/${id}/payments`, waiting)).toMatchObject([
      { _id: payment._id, amount: 30 },
    ]);
    expect((await world.admin.get(`/subscriptions/${id}/payments`, { status: 'PAID' })).status).toBe(422);
    const confirm = (body: object): Promise<any> =>
      world.admin.post(`/payments/${String(payment._id.$oid)}/confirm`, body);
    const other = await challenged();
    expect((await confirm(other.secret)).status).toBe(422);
    await scenario.authenticates(payment);
    const first = await confirm(secret);
    expect([first.status, first.body.status]).toEqual([200, 'SUCCEEDED']);
    const second = await confirm(secret);
    expect(second.body).toEqual(first.body);
    expect(await scenario.subscription(id)).toMatchObject({
      ...{ collection_state: 'OK', failed_attempts: 0, awaiting_amount: 0 },
    });
    const query = { status: 'succeeded', sort: 'created' };
    expect(await world.admin.read(`/subscriptions/${id}/payments`, query)).toHaveLength(2);
    expect(await scenario.ledger()).toMatchObject({ captured: 6000, charges: 2 });
  });

  it('waits until the next period is due, then counts as failed', async () => {
    const { scenario, id, payment } = await challenged();
    await scenario.until('2025-07-31');
    expect(await scenario.subscription(id)).toMatchObject({ collection_state: 'REQUIRES_AUTH' });
    await scenario.until('2025-08-01');
    expect(await world.admin.read(`/payments/${String(payment._id.$oid)}`)).toMatchObject({
      status: 'FAILED',
    });
    const bill = await scenario.bill(id);
    expect(bill.at(-1)).toEqual(['2025-08-01', 60, 'SUCCEEDED']);
    expect(await scenario.subscription(id)).toMatchObject({
      failed_attempts: 0,
      outstanding_amount: 0,
      collection_state: 'OK',
    });
    const failures = (await scenario.events(id)).map(({ object }) => object.failed_attempts);
    expect(Math.max(...failures)).toBe(1);
  });

  it('is collected by another card, and the old intent takes nothing any more', async () => {
    const { scenario, id, payment } = await challenged();
    await scenario.changes(id, { payment_method: await scenario.card() });
    await scenario.settled(id);
    expect(await scenario.subscription(id)).toMatchObject({ collection_state: 'OK', outstanding_amount: 0 });
    await scenario.authenticates(payment);
    await scenario.until('2025-07-20');
    expect(await scenario.ledger()).toMatchObject({ captured: 6000, charges: 2 });
  });
});

describe('a first payment that needs the customer', () => {
  it('counts as failed after 23 hours', async () => {
    const scenario = await Scenario.begin(world, '2025-06-01');
    const payment_method = await scenario.card('authenticationRequired');
    const plan = { prepay: true, initial_fail_amount_action: 'CANCEL' };
    const id = await scenario.subscribed(plan, { payment_method });
    await scenario.settled(id);
    expect(await scenario.bill(id)).toEqual([['2025-06-01', 30, 'REQUIRES_AUTH']]);
    await scenario.until('2025-06-01T22:59');
    expect(await scenario.subscription(id)).toMatchObject({ status: 'ACTIVE' });
    await scenario.until('2025-06-01T23:00');
    expect(await scenario.subscription(id)).toMatchObject({ status: 'CANCELLED', outstanding_amount: 0 });
  });
});
