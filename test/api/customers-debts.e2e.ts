import { idIn, type Client } from '@commerce/testing';

import { Scenario } from '../flows/scenario.js';
import { World } from '../world.js';

let world: World;
let scenario: Scenario;
let plan: string;
let cheaper: string;
let card: string;
let user: Client;
let created: string;
let running: string;
let owing: string;

beforeAll(async () => {
  world = await World.start();
  scenario = await Scenario.begin(world, '2026-04-01');
  plan = await scenario.plan({ prepay: true });
  cheaper = await scenario.plan({ prepay: true, total_amount: 20 });
  card = await scenario.card();
  const { access_token: token } = await world.admin.made(`/users/${scenario.user}/tokens`);
  user = world.anonymous.as(token);
  created = idIn(await user.made('/subscriptions', { plan, payment_method: card }));
  running = idIn(await user.made('/subscriptions', body()));
  await scenario.settled(running);
  await scenario.bank('insufficient_funds');
  owing = idIn(await user.made('/subscriptions', body()));
  await scenario.settled(owing);
});
afterAll(() => world.stop());

const body = (): object => ({ plan, payment_method: card, start_now: true });
const change = (to: object): Promise<any> => user.post(`/subscriptions/${running}/change`, to);

describe('Users who owe', () => {
  it('start nothing and change to nothing dearer, and are told what they owe', async () => {
    const owed = [{ subscription: owing, amount: 30, currency: 'EUR' }];
    const refused = { status: 409, body: { code: 'user.owes', owed } };
    expect(await user.post('/subscriptions', body())).toMatchObject(refused);
    expect(await user.post('/subscriptions', { plan })).toMatchObject(refused);
    expect(await user.post(`/subscriptions/${created}/start`, {})).toMatchObject(refused);
    expect(await change({ quantity: 2 })).toMatchObject(refused);
    expect(await change({ quantity: 2, at: 'period_end' })).toMatchObject(refused);
    expect((await scenario.payments(running)).length).toBe(1);
  });

  it('may at once where the company lets them, and admins may for them', async () => {
    const byAdmin = { ...body(), user: scenario.user };
    expect((await world.admin.post('/subscriptions', byAdmin)).status).toBe(200);
    await world.admin.put('/company', { customers: { may_owe: true } });
    expect((await change({ quantity: 2 })).status).toBe(200);
    expect((await user.post('/subscriptions', { plan })).status).toBe(200);
    await world.admin.put('/company', { customers: {} });
    expect((await user.post('/subscriptions', { plan })).status).toBe(409);
    expect((await change({ plan: cheaper, quantity: 1 })).status).toBe(200);
  });

  it('may again once it is paid', async () => {
    const other = await scenario.card('mastercard');
    expect((await user.put(`/subscriptions/${owing}`, { payment_method: other })).status).toBe(200);
    await scenario.settled(owing);
    expect((await scenario.subscription(owing)).outstanding_amount).toBe(0);
    expect((await user.post(`/subscriptions/${created}/start`, {})).status).toBe(200);
    expect((await user.post('/subscriptions', body())).status).toBe(200);
  });
});
