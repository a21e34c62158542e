import { getConnectionToken } from '@nestjs/mongoose';
import { idIn, type Client } from '@commerce/testing';
import type { Connection } from 'mongoose';

import { World } from '../world.js';

let world: World;
beforeAll(async () => {
  world = await World.start({ worker: false });
});
afterAll(async () => {
  await world.stop();
});

describe('Idempotency-Key', () => {
  const count = async (): Promise<number> =>
    Number((await world.admin.get('/users', { total: true })).headers['x-total-count']);

  it('gives the second request the reply of the first', async () => {
    const before = await count();
    const caller = world.admin.with({ 'Idempotency-Key': 'same' });
    const first = await caller.post('/users', { name: 'Once' });
    const second = await caller.post('/users', { name: 'Once' });
    expect(second.body).toEqual(first.body);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(await count()).toBe(before + 1);
  });

  it('refuses another body under the same key', async () => {
    const caller = world.admin.with({ 'Idempotency-Key': 'other-body' });
    await caller.made('/users', { name: 'A' });
    expect((await caller.post('/users', { name: 'B' })).body).toMatchObject({
      status: 422,
      code: 'idempotency_key.reused',
    });
  });

  it('has one effect for twenty concurrent requests', async () => {
    const before = await count();
    const caller = world.admin.with({ 'Idempotency-Key': 'parallel' });
    const answers = await Promise.all(Array.from({ length: 20 }, () => caller.post('/users', { name: 'P' })));
    const statuses = new Set(answers.map((answer) => answer.status));
    expect([...statuses].every((status) => status === 200 || status === 409)).toBe(true);
    expect(
      new Set(answers.filter((answer) => answer.status === 200).map((answer) => answer.body._id.$oid)).size,
    ).toBe(1);
    expect(await count()).toBe(before + 1);
  });

  it('keeps no reply of a route that writes nothing, and few bytes of one that repeats itself', async () => {
    const keys = world.api.get<Connection>(getConnectionToken()).collection('idempotency_keys');
    const product = idIn(await world.admin.made('/products', { name: 'Tea', price: 10, currency: 'EUR' }));
    const items = Array.from({ length: 100 }, () => ({ product }));
    const body = { name: 'Plan', interval_unit: 'MONTH', items };
    const caller = world.admin.with({ 'Idempotency-Key': 'kept' });
    const before = await keys.countDocuments();
    const plan = idIn(await world.admin.made('/plans', body));
    for (const [path, asked] of [
      ['/plans/preview', body],
      ['/subscriptions/preview', { plan, count: 1 }],
    ] as const)
      expect((await caller.post(path, asked)).status).toBe(200);
    expect(await keys.countDocuments()).toBe(before);
    const first = await caller.post('/plans', body);
    const [row] = await keys.find({}, { sort: { created: -1 }, limit: 1 }).toArray();
    expect(String(row?.['body']).length).toBeLessThan(JSON.stringify(first.body).length / 5);
    expect((await caller.post('/plans', body)).body).toEqual(first.body);
  });

  it('lets a repaired request use the key again', async () => {
    const caller = world.admin.with({ 'Idempotency-Key': 'repaired' });
    expect((await caller.post('/users', { email: 'bad' })).status).toBe(422);
    expect((await caller.post('/users', { name: 'Good' })).status).toBe(200);
  });

  it('counts the query as part of the request', async () => {
    const { client } = await world.user();
    const [one, other] = [await card(client), await card(client)];
    const caller = client.with({ 'Idempotency-Key': 'query' });
    expect((await caller.delete(`/payment_methods/${one}`)).status).toBe(200);
    const again = await caller.delete(`/payment_methods/${one}?replacement=${other}`);
    expect([again.status, again.body.code]).toEqual([422, 'idempotency_key.reused']);
  });

  it('does not keep a refusal that invites another try', async () => {
    const { client } = await world.user();
    const id = await card(client);
    const caller = client.with({ 'Idempotency-Key': 'in-flight' });
    await caller.put(`/payment_methods/${id}`, { default: true });
    await keys().updateOne(await newest('done'), { $set: { state: 'running' } });
    expect((await caller.put(`/payment_methods/${id}`, { default: true })).status).toBe(409);
    await died('running');
    expect((await caller.put(`/payment_methods/${id}`, { default: true })).status).toBe(200);
  });
});

describe('A request whose process died after its commit', () => {
  it('of POST /payment_methods is answered with the payment method and its secret', async () => {
    const { client } = await world.user();
    const caller = client.with({ 'Idempotency-Key': 'card' });
    const first = await caller.made('/payment_methods', { payment_method: 'stripe' });
    await died();
    const second = await caller.post('/payment_methods', { payment_method: 'stripe' });
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(second.body).toEqual(first);
    expect(second.body.setup_intent).toEqual({ client_secret: expect.any(String) });
  });

  it('of POST /payment_methods before the card could be opened runs again', async () => {
    const { client } = await world.user();
    const caller = client.with({ 'Idempotency-Key': 'customer' });
    const first = await caller.made('/payment_methods', { payment_method: 'stripe' });
    // Only the provider's customer was committed.
    await world.api
      .get<Connection>(getConnectionToken())
      .collection('payment_methods')
      .findOneAndDelete({ setup_id: { $ne: null }, company: world.company }, { sort: { _id: -1 } });
    await died();
    await keys().updateMany({ state: 'running' }, { $set: { subject: null } });
    const second = await caller.made('/payment_methods', { payment_method: 'stripe' });
    expect(second).toMatchObject({
      _cls: 'PaymentMethod',
      setup_intent: { client_secret: expect.any(String) },
    });
    expect(idIn(second)).not.toBe(idIn(first));
  });

  it('of DELETE with a replacement is answered with the deleted record', async () => {
    const { id: user, client } = await world.user();
    const [one, other] = [await card(client), await card(client)];
    const plan = idIn(await world.admin.made('/plans', PLAN));
    await world.admin.made('/subscriptions', { plan, user, payment_method: one, start_now: true });
    const caller = client.with({ 'Idempotency-Key': 'replaced' });
    const path = `/payment_methods/${one}?replacement=${other}`;
    const first = await caller.delete(path);
    expect(first.body).toMatchObject({ _cls: 'PaymentMethod', deleted: true });
    await died();
    expect((await caller.delete(path)).body).toEqual(first.body);
  });

  it('of POST /webhooks is answered with the secret', async () => {
    const caller = world.admin.with({ 'Idempotency-Key': 'webhook' });
    const body = { event_type: 'user.created', endpoint: (await world.receiver()).url };
    const first = await caller.made('/webhooks', body);
    await died();
    expect((await caller.post('/webhooks', body)).body).toMatchObject({
      _id: first._id,
      secret: first.secret,
    });
  });

  it('of POST /keys and of a roll is answered with a key that works: the first was shown to nobody', async () => {
    const { admin } = await world.stranger();
    const create = admin.with({ 'Idempotency-Key': 'key' });
    const first = await create.made('/keys', { kind: 'service' });
    await died();
    const again = await create.made('/keys', { kind: 'service' });
    expect(again._id).toEqual(first._id);
    expect((await admin.as(again.key).get('/users')).status).toBe(200);
    expect((await admin.as(first.key).get('/users')).status).toBe(401);

    const roll = admin.with({ 'Idempotency-Key': 'roll' });
    const successor = await roll.made(`/keys/${idIn(first)}/roll`, {});
    await died();
    const shown = await roll.made(`/keys/${idIn(first)}/roll`, {});
    expect(shown._id).toEqual(successor._id);
    expect((await admin.as(shown.key).get('/users')).status).toBe(200);
    expect(await admin.read('/keys')).toHaveLength(4);
  });
});

const PLAN = { interval_unit: 'MONTH', currency: 'EUR', total_amount: 1 };
const NEWEST = { sort: { created: -1 } } as const;

const keys = (): ReturnType<Connection['collection']> =>
  world.api.get<Connection>(getConnectionToken()).collection('idempotency_keys');

/** The filter for the newest key in this state. */
async function newest(state: string): Promise<Record<string, unknown>> {
  const row = await keys().findOne({ state }, { projection: { company: 1 }, ...NEWEST });
  return { ...row };
}

/** Simulates a process that died between its commit and its reply. */
async function died(state = 'done'): Promise<void> {
  const gone = { state: 'running', locked_until: new Date(0), body: '', status: 0 };
  await keys().updateOne(await newest(state), { $set: gone });
}

async function card(client: Client): Promise<string> {
  const id = idIn(await client.made('/payment_methods', { payment_method: 'stripe' }));
  await client.put(`/payment_methods/${id}`, { payment_method_id: 'pm_card_visa' });
  return id;
}
