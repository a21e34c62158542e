import { Companies } from '@commerce/identity';
import { idIn, type Client } from '@commerce/testing';

import { World } from '../world.js';

let world: World;
beforeAll(async () => {
  world = await World.start({ worker: false });
});
afterAll(() => world.stop());

const PRICED = { price: 7.5, currency: 'EUR' };

async function hideInactive(hide_inactive_products: boolean): Promise<void> {
  await world.get(Companies).update(world.company, { hide_inactive_products });
}

/** Every kind of caller that reads products: without credentials, a user, an admin. */
async function readers(): Promise<Client[]> {
  return [world.anonymous, (await world.user()).client, world.admin];
}

async function statusesOf(path: string): Promise<number[]> {
  return Promise.all((await readers()).map(async (reader) => (await reader.get(path)).status));
}

async function namesIn(path: string): Promise<string[][]> {
  const lists = (await readers()).map((reader) => reader.read<{ name: string }[]>(path));
  return (await Promise.all(lists)).map((list) => list.map(({ name }) => name).sort());
}

describe('an inactive product', () => {
  it('is read by everybody, as a product is when it is made', async () => {
    const made = await world.admin.made('/products', { ...PRICED, name: 'draft alpha', tags: ['alpha'] });
    expect(made['active']).toBe(false);
    expect(await statusesOf(`/products/${idIn(made)}`)).toEqual([200, 200, 200]);
    const lists = ['', '/search?query=alpha', '/tags?tags=alpha', '?active=false', '?sort=name&total=true'];
    for (const list of lists) {
      for (const names of await namesIn(`/products${list}`)) expect(names).toContain('draft alpha');
    }
    for (const names of await namesIn('/products?active=true')) expect(names).not.toContain('draft alpha');
  });

  it('cannot be ordered', async () => {
    const { client } = await world.user();
    const product = idIn(await world.admin.made('/products', { ...PRICED, name: 'not yet' }));
    const refused = await client.post('/orders', { items: [{ product, quantity: 1 }] });
    expect([refused.status, refused.body.code]).toEqual([422, 'product.inactive']);
  });
});

describe('a deleted product', () => {
  it('is read and listed by admins only', async () => {
    const gone = idIn(await world.admin.made('/products', { ...PRICED, name: 'gone', active: true }));
    await world.admin.delete(`/products/${gone}`);
    expect(await statusesOf(`/products/${gone}`)).toEqual([404, 404, 200]);
    for (const names of await namesIn('/products')) expect(names).not.toContain('gone');
    for (const query of ['?include_deleted=true', '/tags?tags=x&include_deleted=true']) {
      expect(await statusesOf(`/products${query}`)).toEqual([403, 403, 200]);
    }
  });
});

describe('when the company hides inactive products', () => {
  beforeAll(() => hideInactive(true));
  afterAll(() => hideInactive(false));

  it('they are read by admins only, also when a product becomes one later', async () => {
    const id = idIn(await world.admin.made('/products', { ...PRICED, name: 'hidden' }));
    expect(await statusesOf(`/products/${id}`)).toEqual([404, 404, 200]);
    await world.admin.changed(`/products/${id}`, { active: true });
    expect(await statusesOf(`/products/${id}`)).toEqual([200, 200, 200]);
    await world.admin.changed(`/products/${id}`, { active: false });
    expect(await statusesOf(`/products/${id}`)).toEqual([404, 404, 200]);
    expect((await world.anonymous.get(`/products/${id}`)).body.code).toBe('product.not_found');
  });

  it('they are listed, searched and found by tag by admins only', async () => {
    const tags = ['beta'];
    await world.admin.made('/products', { ...PRICED, name: 'beta on', tags, active: true });
    await world.admin.made('/products', { ...PRICED, name: 'beta draft', tags });
    for (const list of ['/search?query=beta', '/tags?tags=beta', '/search?query=beta&active=true']) {
      const [anonymous, user, admin] = await namesIn(`/products${list}`);
      expect([anonymous, user]).toEqual([['beta on'], ['beta on']]);
      expect(admin).toEqual(list.includes('active') ? ['beta on'] : ['beta draft', 'beta on']);
    }
    const [listed] = await namesIn('/products');
    expect(listed).not.toContain('beta draft');
    for (const query of ['?active=false', '/search?query=beta&active=false']) {
      expect(await statusesOf(`/products${query}`)).toEqual([403, 403, 200]);
    }
  });

  it('a user cannot make a resource of one, nor learn its price from one', async () => {
    const { client } = await world.user();
    const sub = { ...PRICED, main_product: false };
    const shown = idIn(await world.admin.made('/products', { ...sub, name: 'shown sub', active: true }));
    const draft = idIn(await world.admin.made('/products', { ...sub, name: 'draft sub' }));
    const main = { ...PRICED, name: 'main', active: true, sub_products: [shown, draft] };
    const product = idIn(await world.admin.made('/products', main));
    const hidden = idIn(await world.admin.made('/products', { ...PRICED, name: 'secret' }));

    for (const method of ['asset', 'retail']) {
      const refused = await client.post('/resources', { name: 'mine', method, product: hidden });
      expect([refused.status, refused.body.code]).toEqual([422, 'product.unknown']);
      expect(refused.body.errors.map(({ path }: { path: string }) => path)).toEqual(['product']);
    }
    const named = { name: 'mine', method: 'retail', product, sub_products: [draft] };
    expect((await client.post('/resources', named)).body.code).toBe('product.not_a_sub_product');

    const made = await client.made('/resources', { name: 'mine', method: 'retail', product });
    expect(made).toMatchObject({ base_price: 15, _sub_products: [{ $oid: shown }] });
    const moved = await client.put(`/resources/${idIn(made)}`, { product: hidden });
    expect([moved.status, moved.body.code]).toEqual([422, 'product.unknown']);
    const byAdmin = { name: 'any', method: 'retail', product, user: (await world.user()).id };
    expect(await world.admin.made('/resources', byAdmin)).toMatchObject({ base_price: 22.5 });
  });
});
