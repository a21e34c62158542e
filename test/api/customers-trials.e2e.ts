import { idIn, type Client } from '@commerce/testing';

import { Scenario, at } from '../flows/scenario.js';
import { World } from '../world.js';

let world: World;
let clock: Scenario;
let plan: string;
let other: string;

const TRIED = { prepay: true, trial_days: 14 };

beforeAll(async () => {
  world = await World.start();
  clock = await Scenario.begin(world, '2026-04-01');
  plan = await clock.plan(TRIED);
  other = await clock.plan(TRIED);
});
afterAll(() => world.stop());
beforeEach(() => world.admin.put('/company', { customers: {} }));

interface Customer {
  readonly user: Client;
  readonly id: string;
  readonly body: (of: string, values?: object) => object;
}

async function customer(): Promise<Customer> {
  const scenario = await clock.another();
  const payment_method = await scenario.card();
  const { access_token: token } = await world.admin.made(`/users/${scenario.user}/tokens`);
  const body = (of: string, values: object = {}): object => ({
    ...{ plan: of, payment_method, start_now: true },
    ...values,
  });
  return { user: world.anonymous.as(token), id: scenario.user, body };
}

const inTrial = async (by: Client, body: object): Promise<boolean> =>
  (await by.made('/subscriptions', body)).in_trial;
const firstCharge = async (by: Client, body: object): Promise<number> =>
  (await by.made('/subscriptions/preview', body))[0].date.$date;

describe('A trial of a plan', () => {
  it('is given to a user once, as the preview shows', async () => {
    const { user, body } = await customer();
    expect(await firstCharge(user, body(plan))).toBe(at('2026-04-15'));
    const first = await user.made('/subscriptions', body(plan));
    expect(first.in_trial).toBe(true);
    expect(await firstCharge(user, body(plan))).toBe(at('2026-04-01'));
    const second = await user.made('/subscriptions', body(plan));
    expect([second.status, second.in_trial, second.trial_ending_date]).toEqual(['ACTIVE', false, null]);
    expect(await inTrial(user, body(other))).toBe(true);
  });

  it('is not given again after it was stopped, deleted or left for another plan', async () => {
    const { user, body } = await customer();
    const first = idIn(await user.made('/subscriptions', body(plan)));
    expect((await user.post(`/subscriptions/${first}/change`, { plan: other })).status).toBe(200);
    expect(await inTrial(user, body(plan))).toBe(false);
    await user.made(`/subscriptions/${first}/stop`, {});
    expect((await world.admin.delete(`/subscriptions/${first}`)).status).toBe(200);
    expect(await inTrial(user, body(plan))).toBe(false);
  });

  it('is given once where subscriptions are created first and started later', async () => {
    const { user, body } = await customer();
    const ids = [];
    for (let index = 0; index < 4; index += 1)
      ids.push(idIn(await user.made('/subscriptions', body(plan, { start_now: false }))));
    const [first, ...others] = ids;
    expect((await user.made(`/subscriptions/${String(first)}/start`, {})).in_trial).toBe(true);
    const [next] = others;
    const { action } = await user.read(`/subscriptions/${String(next)}/preview`, { start: 'now' });
    expect(action.trial_ending_date).toBeNull();
    const started = await Promise.all(others.map(async (id) => user.made(`/subscriptions/${id}/start`, {})));
    expect(started.map(({ in_trial }) => in_trial)).toEqual([false, false, false]);
  });

  it.each(['once_per_plan', 'once'])('is given to one of eight concurrent requests: %s', async (trials) => {
    await world.admin.put('/company', { customers: { trials } });
    const { user, body } = await customer();
    const plans = trials === 'once' ? [plan, other] : [plan, plan];
    const created = await Promise.all(
      [...plans, ...plans, ...plans, ...plans].map(async (of) => user.post('/subscriptions', body(of))),
    );
    expect(created.map(({ status }) => status)).toEqual(created.map(() => 200));
    expect(created.filter(({ body: { in_trial } }) => in_trial)).toHaveLength(1);
  });

  it('is given once in all, or always, as the company sets it', async () => {
    const { user, body } = await customer();
    expect(await inTrial(user, body(plan))).toBe(true);
    await world.admin.put('/company', { customers: { trials: 'once' } });
    expect(await inTrial(user, body(other))).toBe(false);
    await world.admin.put('/company', { customers: { trials: 'always' } });
    expect(await inTrial(user, body(plan))).toBe(true);
    expect(await inTrial(user, body(plan))).toBe(true);
  });

  it('is given by admins as often as they like, and counts', async () => {
    const { user, id, body } = await customer();
    for (let index = 0; index < 2; index += 1)
      expect(await inTrial(world.admin, body(plan, { user: id }))).toBe(true);
    expect(await inTrial(user, body(plan))).toBe(false);
  });

  it('is free again where the start was cancelled before it came', async () => {
    const { user, body } = await customer();
    const future = { start_now: true, starting_date: at('2026-06-01') };
    const { _id, status } = await user.made('/subscriptions', body(plan, future));
    expect(status).toBe('FUTURE');
    const second = await user.made('/subscriptions', body(plan, future));
    expect(second.trial_ending_date).toBeNull();
    await user.made(`/subscriptions/${String(_id.$oid)}/stop`, {});
    expect(await inTrial(user, body(plan))).toBe(true);
    expect(await inTrial(user, body(plan))).toBe(false);
  });
});
