import { World } from '../world.js';
import { Story } from './story.js';

let world: World;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

/** A renewal that the bank wants the customer to authenticate. */
async function challenged(): Promise<{ story: Story; id: string; payment: any; secret: any }> {
  const story = await Story.begin(world, '2025-06-01');
  const id = await story.subscribed({ prepay: true }, { payment_method: await story.card() });
  await story.settled(id);
  await story.bank('authentication_required');
  await story.until('2025-07-01');
  const [, payment] = await story.payments(id);
  expect(payment).toMatchObject({ status: 'REQUIRES_AUTH', amount: 30 });
  const told = (await story.told(payment._id.$oid)).filter(({ kind }) => kind === 'payment.requires_auth');
  expect(told).toHaveLength(1);
  const { payment_intent_id, intent_client_secret } = told[0]!.object.metadata;
  return { story, id, payment, secret: { payment_intent_id, payment_client_secret: intent_client_secret } };
}

describe('a renewal that needs the customer', () => {
  it('is collected once the customer has authenticated it', async () => {
    const { story, id, payment, secret } = await challenged();
    expect(await story.subscription(id)).toMatchObject({
      status: 'ACTIVE',
      active: true,
      collection_state: 'REQUIRES_AUTH',
      failed_attempts: 0,
    });
    const confirm = (body: object): Promise<any> =>
      world.admin.post(`/payments/${String(payment._id.$oid)}/confirm`, body);
    const other = await challenged();
    expect((await confirm(other.secret)).status).toBe(422);
    await story.authenticates(payment);
    const first = await confirm(secret);
    expect([first.status, first.body.status]).toEqual([200, 'SUCCEEDED']);
    const second = await confirm(secret);
    expect(second.body).toEqual(first.body);
    expect(await story.subscription(id)).toMatchObject({ collection_state: 'OK', failed_attempts: 0 });
    expect(await story.ledger()).toMatchObject({ captured: 6000, charges: 2 });
  });

  it('waits until the next period is due, then counts as failed', async () => {
    const { story, id, payment } = await challenged();
    await story.until('2025-07-31');
    expect(await story.subscription(id)).toMatchObject({ collection_state: 'REQUIRES_AUTH' });
    await story.until('2025-08-01');
    expect(await world.admin.read(`/payments/${String(payment._id.$oid)}`)).toMatchObject({
      status: 'FAILED',
    });
    const bill = await story.bill(id);
    expect(bill.at(-1)).toEqual(['2025-08-01', 60, 'SUCCEEDED']);
    expect(await story.subscription(id)).toMatchObject({
      failed_attempts: 0,
      outstanding_amount: 0,
      collection_state: 'OK',
    });
    const failures = (await story.told(id)).map(({ object }) => object.failed_attempts);
    expect(Math.max(...failures)).toBe(1);
  });

  it('is collected by another card, and the old intent takes nothing any more', async () => {
    const { story, id, payment } = await challenged();
    await story.changes(id, { payment_method: await story.card() });
    await story.settled(id);
    expect(await story.subscription(id)).toMatchObject({ collection_state: 'OK', outstanding_amount: 0 });
    await story.authenticates(payment);
    await story.until('2025-07-20');
    expect(await story.ledger()).toMatchObject({ captured: 6000, charges: 2 });
  });
});

describe('a first payment that needs the customer', () => {
  it('counts as failed after 23 hours', async () => {
    const story = await Story.begin(world, '2025-06-01');
    const payment_method = await story.card('authenticationRequired');
    const plan = { prepay: true, initial_fail_amount_action: 'CANCEL' };
    const id = await story.subscribed(plan, { payment_method });
    await story.settled(id);
    expect(await story.bill(id)).toEqual([['2025-06-01', 30, 'REQUIRES_AUTH']]);
    await story.until('2025-06-01T22:59');
    expect(await story.subscription(id)).toMatchObject({ status: 'ACTIVE' });
    await story.until('2025-06-01T23:00');
    expect(await story.subscription(id)).toMatchObject({ status: 'CANCELLED', outstanding_amount: 0 });
  });
});
