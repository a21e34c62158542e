import { idIn } from '@commerce/testing';

import { Scenario } from '../flows/scenario.js';
import { World } from '../world.js';

let world: World;
let scenario: Scenario;

beforeAll(async () => {
  world = await World.start();
  scenario = await Scenario.begin(world, '2026-04-01');
});
afterAll(() => world.stop());

const ids = (list: { _id: { $oid: string } }[]): string[] => list.map(idIn);

describe('GET /subscriptions', () => {
  it('shows a user its own, and nobody the subscriptions of others', async () => {
    const { client } = await world.user();
    const plan = await scenario.plan();
    const mine = idIn(await client.made('/subscriptions', { plan }));
    const other = await scenario.subscribed({});
    expect(ids(await client.read('/subscriptions'))).toEqual([mine]);
    expect(ids(await client.read('/subscriptions', { user: scenario.user }))).toEqual([mine]);
    expect((await client.get(`/subscriptions/${other}`)).status).toBe(404);
    for (const move of ['start', 'stop', 'pause']) {
      expect((await client.post(`/subscriptions/${other}/${move}`)).status).toBe(404);
    }
    expect((await client.put(`/subscriptions/${other}`, { note: 'Mine' })).status).toBe(404);
    expect((await client.get(`/subscriptions/${other}/payments`)).status).toBe(404);
    const { admin } = await world.stranger();
    expect((await admin.get(`/subscriptions/${other}`)).status).toBe(404);
    expect((await admin.put(`/subscriptions/${other}`, { note: 'Mine' })).status).toBe(404);
  });

  it('lists in pages and by status', async () => {
    const { client } = await world.user();
    const plan = await scenario.plan();
    const made: string[] = [];
    for (let n = 0; n < 3; n += 1) made.push(idIn(await client.made('/subscriptions', { plan })));
    await client.made(`/subscriptions/${String(made[1])}/stop`);
    const { body, headers } = await client.get('/subscriptions', { size: 2, sort: 'created', total: true });
    expect(ids(body)).toEqual(made.slice(0, 2));
    expect(headers['x-total-count']).toBe('3');
    expect(ids(await client.read('/subscriptions', { status: 'cancelled' }))).toEqual([made[1]]);
    expect((await client.get('/subscriptions', { status: 'ASLEEP' })).status).toBe(422);
    expect((await client.get('/subscriptions', { size: 101 })).status).toBe(422);
    expect(await client.read('/subscriptions', { page: 9 })).toEqual([]);
  });
});

describe('GET /subscriptions/search', () => {
  it('gives all subscriptions of the company, or those of one method', async () => {
    const { admin } = await world.stranger();
    expect(await admin.read('/subscriptions/search')).toEqual([]);
    const plan = idIn(
      await admin.made('/plans', { interval_unit: 'MONTH', currency: 'EUR', total_amount: 1 }),
    );
    const user = idIn(await admin.made('/users', { name: 'Bob' }));
    const made = await Promise.all(
      Array.from({ length: 23 }, (_, n) =>
        admin.made('/subscriptions', { plan, user, subscription_method: n % 4 === 0 ? 'gift' : 'box' }),
      ),
    );
    const all = await admin.get('/subscriptions/search');
    expect(all.headers['content-type']).toContain('application/json');
    expect(ids(all.body).sort()).toEqual(ids(made).sort());
    expect(all.headers['x-total-count']).toBeUndefined();
    const counted = await admin.get('/subscriptions/search', { method: 'gift', total: true });
    expect([counted.headers['x-total-count'], counted.body.length]).toEqual(['6', 6]);
    const gifts = await admin.read('/subscriptions/search', { method: 'gift' });
    expect(gifts).toHaveLength(6);
    expect(await admin.read('/subscriptions/search', { method: 'gift', size: 4 })).toHaveLength(4);
    expect(await admin.read('/subscriptions/search', { method: 'none' })).toEqual([]);
    expect((await admin.get('/subscriptions/search', { query: 'gift' })).status).toBe(422);
  });

  it('is for admins', async () => {
    const { client } = await world.user();
    expect((await client.get('/subscriptions/search')).status).toBe(403);
  });
});
