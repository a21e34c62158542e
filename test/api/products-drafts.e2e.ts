import { idIn } from '@commerce/testing';

import { World } from '../world.js';

let world: World;
beforeAll(async () => {
  world = await World.start({ worker: false });
});
afterAll(() => world.stop());

describe('drafts and deleted products', () => {
  it('are read by admins only, also when they become one later', async () => {
    const { client } = await world.user();
    const id = idIn(await world.admin.made('/products', { name: 'draft', price: 1, currency: 'EUR' }));
    const statuses = async (): Promise<number[]> => {
      const replies = [world.anonymous, client, world.admin].map((caller) => caller.get(`/products/${id}`));
      return (await Promise.all(replies)).map(({ status }) => status);
    };
    expect(await statuses()).toEqual([404, 404, 200]);
    await world.admin.changed(`/products/${id}`, { active: true });
    expect(await statuses()).toEqual([200, 200, 200]);
    await world.admin.changed(`/products/${id}`, { active: false });
    expect(await statuses()).toEqual([404, 404, 200]);
    expect((await world.anonymous.get(`/products/${id}`)).body.code).toBe('product.not_found');
  });

  it('are listed for admins only', async () => {
    const one = { price: 1, currency: 'EUR' };
    await world.admin.made('/products', { ...one, name: 'on', active: true });
    await world.admin.made('/products', { ...one, name: 'draft' });
    const gone = await world.admin.made('/products', { ...one, name: 'gone', active: true });
    await world.admin.delete(`/products/${idIn(gone)}`);
    const { client } = await world.user();
    for (const caller of [world.anonymous, client]) {
      const seen = await caller.read<{ name: string }[]>('/products');
      expect(seen.map(({ name }) => name)).toEqual(['on']);
      const hidden = ['?include_deleted=true', '?active=false', '/search?query=o&active=false'];
      for (const query of [...hidden, '/tags?tags=x&include_deleted=true']) {
        const refused = await caller.get(`/products${query}`);
        expect([refused.status, refused.body.code]).toEqual([403, 'role.forbidden']);
      }
    }
  });
});
