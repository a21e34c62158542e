import { idIn } from '@commerce/testing';

import { World } from '../world.js';

let world: World;
const MAIN = { name: 'Bicycle', price: 500, currency: 'EUR' };
const SUB = { name: 'Bell', price: 10, currency: 'EUR', main_product: false };

beforeAll(async () => {
  world = await World.start({ worker: false });
});
afterAll(() => world.stop());

const made = async (values: object): Promise<string> => idIn(await world.admin.made('/products', values));
const read = (id: string): Promise<any> => world.admin.read(`/products/${id}`);
const ids = (refs: { $oid: string }[]): string[] => refs.map(({ $oid }) => $oid);
const add = (id: string, ...subs: string[]): Promise<any> =>
  world.admin.put(`/products/${id}/sub_products`, { add: subs });

/** Checks that both ends of each link agree. */
async function expectSymmetric(...products: string[]): Promise<void> {
  const records = await Promise.all(products.map(read));
  for (const one of records) {
    for (const other of records) {
      const down = ids(one._sub_products).includes(idIn(other));
      const up = ids(other.parents).includes(idIn(one));
      expect([idIn(one), idIn(other), down]).toEqual([idIn(one), idIn(other), up]);
    }
  }
}

describe('PUT /products/<id>/sub_products', () => {
  it('links both ways, many to many, and repeats without harm', async () => {
    const [bike, trike, bell, lamp] = [await made(MAIN), await made(MAIN), await made(SUB), await made(SUB)];
    expect(ids((await add(bike, bell, lamp)).body._sub_products)).toEqual([bell, lamp]);
    expect((await add(trike, bell, bell)).status).toBe(200);
    expect((await add(bike, bell)).status).toBe(200);
    expect(ids((await read(bell)).parents)).toEqual([bike, trike]);
    await expectSymmetric(bike, trike, bell, lamp);
  });

  it.each([
    ['a main product', async () => add(await made(MAIN), await made(MAIN)), 'product.not_a_sub_product'],
    ['an unknown product', async () => add(await made(MAIN), '65b9a1c2d3e4f5061728394a'), 'product.unknown'],
    ['below a sub-product', async () => add(await made(SUB), await made(SUB)), 'product.has_no_sub_products'],
  ])('refuses %s', async (_, attempt, code) => {
    const { status, body } = await attempt();
    expect([status, body.code]).toEqual([422, code]);
  });

  it('refuses itself, a cycle, a deleted and a foreign product', async () => {
    const [bike, bell, gone] = [await made(MAIN), await made(SUB), await made(SUB)];
    await add(bike, bell);
    await world.admin.delete(`/products/${gone}`);
    const foreign = idIn(await (await world.stranger()).admin.made('/products', SUB));
    for (const [parent, sub, path] of [
      [bike, bike, 'add.0'],
      [bell, bike, 'add'],
      [bell, bell, 'add'],
      [bike, gone, 'add.0'],
      [bike, foreign, 'add.0'],
    ] as const) {
      const { status, body } = await add(parent, sub);
      expect([status, body.errors[0].path]).toEqual([422, path]);
    }
    expect(ids((await read(bike))._sub_products)).toEqual([bell]);
    expect((await world.admin.put(`/products/${bike}/sub_products`, {})).status).toBe(422);
  });

  it('keeps links symmetric under concurrent changes', async () => {
    const bikes = await Promise.all([made(MAIN), made(MAIN), made(MAIN)]);
    const bells = await Promise.all([made(SUB), made(SUB), made(SUB)]);
    const answers = await Promise.all(bikes.flatMap((bike) => bells.map((bell) => add(bike, bell))));
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    await expectSymmetric(...bikes, ...bells);
  });
});

describe('sub_products in POST and PUT /products', () => {
  it('are linked with the new product', async () => {
    const bell = await made(SUB);
    const bike = await world.admin.made('/products', { ...MAIN, sub_products: [bell, bell] });
    expect(ids(bike._sub_products)).toEqual([bell]);
    await expectSymmetric(idIn(bike), bell);
  });

  it('replace those before', async () => {
    const [bell, lamp] = [await made(SUB), await made(SUB)];
    const bike = await made({ ...MAIN, sub_products: [bell] });
    await world.admin.put(`/products/${bike}`, { sub_products: [lamp] });
    expect((await read(bell)).parents).toEqual([]);
    await expectSymmetric(bike, bell, lamp);
  });

  it('store nothing when one is refused', async () => {
    const bell = await made(SUB);
    const sub_products = [bell, '65b9a1c2d3e4f5061728394a'];
    const { status, body } = await world.admin.post('/products', { ...MAIN, sub_products });
    expect([status, body.errors[0].path]).toEqual([422, 'sub_products.1']);
    expect((await read(bell)).parents).toEqual([]);
    expect((await world.admin.post('/products', { ...SUB, sub_products: [bell] })).status).toBe(422);
  });

  it('hold a product to its kind', async () => {
    const bell = await made(SUB);
    const bike = await made({ ...MAIN, sub_products: [bell] });
    const up = await world.admin.put(`/products/${bell}`, { main_product: true });
    const down = await world.admin.put(`/products/${bike}`, { main_product: false });
    expect([up.status, up.body.errors[0].path]).toEqual([422, 'main_product']);
    expect([down.status, down.body.errors[0].path]).toEqual([422, 'main_product']);
  });
});

describe('deleting a linked product', () => {
  it('takes a parent off its sub-products', async () => {
    const bell = await made(SUB);
    const [bike, trike] = [
      await made({ ...MAIN, sub_products: [bell] }),
      await made({ ...MAIN, sub_products: [bell] }),
    ];
    await world.admin.delete(`/products/${bike}`);
    expect(ids((await read(bell)).parents)).toEqual([trike]);
    await expectSymmetric(bike, trike, bell);
  });

  it('takes a sub-product off its parents', async () => {
    const bell = await made(SUB);
    const bike = await made({ ...MAIN, sub_products: [bell] });
    await world.admin.delete(`/products/${bell}`);
    expect((await read(bike))._sub_products).toEqual([]);
    await expectSymmetric(bike, bell);
  });
});
