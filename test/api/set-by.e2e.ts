import { idIn, type Client } from '@commerce/testing';

import { Scenario, at } from '../flows/scenario.js';
import { World } from '../world.js';

let world: World;
let scenario: Scenario;
let plan: string;
let dearer: string;
let card: string;
let user: Client;

beforeAll(async () => {
  world = await World.start();
  scenario = await Scenario.begin(world, '2026-04-01');
  plan = await scenario.plan({ prepay: true });
  card = await scenario.card();
  const { access_token: token } = await world.admin.made(`/users/${scenario.user}/tokens`);
  user = world.anonymous.as(token);
  dearer = await scenario.plan({ prepay: true, total_amount: 60 });
});
afterAll(() => world.stop());

interface Step {
  readonly path: string;
  readonly body?: object;
  readonly method?: 'post' | 'put' | 'delete';
}

const by = (role: 'user' | 'admin'): Client => (role === 'user' ? user : world.admin);

async function does(
  role: 'user' | 'admin',
  id: string,
  { path, body = {}, method = 'post' }: Step,
): Promise<any> {
  const client = by(role);
  const address = `/subscriptions/${id}${path}`;
  return method === 'delete' ? client.delete(address) : client[method](address, body);
}

const STOP = { path: '/stop', body: { ending_date: at('2026-04-20') } };
const END = { path: '', method: 'put', body: { ending_date: at('2026-06-10') } } as const;
const PAUSE = { path: '/pause' };
const CHANGE = {
  path: '/change',
  get body() {
    return { plan: dearer, at: 'period_end' };
  },
};
const START = { path: '/start' };

/** What somebody sets, the request that undoes it, and the field that names who set it. */
const CASES: readonly (readonly [name: string, sets: Step, undoes: Step, field: string])[] = [
  ['a stop, taken back', STOP, START, 'ending_set_by'],
  ['an end, lifted', END, { path: '', method: 'put', body: { infinite: true } }, 'ending_set_by'],
  [
    'an end, moved',
    END,
    { path: '', method: 'put', body: { ending_date: at('2026-09-10') } },
    'ending_set_by',
  ],
  [
    'a number of intervals, raised',
    { path: '', method: 'put', body: { interval_total: 3 } },
    { path: '', method: 'put', body: { interval_total: 99 } },
    'ending_set_by',
  ],
  ['a pause, ended', PAUSE, START, 'paused_by'],
  ['a change, withdrawn', CHANGE, { path: '/change', method: 'delete' }, 'pending_change.set_by'],
  [
    'a change, replaced',
    CHANGE,
    { path: '/change', body: { quantity: 2, at: 'period_end' } },
    'pending_change.set_by',
  ],
];

const valueAt = (record: any, field: string): unknown =>
  field.split('.').reduce((one, key) => one[key], record);

describe.each(CASES)('%s', (_name, sets, undoes, field) => {
  it.each([
    ['user', 'user', 200],
    ['user', 'admin', 200],
    ['admin', 'user', 409],
    ['admin', 'admin', 200],
  ] as const)('set by a %s, undone by a %s: %d', async (setter, other, status) => {
    const body = { plan, user: scenario.user, payment_method: card, start_now: true };
    const id = idIn(await world.admin.made('/subscriptions', body));
    await scenario.settled(id);
    const set = await does(setter, id, sets);
    expect([set.status, valueAt(set.body, field)]).toEqual([200, setter.toUpperCase()]);
    const answer = await does(other, id, undoes);
    expect(answer.status).toBe(status);
    if (status === 200) return;
    expect(answer.body).toMatchObject({ code: 'subscription.set_by_company', field, set_by: 'ADMIN' });
    expect((await world.admin.read(`/subscriptions/${id}`)).updated).toEqual(set.body.updated);
  });
});

it("a user's stop that withdrew a change of the company is taken back by the company only", async () => {
  const body = { plan, user: scenario.user, payment_method: card, start_now: true };
  const id = idIn(await world.admin.made('/subscriptions', body));
  await scenario.settled(id);
  await does('admin', id, CHANGE);
  const stopped = await does('user', id, STOP);
  expect(stopped.body).toMatchObject({ status: 'NON_RENEWING', pending_change: null, ending_set_by: 'USER' });
  expect(await does('user', id, START)).toMatchObject({ body: { code: 'subscription.set_by_company' } });
  expect((await does('admin', id, START)).status).toBe(200);
});
