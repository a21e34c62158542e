import { getConnectionToken } from '@nestjs/mongoose';
import { idIn } from '@commerce/testing';
import type { Connection } from 'mongoose';

import { World } from '../world.js';
import { json } from './command-line.js';

let world: World;
beforeAll(async () => {
  world = await World.start({ worker: false });
});
afterAll(() => world.stop());

const PRODUCT = { price: 20, currency: 'EUR' };

const texts = () => world.api.get<Connection>(getConnectionToken()).collection('search_texts');

/** Leaves the database as a restore without this collection does. */
async function forget(): Promise<void> {
  await texts().deleteMany({});
}

async function found(path: string, query: string): Promise<string[]> {
  return (await world.admin.read<any[]>(path, { query })).map((record) => idIn(record));
}

describe('search:rebuild', () => {
  it('makes missing records searchable, once, and reports it in the audit log', async () => {
    const product = idIn(await world.admin.made('/products', { ...PRODUCT, name: 'Copper kettle' }));
    const resource = idIn(await world.admin.made('/resources', { name: 'Copper still' }));
    const off = { code: 'COPPER10', percent_off: 0.1, currency: 'EUR' };
    const coupon = idIn(await world.admin.made('/coupons', off));
    await forget();
    const everywhere = async (): Promise<string[]> =>
      (await world.admin.read('/search', { query: 'copper' })).results.map((record: any) => idIn(record));
    expect(await everywhere()).toEqual([]);
    expect(await found('/products/search', 'copper')).toEqual([]);

    expect(await json('search:rebuild')).toEqual({
      coupon: { looked: 1, written: 1 },
      product: { looked: 1, written: 1 },
      resource: { looked: 1, written: 1 },
    });
    expect(await everywhere()).toEqual([product, coupon]);
    expect(await found('/products/search', 'copper')).toEqual([product]);
    expect(await found('/resources/search', 'copper')).toEqual([resource]);
    expect(await found('/coupons/search', 'copper')).toEqual([coupon]);

    expect(await json('search:rebuild')).toMatchObject({ product: { looked: 1, written: 0 } });
    const entries = await world.admin.read<any[]>('/audit', { kind: 'company' });
    const lines = entries.filter(({ action }) => action === 'performed');
    expect(lines).toMatchObject([{ actor: 'cli', request: 'cli search:rebuild' }]);
  });

  it('continues where it was stopped, and overwrites no concurrent change', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 30; index += 1)
      ids.push(idIn(await world.admin.made('/products', { ...PRODUCT, name: `Tin mug ${String(index)}` })));
    await forget();
    await world.admin.changed(`/products/${ids[0] ?? ''}`, { name: 'Tin cup' });
    const renaming = async (): Promise<void> => {
      for (const id of ids.slice(1))
        await world.admin.changed(`/products/${id}`, { name: `Pewter mug ${id}` });
    };
    const [rebuilt] = await Promise.all([json('search:rebuild'), renaming()]);
    expect(rebuilt.product.written).toBeLessThanOrEqual(rebuilt.product.looked - 1);
    for (const id of ids.slice(1)) expect(await found('/products/search', `pewter mug ${id}`)).toEqual([id]);
    expect(await found('/products/search', 'tin cup')).toEqual([ids[0]]);
    expect(await found('/products/search', 'tin mug')).toEqual([]);
    expect(await json('search:rebuild')).toMatchObject({ product: { written: 0 } });
  });
});
