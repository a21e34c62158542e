import { idIn } from '@commerce/testing';

import { World } from '../world.js';

let world: World;
const VAN = { name: 'Van 7' };

beforeAll(async () => {
  world = await World.start({ worker: false });
});
afterAll(() => world.stop());

const paths = (body: { errors: { path: string }[] }): string[] => body.errors.map(({ path }) => path);
const names = (list: { name: string }[]): string[] => list.map(({ name }) => name);

describe('a user', () => {
  it('sees and changes only their own resources', async () => {
    const [ada, bob] = [await world.user(), await world.user()];
    const own = await ada.client.made('/resources', { name: "Ada's" });
    expect(own.user).toEqual({ $oid: ada.id });
    const [id, bobs] = [idIn(own), idIn(await bob.client.made('/resources', { name: "Bob's" }))];
    const ours = idIn(await world.admin.made('/resources', { name: 'ours' }));
    for (const other of [bobs, ours]) {
      expect((await ada.client.get(`/resources/${other}`)).body.code).toBe('resource.not_found');
      expect((await ada.client.put(`/resources/${other}`, { name: 'x' })).status).toBe(404);
    }
    expect(names(await ada.client.read('/resources'))).toEqual(["Ada's"]);
    expect(await ada.client.read('/resources/search', { query: bobs })).toEqual([]);
    expect(names(await ada.client.read('/resources/search', { query: "'s" }))).toEqual(["Ada's"]);
    expect((await ada.client.put(`/resources/${id}`, { name: 'mine' })).body.name).toBe('mine');
    expect(names(await world.admin.read('/resources', { size: 3 }))).toEqual(['ours', "Bob's", 'mine']);
  });

  it('cannot hand over resources, nor set the statuses of admins', async () => {
    const [ada, bob] = [await world.user(), await world.user()];
    const id = idIn(await ada.client.made('/resources', { ...VAN, user: ada.id, status: 'PROCESSING' }));
    for (const [values, path] of [
      [{ user: bob.id }, 'user'],
      [{ user: null }, 'user'],
      [{ status: 'DONE' }, 'status'],
      [{ status: 'ON_THE_WAY_TO' }, 'status'],
    ] as const) {
      const { status, body } = await ada.client.put(`/resources/${id}`, values);
      expect([status, paths(body)]).toEqual([422, [path]]);
    }
    const status = 'DONE';
    expect((await ada.client.post('/resources', { ...VAN, status })).status).toBe(422);
    expect((await ada.client.post('/resources', { ...VAN, user: bob.id })).status).toBe(422);
    expect((await ada.client.made('/resources', { ...VAN, user: null })).user).toEqual({ $oid: ada.id });
    expect((await world.admin.put(`/resources/${id}`, { status: 'ON_THE_WAY_TO' })).body.status).toBe(
      'ON_THE_WAY_TO',
    );
    // A status that an admin set can be changed only by an admin; once reset, the user may change it again.
    expect((await ada.client.put(`/resources/${id}`, { status: 'idle' })).status).toBe(422);
    await world.admin.put(`/resources/${id}`, { status: 'processing' });
    expect((await ada.client.put(`/resources/${id}`, { status: 'idle' })).body.status).toBe('IDLE');
    expect((await world.admin.put(`/resources/${id}`, { user: bob.id })).body.user).toEqual({ $oid: bob.id });
    expect((await ada.client.get(`/resources/${id}`)).status).toBe(404);
    expect((await bob.client.get(`/resources/${id}`)).status).toBe(200);
  });

  it('cannot delete, nor create in bulk', async () => {
    const { client } = await world.user();
    const id = idIn(await client.made('/resources', VAN));
    expect((await client.delete(`/resources/${id}`)).status).toBe(403);
    expect((await client.post('/resources/bulk', [VAN])).status).toBe(403);
    expect((await world.anonymous.get('/resources')).status).toBe(401);
  });
});
