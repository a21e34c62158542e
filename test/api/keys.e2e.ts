import { getConnectionToken } from '@nestjs/mongoose';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Keys } from '@commerce/identity';
import { Client, idIn } from '@commerce/testing';
import type { Connection } from 'mongoose';

import { createApi } from '../../apps/api/src/create-api.js';
import { World, type Merchant } from '../world.js';

const LIMIT = 6;
const DAY = 86_400_000;

let world: World;
/** A second process with its own caches. */
let other: NestExpressApplication;
let otherUrl: string;
beforeAll(async () => {
  world = await World.start({ worker: false, env: { KEYS_PER_COMPANY: String(LIMIT) } });
  other = await createApi();
  await other.listen(0, '127.0.0.1');
  otherUrl = (await other.getUrl()).replace('[::1]', '127.0.0.1');
});
afterAll(async () => {
  await other.close();
  await world.stop();
});

/** A separate company, whose only live keys are the operator's two. */
const company = (): Promise<Merchant> => world.stranger();

/** Creates a service key, and a client that uses it. */
async function made(by: Client, body: object = {}): Promise<{ id: string; key: any; client: Client }> {
  const key = await by.made('/keys', { kind: 'service', ...body });
  return { id: idIn(key), key, client: by.as(key.key) };
}

const statusOf = async (client: Client): Promise<number> => (await client.get('/users')).status;
const idOf = (text: string): string => text.split('_')[2]!;
const dateOf = (value: any): number | null => (value === null ? null : Number(value.$date ?? value));

describe('POST /keys', () => {
  it('makes a key that works immediately and is shown once', async () => {
    const { admin, serviceKey, company: owner } = await company();
    const { id, key, client } = await made(admin);
    expect(key).toMatchObject({
      _cls: 'Credential',
      kind: 'service',
      mode: 'test',
      key: expect.stringMatching(/^sk_test_[0-9a-f]{24}_[0-9a-f]{64}$/),
      made_by: { $oid: idOf(serviceKey) },
      expires: null,
      revoked: null,
      successor: null,
    });
    expect(key.company).toEqual({ $oid: owner.toHexString() });
    expect(await statusOf(client)).toBe(200);
    expect(await statusOf(new Client(otherUrl, client.credentials))).toBe(200);
    const shown = [await admin.read(`/keys/${id}`), ...(await admin.read('/keys'))];
    expect(shown.map((one) => one.key)).toEqual([null, null, null, null]);
    expect(JSON.stringify(shown)).not.toMatch(/secret|[0-9a-f]{64}/);
  });

  it('makes API keys, too', async () => {
    const { admin, serviceKey } = await company();
    const { key } = await admin.made('/keys', { kind: 'API' });
    expect(key).toMatch(/^pk_test_/);
    expect(await statusOf(new Client(world.baseUrl, { apiKey: key, bearer: serviceKey }))).toBe(200);
  });

  it('stores no secret, in the audit log either', async () => {
    const { admin } = await company();
    const { id, key } = await made(admin.with({ 'Idempotency-Key': 'once' }));
    const database = world.api.get<Connection>(getConnectionToken()).db!;
    const rows = await Promise.all((await database.collections()).map((one) => one.find({}).toArray()));
    expect(JSON.stringify(rows)).not.toContain(key.key.split('_')[3]);
    expect(await admin.read('/audit', { record: id })).toMatchObject([
      { action: 'created', kind: 'key', request: 'POST /keys', fields: [] },
    ]);
    expect(await admin.read('/events')).toEqual([]);
  });

  it('replies the same to the same Idempotency-Key, including the key', async () => {
    const { admin } = await company();
    const once = admin.with({ 'Idempotency-Key': 'same' });
    const first = await once.post('/keys', { kind: 'service' });
    const again = await once.post('/keys', { kind: 'service' });
    expect(again.body).toEqual(first.body);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(await admin.read('/keys')).toHaveLength(3);
  });

  it('has a key expire with its maker at the latest', async () => {
    const { admin } = await company();
    const end = Date.now() + 10 * DAY;
    const { client } = await made(admin, { expires: end });
    expect(dateOf((await made(client)).key.expires)).toBe(end);
    expect(dateOf((await made(client, { expires: end - DAY })).key.expires)).toBe(end - DAY);
    for (const expires of [end + 1, Date.now() - 1000]) {
      const { status, body } = await client.post('/keys', { kind: 'api', expires });
      expect([status, body.errors[0].path]).toEqual([422, 'expires']);
    }
  });

  it('is for service keys: a token of a user makes none', async () => {
    const { client } = await world.user();
    const { status, body } = await client.post('/keys', { kind: 'service' });
    expect([status, body.code]).toEqual([403, 'role.forbidden']);
    expect((await world.anonymous.get('/keys')).status).toBe(401);
  });

  it('makes no more than a company may have, with concurrent requests too', async () => {
    const { admin, company: owner } = await company();
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => admin.post('/keys', { kind: 'service' })),
    );
    const good = replies.filter(({ status }) => status === 200);
    expect(good).toHaveLength(LIMIT - 2);
    const refused = replies.find(({ status }) => status !== 200);
    expect(refused?.body).toMatchObject({ status: 409, code: 'key.too_many', limit: LIMIT });
    await admin.delete(`/keys/${idIn(good[0]?.body)}`);
    expect((await admin.post('/keys', { kind: 'api' })).status).toBe(200);
    expect((await admin.post('/keys', { kind: 'api' })).status).toBe(409);
    // The limit does not bind the operator.
    expect((await world.get(Keys).create(owner, 'api', 'test')).key).toMatch(/^pk_/);
  });
});

describe('DELETE /keys/{id}', () => {
  it('ends a key, and all that it made, in every process within five seconds', async () => {
    const { admin } = await company();
    const child = await made(admin);
    const grandchild = await made(child.client);
    const bystander = await made(admin);
    const elsewhere = [child, grandchild].map(({ client }) => new Client(otherUrl, client.credentials));
    for (const client of elsewhere) expect(await statusOf(client)).toBe(200);

    const revoked = await admin.delete(`/keys/${child.id}`);
    expect(revoked.body).toMatchObject({ _id: { $oid: child.id }, revoked: expect.anything(), key: null });
    expect(await statusOf(child.client)).toBe(401);
    expect(await statusOf(grandchild.client)).toBe(401);
    expect(await statusOf(bystander.client)).toBe(200);
    const ended = await admin.read(`/keys/${grandchild.id}`);
    expect(ended.revoked).toEqual(revoked.body.revoked);
    expect(await admin.read('/audit', { record: grandchild.id, size: 1 })).toMatchObject([
      { action: 'updated', fields: ['revoked'], request: 'DELETE /keys/:id' },
    ]);

    // A stale cache in another process must not let a key outlive its creator.
    const late = await elsewhere[0]!.post('/keys', { kind: 'service' });
    expect(late.status).toBe(401);
    expect((await elsewhere[0]!.post(`/keys/${child.id}/roll`, {})).status).toBe(401);
    await new Promise((resolve) => setTimeout(resolve, 5100));
    for (const client of elsewhere) expect(await statusOf(client)).toBe(401);
  });

  it('replies to a key that revokes itself', async () => {
    const { admin } = await company();
    const { id, client } = await made(admin);
    const { status, body } = await client.delete(`/keys/${id}`);
    expect([status, idIn(body)]).toEqual([200, id]);
    expect(await statusOf(client)).toBe(401);
  });

  it('leaves the date of a key that was revoked before', async () => {
    const { admin } = await company();
    const { id } = await made(admin);
    const first = await admin.delete(`/keys/${id}`);
    expect((await admin.delete(`/keys/${id}`)).body.revoked).toEqual(first.body.revoked);
  });

  it('misses no key that is made concurrently', async () => {
    const { admin } = await company();
    const maker = await made(admin);
    const [, ...replies] = await Promise.all([
      admin.delete(`/keys/${maker.id}`),
      ...Array.from({ length: 3 }, () => maker.client.post('/keys', { kind: 'service' })),
    ]);
    for (const { status, body } of replies) {
      expect([200, 401]).toContain(status);
      if (status === 200) expect(await statusOf(admin.as(body.key))).toBe(401);
    }
    const left = await admin.read('/keys', { made_by: maker.id });
    expect(left.filter(({ revoked }: any) => revoked === null)).toEqual([]);
  });
});

describe('POST /keys/{id}/roll', () => {
  it('replaces a key by a successor; the key ends immediately', async () => {
    const { admin, serviceKey } = await company();
    const end = Date.now() + 20 * DAY;
    const old = await made(admin, { expires: end });
    const child = await made(old.client);
    const successor = await admin.made(`/keys/${old.id}/roll`, {});
    expect(successor).toMatchObject({ kind: 'service', made_by: { $oid: idOf(serviceKey) } });
    expect(dateOf(successor.expires)).toBe(end);
    expect(await statusOf(admin.as(successor.key))).toBe(200);
    expect(await statusOf(old.client)).toBe(401);
    expect(await admin.read(`/keys/${old.id}`)).toMatchObject({ successor: successor._id, key: null });

    // The keys that the rolled key created now end with its successor.
    expect(await statusOf(child.client)).toBe(200);
    expect((await admin.read(`/keys/${child.id}`)).made_by).toEqual(successor._id);
    await admin.delete(`/keys/${idIn(successor)}`);
    expect(await statusOf(child.client)).toBe(401);
  });

  it('lets both work until a given date', async () => {
    const { admin } = await company();
    const old = await made(admin);
    const end = Date.now() + 1500;
    const successor = await old.client.made(`/keys/${old.id}/roll`, { expires: end });
    expect(dateOf((await admin.read(`/keys/${old.id}`)).expires)).toBe(end);
    expect([await statusOf(old.client), await statusOf(admin.as(successor.key))]).toEqual([200, 200]);
    await new Promise((resolve) => setTimeout(resolve, end - Date.now() + 50));
    expect([await statusOf(old.client), await statusOf(admin.as(successor.key))]).toEqual([401, 200]);
  });

  it('rolls the key of the operator by itself, and API keys', async () => {
    const { admin, apiKey, serviceKey } = await company();
    const successor = await admin.made(`/keys/${idOf(serviceKey)}/roll`);
    expect(successor.made_by).toBeNull();
    expect(await statusOf(admin)).toBe(401);
    const next = admin.as(successor.key);
    const shop = await next.made(`/keys/${idOf(apiKey)}/roll`, { expires: Date.now() + 6 * DAY });
    expect(await statusOf(new Client(world.baseUrl, { apiKey: shop.key, bearer: successor.key }))).toBe(200);
    expect(await statusOf(next)).toBe(200);
  });

  it('rolls nothing above the caller, which would outlive its own end by it', async () => {
    const { admin, serviceKey } = await company();
    const { client } = await made(admin, { expires: Date.now() + DAY });
    const sibling = await made(admin);
    for (const id of [idOf(serviceKey), sibling.id]) {
      const { status, body } = await client.post(`/keys/${id}/roll`, {});
      expect([status, body.code]).toEqual([403, 'key.roll_forbidden']);
    }
    expect(await statusOf(admin)).toBe(200);
  });

  it('prolongs no key, and takes each once', async () => {
    const { admin } = await company();
    const { id } = await made(admin, { expires: Date.now() + 2 * DAY });
    const long = await made(admin);
    for (const [key, days] of [
      [id, 3],
      [long.id, 8],
    ] as const) {
      const { status, body } = await admin.post(`/keys/${key}/roll`, { expires: Date.now() + days * DAY });
      expect([status, body.errors[0].path]).toEqual([422, 'expires']);
    }
    const replies = await Promise.all([1, 2, 3].map(() => admin.post(`/keys/${id}/roll`, {})));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(replies.find(({ status }) => status === 409)?.body.code).toBe('key.state_conflict');
  });

  it('keeps the limit when both work for a while', async () => {
    const { admin } = await company();
    const keys = [];
    for (let index = 2; index < LIMIT; index += 1) keys.push(await made(admin));
    const [first] = keys;
    const beside = await admin.post(`/keys/${first!.id}/roll`, { expires: Date.now() + DAY });
    expect([beside.status, beside.body.code]).toEqual([409, 'key.too_many']);
    expect((await admin.post(`/keys/${first!.id}/roll`, {})).status).toBe(200);
  });
});

describe('GET /keys', () => {
  it('narrows by kind and by maker', async () => {
    const { admin, apiKey, serviceKey } = await company();
    const child = await made(admin);
    const ids = async (query: Record<string, string>): Promise<string[]> =>
      (await admin.read('/keys', query)).map(idIn);
    expect(await ids({})).toEqual([child.id, idOf(serviceKey), idOf(apiKey)]);
    expect(await ids({ kind: 'api' })).toEqual([idOf(apiKey)]);
    expect(await ids({ made_by: idOf(serviceKey) })).toEqual([child.id]);
    expect(await ids({ made_by: child.id })).toEqual([]);
  });

  it('shows a company its own only', async () => {
    const { admin } = await company();
    const stranger = await company();
    const { id } = await made(stranger.admin);
    const replies = await Promise.all([
      admin.get(`/keys/${id}`),
      admin.delete(`/keys/${id}`),
      admin.post(`/keys/${id}/roll`, {}),
    ]);
    expect(replies.map(({ status, body }) => [status, body.code])).toEqual(
      [1, 2, 3].map(() => [404, 'key.not_found']),
    );
    expect(await admin.read('/keys', { made_by: idOf(stranger.serviceKey) })).toEqual([]);
    expect((await stranger.admin.read(`/keys/${id}`)).revoked).toBeNull();
  });
});
