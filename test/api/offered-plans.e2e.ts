import { idIn, type Client } from '@commerce/testing';

import { Scenario } from '../flows/scenario.js';
import { World } from '../world.js';

let world: World;
let scenario: Scenario;
let offered: string;
let negotiated: string;
let card: string;
let user: Client;

beforeAll(async () => {
  world = await World.start();
  scenario = await Scenario.begin(world, '2026-04-01');
  offered = await scenario.plan({ prepay: true });
  negotiated = await scenario.plan({ prepay: true, total_amount: 5, offered: false });
  card = await scenario.card();
  const { access_token: token } = await world.admin.made(`/users/${scenario.user}/tokens`);
  user = world.anonymous.as(token);
});
afterAll(() => world.stop());

const subscribed = async (plan: string): Promise<string> => {
  const body = { plan, payment_method: card, start_now: true, user: scenario.user };
  const id = idIn(await world.admin.made('/subscriptions', body));
  await scenario.settled(id);
  return id;
};

/** The reply to a request of the user with this plan, and to the same with an id that nobody has. */
async function answersTo(path: string, body: object, plan: string): Promise<[any, any]> {
  const nobodys = '65b9a1c2d3e4f5061728394a';
  const ask = async (id: string): Promise<any> => {
    const { status, body: reply } = await user.post(path, { ...body, plan: id });
    return { ...reply, status };
  };
  return [await ask(plan), await ask(nobodys)];
}

describe('A plan that is not offered', () => {
  it.each([
    ['/subscriptions', {}],
    ['/subscriptions', { coupon: 'NONE' }],
    ['/subscriptions/preview', {}],
    ['/subscriptions/<id>/change', {}],
    ['/subscriptions/<id>/change', { at: 'period_end' }],
    ['/subscriptions/<id>/change/preview', {}],
  ])('is unknown to users: %s %j', async (path, body) => {
    const id = path.includes('<id>') ? await subscribed(offered) : '';
    const [refused, unknown] = await answersTo(path.replace('<id>', id), body, negotiated);
    expect(refused).toMatchObject({ status: 422, code: 'plan.unknown', errors: [{ path: 'plan' }] });
    expect({ ...refused, request_id: null }).toEqual({ ...unknown, request_id: null });
    if (id !== '') expect((await user.read(`/subscriptions/${id}`)).plan.$oid).toBe(offered);
  });

  it('is for admins, whose customer sees it in the subscription and changes its quantity only', async () => {
    const id = await subscribed(negotiated);
    expect((await user.read(`/subscriptions/${id}`)).plan.$oid).toBe(negotiated);
    const own = { plan: negotiated, quantity: 2 };
    expect((await user.post(`/subscriptions/${id}/change/preview`, own)).status).toBe(200);
    expect((await user.post(`/subscriptions/${id}/change`, own)).status).toBe(200);
    expect((await user.post(`/subscriptions/${id}/change`, { plan: offered })).status).toBe(200);
    expect((await user.post(`/subscriptions/${id}/change`, { plan: negotiated })).status).toBe(422);
    expect((await world.admin.post(`/subscriptions/${id}/change`, { plan: negotiated })).status).toBe(200);
  });

  it('is read by admins only, like every plan', async () => {
    for (const path of [`/plans/${negotiated}`, `/plans/${offered}`, '/plans', '/search?query=Plan'])
      expect((await user.get(path)).status).toBe(403);
    expect((await world.admin.read(`/plans/${negotiated}`)).offered).toBe(false);
  });

  it('is unknown from the update on, and known again after another', async () => {
    const plan = await scenario.plan();
    const ask = async (): Promise<number> => (await user.post('/subscriptions/preview', { plan })).status;
    expect(await ask()).toBe(200);
    expect((await world.admin.changed(`/plans/${plan}`, { offered: false })).offered).toBe(false);
    expect(await ask()).toBe(422);
    expect((await world.admin.changed(`/plans/${plan}`, { name: 'Still not' })).offered).toBe(false);
    await world.admin.changed(`/plans/${plan}`, { offered: true });
    expect(await ask()).toBe(200);
  });
});
