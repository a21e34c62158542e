import { idIn, type Client } from '@commerce/testing';

import { Scenario, at } from '../flows/scenario.js';
import { World } from '../world.js';

let world: World;
let scenario: Scenario;
let plan: string;
let card: string;
let user: Client;

beforeAll(async () => {
  world = await World.start();
  scenario = await Scenario.begin(world, '2026-04-01');
  plan = await scenario.plan({ prepay: true });
  card = await scenario.card();
  const { access_token: token } = await world.admin.made(`/users/${scenario.user}/tokens`);
  user = world.anonymous.as(token);
});
afterAll(() => world.stop());

const start = (): object => ({ plan, payment_method: card, start_now: true });
const subscribed = async (): Promise<string> => {
  const id = idIn(await world.admin.made('/subscriptions', { ...start(), user: scenario.user }));
  await scenario.settled(id);
  return id;
};

const END = { ending_date: at('2026-06-10') };

/** What a company switches off, and the requests of a user that it refuses then. */
const CASES: readonly (readonly [
  setting: string,
  value: unknown,
  path: string,
  body: object,
  'post' | 'put',
])[] = [
  ['pause', false, '/pause', {}, 'post'],
  ['stop', 'none', '/stop', {}, 'post'],
  ['stop', 'none', '', END, 'put'],
  ['stop', 'none', '', { interval_total: 3 }, 'put'],
  ['stop', 'none', '/start', END, 'post'],
  ['change', 'none', '/change', { quantity: 2 }, 'post'],
];

describe('What a company does not let its customers do', () => {
  afterEach(() => world.admin.put('/company', { customers: {} }));

  it.each(CASES)('%s %s: %s %j', async (setting, value, path, body, method) => {
    const id = await subscribed();
    const before = await world.admin.read(`/subscriptions/${id}`);
    await world.admin.put('/company', { customers: { [setting]: value } });
    const refused = await user[method](`/subscriptions/${id}${path}`, body);
    expect([refused.status, refused.body]).toEqual([
      403,
      expect.objectContaining({ code: 'customer.not_allowed', setting: `customers.${setting}` }),
    ]);
    expect(await world.admin.read(`/subscriptions/${id}`)).toEqual(before);
  });

  it('subscribe false, stop none: no new subscription, and none with an end of its own', async () => {
    await world.admin.put('/company', { customers: { subscribe: false } });
    expect((await user.post('/subscriptions', start())).body).toMatchObject({
      setting: 'customers.subscribe',
    });
    await world.admin.put('/company', { customers: { stop: 'none' } });
    expect((await user.post('/subscriptions', { ...start(), ...END })).body).toMatchObject({
      setting: 'customers.stop',
    });
    expect((await user.post('/subscriptions', start())).status).toBe(200);
  });

  it('holds for users only, and only what is switched off', async () => {
    const quota = { records: 20_000, bytes: 104_857_600 };
    const shown = {
      subscribe: true,
      change: 'any',
      pause: false,
      stop: 'any',
      templates: true,
      trials: 'once_per_plan',
      start: 'later',
      may_owe: false,
      quota,
    };
    expect((await world.admin.put('/company', { customers: { pause: false } })).body.customers).toEqual(
      shown,
    );
    const id = await subscribed();
    expect((await user.put(`/subscriptions/${id}`, { note: 'mine' })).status).toBe(200);
    expect((await world.admin.post(`/subscriptions/${id}/pause`, {})).status).toBe(200);
    expect((await user.post(`/subscriptions/${await subscribed()}/stop`, {})).status).toBe(200);
    const wrong = await world.admin.put('/company', { customers: { stop: 'sometimes' } });
    expect([wrong.status, wrong.body.errors[0].path]).toEqual([422, 'customers.stop']);
  });
});
