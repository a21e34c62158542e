import { idIn } from '@commerce/testing';

import { World } from '../world.js';

let world: World;
beforeAll(async () => {
  world = await World.start({ worker: false });
});
afterAll(() => world.stop());

describe('drafts and deleted products', () => {
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
