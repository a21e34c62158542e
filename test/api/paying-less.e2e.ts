import { idIn, type Client, type Reply } from '@commerce/testing';

import { Scenario, at } from '../flows/scenario.js';
import { World } from '../world.js';

let world: World;
let scenario: Scenario;
let user: Client;
let card: string;

beforeAll(async () => {
  world = await World.start();
  scenario = await Scenario.begin(world, '2026-04-01');
  const { access_token: token } = await world.admin.made(`/users/${scenario.user}/tokens`);
  user = world.anonymous.as(token);
  card = await scenario.card();
});
afterAll(() => world.stop());

const start = async (plan: object, more: object = {}): Promise<object> => ({
  plan: await scenario.plan({ prepay: true, ...plan }),
  payment_method: card,
  start_now: true,
  ...more,
});
/** A customer of its own, who can be declined without the others. */
const customer = async (name?: string): Promise<{ one: Scenario; own: Client; method: string }> => {
  const one = await Scenario.begin(world, '2026-04-01');
  const { access_token: token } = await world.admin.made(`/users/${one.user}/tokens`);
  return { one, own: world.anonymous.as(token), method: await one.card(name) };
};
const refusal = ({ status, body }: Reply): unknown[] => [status, body.code, body.errors?.[0]?.path];

describe('A first charge below the minimum of the card provider', () => {
  const refused = [422, 'amount.below_minimum', 'plan'];
  const DAY = { ending_date: at('2026-04-02') };

  it.each([
    ['a price', { total_amount: 0.3 }, {}],
    ['a single day', { total_amount: 10 }, DAY],
    ['a single day, in arrears', { total_amount: 10, prepay: false }, DAY],
    ['a price from a later date on', { total_amount: 0.3 }, { starting_date: at('2026-05-01') }],
  ])('is refused to a user who starts: %s', async (_, plan, more) => {
    const body = await start(plan, more);
    const reply = await user.post('/subscriptions', body);
    expect(refusal(reply)).toEqual(refused);
    expect(reply.body).toMatchObject({ minimum: 0.5, currency: 'EUR' });
    const { start_now: _start, ...previewed } = body as { start_now: boolean };
    expect(refusal(await user.post('/subscriptions/preview', previewed))).toEqual(refused);
    const id = idIn(await user.made('/subscriptions', previewed));
    expect(refusal(await user.post(`/subscriptions/${id}/start`, {}))).toEqual(refused);
    expect(refusal(await user.get(`/subscriptions/${id}/preview?start=now`))).toEqual(refused);
    expect((await user.get(`/subscriptions/${id}`)).body).toMatchObject({ status: 'CREATED' });
    expect((await world.admin.post('/subscriptions', { ...body, user: scenario.user })).status).toBe(200);
  });

  it('is refused to a user who starts a trial with such a setup fee', async () => {
    const body = await start({ setup_fee: 0.2, trial_days: 7 });
    expect(refusal(await user.post('/subscriptions', body))).toEqual(refused);
  });

  it.each([
    ['nothing is charged', { total_amount: 0 }, {}],
    ['it is the first after a trial', { total_amount: 0.3, trial_days: 7 }, {}],
    ['it is the minimum', { total_amount: 0.5 }, {}],
  ])('is none where %s', async (_, plan, more) => {
    expect((await user.post('/subscriptions', await start(plan, more))).status).toBe(200);
  });

  it('is none where the balance of the customer pays it', async () => {
    await world.admin.made(`/users/${scenario.user}/credits`, { amount: 0.3, currency: 'EUR' });
    expect((await user.post('/subscriptions', await start({ total_amount: 0.3 }))).status).toBe(200);
  });

  it('is refused to a user who changes the plan, and carried for an admin', async () => {
    const { one, own, method } = await customer();
    const id = await one.subscribed({ prepay: true }, { payment_method: method });
    await one.settled(id);
    await one.until('2026-04-30');
    const dearer = { plan: await one.plan({ prepay: true, total_amount: 33 }) };
    expect(refusal(await own.post(`/subscriptions/${id}/change`, dearer))).toEqual(refused);
    expect(refusal(await own.post(`/subscriptions/${id}/change/preview`, dearer))).toEqual(refused);
    const later = await own.post(`/subscriptions/${id}/change`, { ...dearer, at: 'period_end' });
    expect([later.status, later.body.pending_change.state]).toEqual([200, 'SCHEDULED']);
    const changed = await world.admin.post(`/subscriptions/${id}/change`, { ...dearer, collect: 'first' });
    expect([changed.status, changed.body.plan.$oid]).toEqual([200, dearer.plan]);
  });
});

describe('Under initial_fail_amount_action CANCEL', () => {
  const CANCEL = { prepay: true, initial_fail_amount_action: 'CANCEL' };
  const activeIn = async (one: Scenario, id: string): Promise<[string, unknown][]> =>
    (await one.events(id)).map(({ kind, object }) => [kind, object.active]);

  it('a subscription is active once its first payment has succeeded', async () => {
    const { one, own, method } = await customer('authenticationRequired');
    const body = { plan: await one.plan(CANCEL), payment_method: method, start_now: true };
    const started = await own.made('/subscriptions', body);
    const id = idIn(started);
    expect(started).toMatchObject({ status: 'ACTIVE', active: false });
    await one.settled(id);
    const [payment] = await own.read(`/subscriptions/${id}/payments`);
    expect([payment.status, (await one.subscription(id)).active]).toEqual(['REQUIRES_AUTH', false]);
    expect((await own.post(`/subscriptions/${id}/change`, { quantity: 2 })).status).toBe(409);
    expect((await world.admin.delete(`/users/${one.user}`)).status).not.toBe(200);
    await one.authenticates(payment);
    await own.made(`/payments/${idIn(payment)}/confirm`, {
      payment_intent_id: payment.metadata.payment_intent_id,
      payment_client_secret: payment.metadata.intent_client_secret,
    });
    expect(await one.subscription(id)).toMatchObject({ status: 'ACTIVE', active: true });
    const seen = await activeIn(one, id);
    expect(seen).toContainEqual(['subscription.activated', false]);
    expect(seen.at(-1)).toEqual(['subscription.updated', true]);
  });

  it.each([
    ['a trial is active until it ends', { trial_days: 7 }, true, '2026-04-08'],
    [
      'a subscription in arrears is active until its first payment is due',
      { prepay: false },
      true,
      '2026-05-01',
    ],
  ])('%s', async (_, plan, first, due) => {
    const { one, method } = await customer();
    const id = await one.subscribed({ ...CANCEL, ...plan }, { payment_method: method });
    expect((await one.subscription(id)).active).toBe(first);
    await one.bankAlways('authentication_required');
    await one.until(due);
    expect(await one.subscription(id)).toMatchObject({ status: 'ACTIVE', active: false });
    await one.until(at(due) + 24 * 3_600_000);
    expect(await one.subscription(id)).toMatchObject({ status: 'CANCELLED', active: false });
  });

  it('a first payment that fails in a pause leaves no service to resume', async () => {
    const { one, method } = await customer();
    await one.bankAlways('insufficient_funds');
    const retrying = {
      should_retry_payments: true,
      retry_payment_in_minutes: 1440,
      max_payment_retries: 2,
    };
    const id = await one.subscribed({ ...CANCEL, ...retrying }, { payment_method: method });
    await one.settled(id);
    await one.does(id, 'pause');
    await one.until('2026-04-20');
    await one.does(id, 'start');
    await one.settled(id);
    expect(await one.subscription(id)).toMatchObject({ collection_state: 'RETRYING', active: false });
    expect((await activeIn(one, id)).map(([, active]) => active)).not.toContain(true);
    await one.bankAlways();
    await one.changes(id, { payment_method: await one.card() });
    await one.settled(id);
    expect(await one.subscription(id)).toMatchObject({ active: true, collection_state: 'OK' });
  });
});
