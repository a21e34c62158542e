import { idIn } from '@commerce/testing';

import { stocked, type Stocked } from '../shop.js';
import { World } from '../world.js';

let world: World;

beforeAll(async () => {
  world = await World.start({ worker: false });
});
afterAll(() => world.stop());

type Query = Record<string, string | number | boolean>;
interface Product {
  _id: { $oid: string };
  name: string;
  description: string;
}

const shop = (products: readonly object[]): Promise<Stocked> => stocked(world, products);
const names = (list: { name: string }[]): string[] => list.map(({ name }) => name);

describe('GET /products', () => {
  it('pages, newest first, with the count of the whole', async () => {
    const { caller } = await shop(Array.from({ length: 12 }, (_, index) => ({ name: `p${String(index)}` })));
    const first = await caller.get('/products', { total: true });
    expect(names(first.body)).toEqual(['p11', 'p10', 'p9', 'p8', 'p7', 'p6', 'p5', 'p4', 'p3', 'p2']);
    expect(first.headers['x-total-count']).toBe('12');
    expect(first.headers['link']).toMatch(/total=true&page=1>; rel="next", .*total=true&page=1>; rel="last"/);
    const uncounted = await caller.get('/products');
    expect(uncounted.headers['x-total-count']).toBeUndefined();
    expect(uncounted.headers['link']).toBe('</products?page=0>; rel="first", </products?page=1>; rel="next"');
    expect(names(await caller.read('/products', { page: 1 }))).toEqual(['p1', 'p0']);
    expect(await caller.read('/products', { page: 2 })).toEqual([]);
  });

  it('sorts by created, modified, name and price', async () => {
    const { caller } = await shop([
      { name: 'b', price: 3 },
      { name: 'a', price: 3 },
      { name: 'c', price: 1 },
    ]);
    expect(names(await caller.read('/products', { sort: 'created' }))).toEqual(['b', 'a', 'c']);
    expect(names(await caller.read('/products', { sort: 'name' }))).toEqual(['a', 'b', 'c']);
    expect(names(await caller.read('/products', { sort: '-name' }))).toEqual(['c', 'b', 'a']);
    expect(names(await caller.read('/products', { sort: 'price' }))).toEqual(['c', 'b', 'a']);
    expect(names(await caller.read('/products', { sort: '-price' }))).toEqual(['a', 'b', 'c']);
    expect((await caller.get('/products', { sort: 'vat' })).status).toBe(422);
  });

  it('goes on after a record without gap or repeat, in every order', async () => {
    const { caller } = await shop(
      Array.from({ length: 11 }, (_, index) => ({ name: `n${String(index % 3)}`, price: index % 2 })),
    );
    for (const sort of ['created', '-created', 'name', '-name', 'price', '-price', '-modified']) {
      const whole = await caller.read<Product[]>('/products', { sort, size: 100 });
      const walked: Product[] = [];
      for (let after: Query = {}; ;) {
        const page = await caller.read<Product[]>('/products', { sort, size: 4, ...after });
        walked.push(...page);
        if (page.length < 4) break;
        after = { after: idIn(page[3]!) };
      }
      expect(walked).toEqual(whole);
    }
  });

  it('omits deleted products, and filters active ones', async () => {
    const { admin } = await world.stranger();
    const one = { price: 1, currency: 'EUR' };
    const gone = await admin.made('/products', { ...one, name: 'gone' });
    await admin.made('/products', { ...one, name: 'on', active: true });
    await admin.made('/products', { ...one, name: 'off' });
    await admin.delete(`/products/${idIn(gone)}`);
    expect(names(await admin.read('/products'))).toEqual(['off', 'on']);
    expect(names(await admin.read('/products', { active: true }))).toEqual(['on']);
    expect(names(await admin.read('/products', { active: false }))).toEqual(['off']);
    expect(names(await admin.read('/products', { include_deleted: true }))).toEqual(['off', 'on', 'gone']);
  });

  it('filters by date, from inclusive, to exclusive', async () => {
    const { caller, made } = await shop([{ name: 'a' }, { name: 'b' }]);
    const at = (index: number): number => made[index].created.$date as number;
    expect(names(await caller.read('/products', { from_date: at(1) }))).toContain('b');
    expect(names(await caller.read('/products', { to_date: at(0) }))).toEqual([]);
    expect(names(await caller.read('/products', { from_date: at(0), to_date: at(1) + 1 }))).toEqual([
      'b',
      'a',
    ]);
    expect(
      names(await caller.read('/products', { date_filter: 'modified', from_date: at(1) + 60_000 })),
    ).toEqual([]);
  });

  it.each<Query>([
    { size: 0 },
    { size: 101 },
    { size: 'abc' },
    { page: -1 },
    { 'name[$ne]': 'x' },
    { latitude: 91, longitude: 0 },
    { latitude: 1 },
    { active: 'perhaps' },
    { after: 'x' },
  ])('refuses %j', async (query) => {
    expect((await world.anonymous.get('/products', query)).status).toBe(422);
  });
});

describe('GET /products near a place', () => {
  const berlin = { latitude: 52.52, longitude: 13.405 };

  it.each<[string, Query]>([
    ['/products', {}],
    ['/products/search', { query: 'kettle' }],
  ])('%s refuses a sort beside it', async (path, query) => {
    const near = { ...query, ...berlin };
    const refused = await world.anonymous.get(path, { ...near, sort: '-created' });
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      [expect.objectContaining({ path: 'sort', code: 'value.invalid' })],
    ]);
    expect((await world.anonymous.get(path, near)).status).toBe(200);
  });

  it('holds the products offered there, nearest first', async () => {
    const { caller } = await shop([
      { name: 'nowhere' },
      { name: 'Hamburg, 300 km', default_position: [9.993, 53.551], max_distance: 300_000 },
      { name: 'Munich, everywhere', default_position: [11.576, 48.137] },
      { name: 'Potsdam, 10 km', default_position: [13.064, 52.391], max_distance: 10_000 },
      { name: 'Potsdam, 30 km', default_position: [13.064, 52.391], max_distance: 30_000 },
      { name: 'Berlin, 0 m', default_position: [13.405, 52.52], max_distance: 0 },
    ]);
    const list = await caller.get('/products', { ...berlin, total: true });
    expect(names(list.body)).toEqual([
      'Berlin, 0 m',
      'Potsdam, 30 km',
      'Hamburg, 300 km',
      'Munich, everywhere',
    ]);
    expect(list.headers['x-total-count']).toBe('4');
    expect(list.body[0]).not.toHaveProperty('away');
    expect(names(await caller.read('/products', { ...berlin, size: 2, page: 1 }))).toEqual([
      'Hamburg, 300 km',
      'Munich, everywhere',
    ]);
  });

  it('goes on after a record, also among products at one place', async () => {
    const { caller } = await shop(
      Array.from({ length: 7 }, (_, index) => ({
        name: `at ${String(index)}`,
        default_position: [13, index % 2],
      })),
    );
    const whole = await caller.read<Product[]>('/products', berlin);
    expect(whole).toHaveLength(7);
    const first = await caller.read<Product[]>('/products', { ...berlin, size: 3 });
    const rest = await caller.read<Product[]>('/products', {
      ...berlin,
      size: 4,
      after: idIn(first[2]!),
    });
    expect([...first, ...rest]).toEqual(whole);
  });
});

describe('GET /products/tags', () => {
  it('finds products with any of the tags', async () => {
    const { caller } = await shop([
      { name: 'red', tags: ['red', 'warm'] },
      { name: 'blue', tags: ['blue'] },
      { name: 'both', tags: ['blue', 'red'] },
      { name: 'comma', tags: ['a,b'] },
    ]);
    expect(names(await caller.read('/products/tags', { tags: 'red' }))).toEqual(['both', 'red']);
    expect(names(await caller.read('/products/tags', { tags: 'blue,warm' }))).toEqual([
      'both',
      'blue',
      'red',
    ]);
    expect(names(await caller.read('/products/tags?tags=warm&tags=blue'))).toEqual(['both', 'blue', 'red']);
    expect(names(await caller.read('/products/tags', { tags: 'a,b' }))).toEqual(['comma']);
    expect(names(await caller.read('/products/tags', { tags: 'Red' }))).toEqual([]);
    expect((await caller.get('/products/tags')).status).toBe(422);
  });
});
