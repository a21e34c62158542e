import { getConnectionToken } from '@nestjs/mongoose';
import { Companies } from '@commerce/identity';
import { Types, type Connection } from 'mongoose';

import { World } from '../world.js';

let world: World;
beforeAll(async () => {
  world = await World.start({ worker: false });
});
afterAll(async () => {
  await world.stop();
});

describe('POST /users', () => {
  it('keeps free metadata byte for byte', async () => {
    const metadata = JSON.parse(
      '{"__proto__":{"x":1},"constructor":"c","$gt":1,"a.b":{"$date":5,"$oid":"x"},"toString":null}',
    );
    const user = await world.admin.made('/users', { name: 'Free', metadata });
    const read = await world.admin.get(`/users/${user._id.$oid}`);
    expect(read.text).toContain(JSON.stringify(metadata));
    expect(({} as any).x).toBeUndefined();
  });

  it('gives each a human_id that no other user of the company has', async () => {
    await world.admin.made('/users', { name: 'One' });
    const users = world.api.get<Connection>(getConnectionToken()).collection('users');
    const [one] = await users.find().toArray();
    const twin = { ...one, _id: new Types.ObjectId() };
    await expect(users.insertOne(twin)).rejects.toMatchObject({ code: 11000 });
  });

  it('accepts an email once per company, regardless of case', async () => {
    await world.admin.made('/users', { email: 'Ann@example.com' });
    const second = await world.admin.post('/users', { email: 'ann@Example.com' });
    expect([second.status, second.body.code, second.body.errors[0].path]).toEqual([
      409,
      'user.email_taken',
      'email',
    ]);
    const stranger = await world.stranger();
    expect((await stranger.admin.post('/users', { email: 'ann@example.com' })).status).toBe(200);
  });

  it('gives an email free when its user changes it or is deleted', async () => {
    const { _id } = await world.admin.made('/users', { email: 'free@example.com' });
    expect((await world.admin.put(`/users/${_id.$oid}`, { email: 'other@example.com' })).status).toBe(200);
    const second = await world.admin.made('/users', { email: 'free@example.com' });
    expect((await world.admin.delete(`/users/${second._id.$oid}`)).status).toBe(200);
    await world.admin.made('/users', { email: 'FREE@example.com' });
    expect((await world.admin.post('/users', { email: 'other@example.com' })).status).toBe(409);
  });
});

describe('GET /users with ids', () => {
  it('gives these users in the order of their ids, deleted ones too, and no others', async () => {
    const { admin } = await world.stranger();
    const made: any[] = [];
    for (const name of ['One', 'Two', 'Three', 'Four']) made.push(await admin.made('/users', { name }));
    const [one, two, three] = made.map(({ _id }) => _id.$oid as string);
    await admin.delete(`/users/${two!}`);
    const foreign = (await world.admin.made('/users', { name: 'Foreign' }))._id.$oid;
    const query = new URLSearchParams(
      [three, two, foreign, one].map((id) => ['ids', String(id)] as [string, string]),
    );
    const found = await admin.read<any[]>(`/users?${query.toString()}`);
    expect(found.map(({ name, deleted }) => [name, deleted])).toEqual([
      ['One', false],
      ['Two', true],
      ['Three', false],
    ]);
    const listed = await admin.read<any[]>('/users', { sort: 'name' });
    expect(listed.map(({ name }) => name)).toEqual(['Four', 'One', 'Three']);
    const next = await admin.read<any[]>(`/users?${query.toString()}&size=1&after=${one!}`);
    expect(next.map(({ name }) => name)).toEqual(['Two']);
    const { client, id } = await world.user();
    expect((await client.get(`/users?ids=${id}`)).status).toBe(403);
  });

  it('takes at most a hundred, and no sort', async () => {
    const many = Array.from({ length: 101 }, (): [string, string] => [
      'ids',
      new Types.ObjectId().toHexString(),
    ]);
    const statusOf = async (query: string): Promise<[number, string | undefined]> => {
      const { status, body } = await world.admin.get(`/users?${query}`);
      return [status, body.errors?.[0].path];
    };
    expect(await statusOf(new URLSearchParams(many).toString())).toEqual([422, 'ids']);
    expect(await statusOf(new URLSearchParams(many.slice(1)).toString())).toEqual([200, undefined]);
    expect(await statusOf(`ids=${many[0]![1]}&sort=name`)).toEqual([422, 'sort']);
    expect(await statusOf('ids=nonsense')).toEqual([422, 'ids']);
  });
});

describe('PUT /users/<id> by the user', () => {
  it('changes email and reference only if the company allows it', async () => {
    const { id, client } = await world.user({ email: 'own@example.com', external_reference: 'crm-1' });
    const path = `/users/${id}`;
    for (const field of ['email', 'external_reference']) {
      const refused = await client.put(path, { [field]: 'x@example.com' });
      expect([refused.status, refused.body.errors]).toEqual([
        422,
        [expect.objectContaining({ path: field, code: 'user.field_reserved' })],
      ]);
    }
    const same = { name: 'Ann', email: 'own@example.com', external_reference: 'crm-1' };
    expect((await client.put(path, same)).status).toBe(200);
    await world.get(Companies).update(world.company, { users_edit_identity: true });
    expect((await client.put(path, { email: 'x@example.com' })).body.email).toBe('x@example.com');
    await world.get(Companies).update(world.company, { users_edit_identity: false });
  });

  it.each([false, true])('never changes metadata, which the shop set (identity: %s)', async (allowed) => {
    await world.get(Companies).update(world.company, { users_edit_identity: allowed });
    const metadata = { tier: 'gold', limits: { credit: 10 } };
    const { id, client } = await world.user({ metadata });
    for (const forged of [{ tier: 'platinum' }, { ...metadata, own: 1 }, {}, null]) {
      const refused = await client.put(`/users/${id}`, { metadata: forged });
      expect([refused.status, refused.body.errors]).toEqual([
        422,
        [expect.objectContaining({ path: 'metadata', code: 'user.field_reserved' })],
      ]);
    }
    const kept = await client.put(`/users/${id}`, { name: 'Ann', metadata });
    expect([kept.status, kept.body.name, kept.body.metadata]).toEqual([200, 'Ann', metadata]);
    const none = await world.user();
    expect((await none.client.put(`/users/${none.id}`, { metadata: { tier: 'gold' } })).status).toBe(422);
    expect((await world.admin.put(`/users/${id}`, { metadata: null })).body.metadata).toBeNull();
    await world.get(Companies).update(world.company, { users_edit_identity: false });
  });
});
