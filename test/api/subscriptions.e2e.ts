import { idIn, type Client } from '@commerce/testing';

import { Scenario, at } from '../flows/scenario.js';
import { World } from '../world.js';

let world: World;
let scenario: Scenario;

beforeAll(async () => {
  world = await World.start();
  scenario = await Scenario.begin(world, '2026-04-01');
});
afterAll(() => world.stop());

const paths = (body: { errors: { path: string }[] }): string[] => body.errors.map(({ path }) => path);
const NOBODY = 'f'.repeat(24);

describe('POST /subscriptions', () => {
  it('replies with the whole record, in the order of the interface', async () => {
    const plan = await scenario.plan({ name: 'Gold' });
    const { status, body } = await world.admin.post('/subscriptions', {
      plan,
      user: scenario.user,
      subscription_method: 'box',
      note: 'Leave it at the door',
    });
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual([
      ...['_id', 'company', '_cls', 'user', 'plan', 'quantity', 'coupon', 'payment_method'],
      ...['name', 'method'],
      ...[
        'human_id',
        'note',
        'status',
        'active',
        'starting_date',
        'ending_date',
        'infinite',
        'interval_total',
        'ending_set_by',
      ],
      ...['current_billing_date_period_start', 'current_billing_date_period_end', 'prorate_amount'],
      ...['payments', 'currency', 'in_trial', 'trial_ending_date', 'last_billed_date'],
      ...['next_billing_date', 'last_prorate_date', 'last_billed_amount', 'failed_attempts'],
      ...[
        'collection_state',
        'outstanding_amount',
        'awaiting_amount',
        'reason',
        'paused_at',
        'paused_by',
        'resume_at',
        'pending_change',
        'pending_start',
        'held',
      ],
      ...['created', 'deleted', 'updated'],
    ]);
    expect(body).toMatchObject({
      _cls: 'Subscription',
      user: { $oid: scenario.user },
      plan: { $oid: plan },
      payment_method: null,
      name: 'box',
      method: 'box',
      human_id: expect.stringMatching(/^[2-9A-HJKMNP-Z]{6}$/),
      note: 'Leave it at the door',
      status: 'CREATED',
      active: false,
      starting_date: null,
      ending_date: null,
      infinite: false,
      interval_total: null,
      prorate_amount: 0,
      payments: [],
      collection_state: 'OK',
      outstanding_amount: 0,
      failed_attempts: 0,
      deleted: false,
      created: { $date: at('2026-04-01') },
    });
    expect(await scenario.kinds(idIn(body))).toEqual(['subscription.created']);
  });

  it('takes its name and method from the plan when it has none of its own', async () => {
    const id = await scenario.subscribed({ name: 'Silver' });
    expect(await scenario.subscription(id)).toMatchObject({ name: 'Silver', method: 'basic' });
  });

  it('lets an admin choose the method, and no user', async () => {
    const plan = await scenario.plan({ name: 'Bronze' });
    const { client } = await world.user();
    const body = { plan, subscription_method: 'wholesale' };
    for (const path of ['/subscriptions', '/subscriptions/preview']) {
      const refused = await client.post(path, body);
      expect([refused.status, refused.body.code, paths(refused.body)]).toEqual([
        422,
        'subscription.field_reserved',
        ['subscription_method'],
      ]);
    }
    const own = await client.made('/subscriptions', { plan, subscription_method: null });
    expect(own).toMatchObject({ name: 'Bronze', method: 'basic' });
    const user = scenario.user;
    expect(await world.admin.made('/subscriptions', { ...body, user })).toMatchObject({
      method: 'wholesale',
    });
  });

  it('starts immediately on request', async () => {
    const id = await scenario.subscribed({}, { payment_method: await scenario.card() });
    expect(await scenario.subscription(id)).toMatchObject({
      status: 'ACTIVE',
      starting_date: { $date: at('2026-04-01') },
      current_billing_date_period_end: { $date: at('2026-05-01') },
    });
    expect(await scenario.kinds(id)).toEqual(['subscription.created', 'subscription.activated']);
  });

  it('needs a payment method to start immediately', async () => {
    const body = { plan: await scenario.plan(), user: scenario.user, start_now: true };
    const answer = await world.admin.post('/subscriptions', body);
    expect(answer.status).toBe(422);
    expect(paths(answer.body)).toEqual(['payment_method']);
  });

  it('keeps one term only: infinite before ending_date before interval_total', async () => {
    const plan = await scenario.plan();
    const made = (term: object): Promise<any> =>
      world.admin.made('/subscriptions', { plan, user: scenario.user, ...term });
    const ending_date = at('2027-01-01');
    expect(await made({ infinite: true, ending_date, interval_total: 3 })).toMatchObject({
      infinite: true,
      ending_date: null,
      interval_total: null,
    });
    expect(await made({ ending_date, interval_total: 3 })).toMatchObject({
      infinite: false,
      ending_date: { $date: ending_date },
      interval_total: null,
    });
  });

  it.each([
    ['no plan', { plan: undefined }, 'plan'],
    ['an unknown plan', { plan: NOBODY }, 'plan'],
    ['no user, from an admin', { user: undefined }, 'user'],
    ['an unknown user', { user: NOBODY }, 'user'],
    ['an unknown payment method', { payment_method: NOBODY }, 'payment_method'],
    ['a status', { status: 'ACTIVE' }, 'status'],
    ['a company', { company: NOBODY }, 'company'],
    ['a date that cannot be', { ending_date: -1 }, 'ending_date'],
    ['half an interval', { interval_total: 1.5 }, 'interval_total'],
    ['no interval', { interval_total: 0 }, 'interval_total'],
  ])('refuses %s', async (_case, values, path) => {
    const body = { plan: await scenario.plan(), user: scenario.user, ...values };
    const answer = await world.admin.post('/subscriptions', body);
    expect(answer.status).toBe(422);
    expect(paths(answer.body)).toContain(path);
    expect(answer.status).toBe(422);
  });

  it('refuses a plan that was deleted, or is of another company', async () => {
    const { admin } = await world.stranger();
    const foreign = idIn(
      await admin.made('/plans', { interval_unit: 'MONTH', currency: 'EUR', total_amount: 1 }),
    );
    const deleted = await scenario.plan();
    await world.admin.delete(`/plans/${deleted}`);
    for (const plan of [foreign, deleted]) {
      const answer = await world.admin.post('/subscriptions', { plan, user: scenario.user });
      expect([answer.status, answer.body.code]).toEqual([422, 'plan.unknown']);
    }
  });

  it('lets a user subscribe for itself only, and pay by its own card only', async () => {
    const { id, client } = await world.user();
    const plan = await scenario.plan();
    expect(await client.made('/subscriptions', { plan })).toMatchObject({ user: { $oid: id } });
    expect(await client.made('/subscriptions', { plan, user: id })).toMatchObject({ user: { $oid: id } });
    const other = await client.post('/subscriptions', { plan, user: scenario.user });
    expect([other.status, paths(other.body)]).toEqual([422, ['user']]);
    const card = await client.post('/subscriptions', { plan, payment_method: await scenario.card() });
    expect([card.status, paths(card.body)]).toEqual([422, ['payment_method']]);
  });
});

describe('PUT /subscriptions/<id>', () => {
  it('replaces the fields that are given', async () => {
    const id = await scenario.subscribed({}, { payment_method: await scenario.card() });
    const card = await scenario.card('mastercard');
    const changed = await scenario.changes(id, { note: 'New', interval_total: 12, payment_method: card });
    expect(changed).toMatchObject({ note: 'New', interval_total: 12, payment_method: { $oid: card } });
    const last = (await scenario.events(id)).at(-1);
    expect(last?.kind).toBe('subscription.updated');
    expect(last?.previous_data).toMatchObject({ note: null, interval_total: null });
    expect(last?.previous_data).not.toHaveProperty('updated');
  });

  it('sends no event when nothing changes', async () => {
    const id = await scenario.subscribed({});
    await scenario.changes(id, { note: 'Same' });
    const before = await scenario.kinds(id);
    await scenario.changes(id, { note: 'Same' });
    expect(await scenario.kinds(id)).toEqual(before);
  });

  it.each([
    ['an end in the past', { ending_date: at('2026-03-01') }, 'ending_date'],
    ['an unknown field', { plan: NOBODY }, 'plan'],
    ['another state', { status: 'CANCELLED' }, 'status'],
    ['an unknown payment method', { payment_method: NOBODY }, 'payment_method'],
  ])('refuses %s', async (_case, body, path) => {
    const id = await scenario.subscribed({}, { payment_method: await scenario.card() });
    const answer = await world.admin.put(`/subscriptions/${id}`, body);
    expect([answer.status, paths(answer.body)]).toEqual([422, [path]]);
  });
});

describe('DELETE /subscriptions/<id>', () => {
  it('marks as deleted only a subscription that never ran', async () => {
    const id = await scenario.subscribed({});
    const { client } = await world.user();
    expect((await client.delete(`/subscriptions/${id}`)).status).toBe(403);
    expect((await world.admin.delete(`/subscriptions/${id}`)).body).toMatchObject({ deleted: true });
    expect(await scenario.kinds(id)).toEqual(['subscription.created', 'subscription.deleted']);
    expect(await scenario.subscription(id)).toMatchObject({ deleted: true });
    expect((await world.admin.post(`/subscriptions/${id}/start`)).status).toBe(404);
    const running = await scenario.subscribed({}, { payment_method: await scenario.card() });
    const refused = await world.admin.delete(`/subscriptions/${running}`);
    expect([refused.status, refused.body.code]).toEqual([409, 'subscription.state_conflict']);
  });
});

describe('a payment method that a live subscription needs', () => {
  it('cannot be deleted, unless another takes its place', async () => {
    const [first, second] = [await scenario.card(), await scenario.card('mastercard')];
    const id = await scenario.subscribed({}, { payment_method: first });
    const refused = await world.admin.delete(`/payment_methods/${first}`);
    expect([refused.status, refused.body.code]).toEqual([409, 'payment_method.in_use']);
    const deleted = await world.admin.delete(`/payment_methods/${first}?replacement=${second}`);
    expect(deleted.status).toBe(200);
    expect(await scenario.subscription(id)).toMatchObject({ payment_method: { $oid: second } });
  });
});

describe('a payment method that has no card yet', () => {
  const refusal = async (answer: ReturnType<Client['post']>): Promise<unknown[]> => {
    const { status, body } = await answer;
    return [status, body.code, paths(body)];
  };
  const refused = [422, 'payment_method.incomplete', ['payment_method']];

  it('is refused wherever a request names one', async () => {
    const { admin } = world;
    const { user } = scenario;
    const empty = { payment_method: 'stripe', user };
    const payment_method = idIn(await admin.made('/payment_methods', empty));
    const plan = await scenario.plan();
    expect(await refusal(admin.post('/subscriptions', { plan, user, payment_method }))).toEqual(refused);
    expect(await refusal(admin.post('/subscriptions/preview', { plan, user, payment_method }))).toEqual(
      refused,
    );
    const id = await scenario.subscribed({});
    expect(await refusal(admin.post(`/subscriptions/${id}/start`, { payment_method }))).toEqual(refused);
    expect(await refusal(admin.put(`/subscriptions/${id}`, { payment_method }))).toEqual(refused);
    expect(await scenario.subscription(id)).toMatchObject({ status: 'CREATED', payment_method: null });
  });

  it('is taken once its card is saved', async () => {
    const payment_method = await scenario.card();
    const id = await scenario.subscribed({}, { payment_method });
    expect(await scenario.subscription(id)).toMatchObject({ payment_method: { $oid: payment_method } });
  });
});
