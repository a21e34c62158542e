import { getConnectionToken } from '@nestjs/mongoose';
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

  it('takes an email once per company, whatever its case', async () => {
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
