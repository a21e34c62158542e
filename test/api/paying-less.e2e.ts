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
    const one = await Scenario.begin(world, '2026-04-01');
    const { access_token: token } = await world.admin.made(`/users/${one.user}/tokens`);
    const own = world.anonymous.as(token);
    const id = await one.subscribed({ prepay: true }, { payment_method: await one.card() });
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
