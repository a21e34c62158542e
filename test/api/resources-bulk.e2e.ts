import { idIn } from '@commerce/testing';

import { World } from '../world.js';

let world: World;
const VAN = { name: 'Van 7' };

beforeAll(async () => {
  world = await World.start({ worker: false });
});
afterAll(() => world.stop());

const names = (list: { name: string }[]): string[] => list.map(({ name }) => name);

describe('POST /resources/bulk', () => {
  it('creates all, in order, at most 500', async () => {
    const { admin } = await world.stranger();
    const items = Array.from({ length: 500 }, (_, index) => ({ name: `r${String(index)}` }));
    const made = await admin.made('/resources/bulk', items);
    expect(names(made)).toEqual(items.map(({ name }) => name));
    expect(new Set(made.map((one: { human_id: string }) => one.human_id)).size).toBe(500);
    expect((await admin.get('/resources', { total: true })).headers['x-total-count']).toBe('500');
    const { status, body } = await admin.post('/resources/bulk', [...items, VAN]);
    expect([status, body.code]).toEqual([422, 'body.invalid']);
    expect(await admin.made('/resources/bulk', [])).toEqual([]);
    expect((await admin.post('/resources/bulk', VAN)).status).toBe(422);
  }, 30_000);

  it('creates none when one is invalid, and names every invalid one', async () => {
    const { admin } = await world.stranger();
    const { status, body } = await admin.post('/resources/bulk', [
      { name: 'good' },
      { name: 'bad', product: '65b9a1c2d3e4f5061728394a' },
      { name: '' },
      { name: 'good', method: 'retail' },
      'nothing',
      { name: 'good', used: 1 },
    ]);
    expect(status).toBe(422);
    expect(body.errors.map(({ path, code }: { path: string; code: string }) => [path, code])).toEqual([
      ['1.product', 'product.unknown'],
      ['2.name', 'value.invalid'],
      ['3.product', 'value.invalid'],
      ['4', 'body.invalid'],
      ['5.used', 'field.unknown'],
    ]);
    expect(await admin.read('/resources')).toEqual([]);
  });

  it('creates assets and retail items side by side', async () => {
    const tea = await world.admin.made('/products', { name: 'Tea', price: 3, currency: 'EUR' });
    const made = await world.admin.made('/resources/bulk', [
      { name: 'a', method: 'asset', product: idIn(tea) },
      { name: 'b', method: 'retail', product: idIn(tea) },
    ]);
    expect(made.map((one: { _cls: string }) => one._cls)).toEqual(['Resource.Asset', 'Resource.Retail']);
    expect(made[0]).not.toHaveProperty('base_price');
    expect(made[1].base_price).toBe(3);
    for (const one of made) expect(await world.admin.read(`/resources/${idIn(one)}`)).toEqual(one);
  });
});
