import { getConnectionToken } from '@nestjs/mongoose';
import { parseId } from '@commerce/records';
import { eventually, idIn } from '@commerce/testing';
import type { Connection } from 'mongoose';

import { World } from '../world.js';
import { json } from './command-line.js';

let world: World;
beforeAll(async () => {
  world = await World.start({ worker: false });
});
afterAll(() => world.stop());

const PRODUCT = { price: 20, currency: 'EUR' };

/** The grams that the version with sparse grams stored for the texts `Zinc urn 4711` and `boils`. */
const GRAMS = [
  94264493, 114071885, 149968399, 233088374, 275279373, 279858979, 295013559, 313166635, 455448280, 500598034,
  508312793, 513084394, 568189911, 592883656, 600301346, 655636919, 680350318, 705241240, 714062535,
  717949397, 778417109, 834077838, 955888935, 956797357, 973058420, 1024518190, 1074535886, 1096954137,
  1124799888, 1133260593, 1164845563, 1201192946, 1339969625, 1426437049, 1428131693, 1434089268, 1488133934,
  1489657542, 1506439608, 1587292988, 1634790622, 1646221553, 1723910925, 1828019404, 1911935910, 1916100543,
  2026965349, 2062899640, 2090689583, 2092734003,
];

/** Some of the grams that it stored for every very long text: those of `tub`, `zi`, `z` and `zin`. */
const LONG_GRAMS = [-4097, -2572, -153, -2382, -1588];

const KEYS = { keys0: true, keys1: true, keys2: true, keys3: true } as const;

const texts = () => world.api.get<Connection>(getConnectionToken()).collection('search_texts');

/** Leaves the database like a version without search texts. */
async function forget(): Promise<void> {
  await texts().deleteMany({});
  for (const name of ['users', 'plans']) {
    const records = world.api.get<Connection>(getConnectionToken()).collection(name);
    await records.updateMany({}, { $unset: { search_words: true } });
  }
}

/** Writes the texts of a product like the version with sparse grams. */
async function writeOlder(id: string, text: string, grams: readonly number[]): Promise<void> {
  await texts().updateOne({ _id: parseId(id)! }, { $set: { text, grams }, $unset: KEYS });
}

async function indexNames(): Promise<(string | undefined)[]> {
  return (await texts().indexes()).map(({ name }) => name);
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
    const { id: user } = await world.user({ name: 'Vera Copperfield' });
    const plan = idIn(
      await world.admin.made('/plans', {
        name: 'Copper',
        interval_unit: 'MONTH',
        ...{ currency: 'EUR', total_amount: 1 },
      }),
    );
    await forget();
    const everywhere = async (): Promise<string[]> =>
      (await world.admin.read('/search', { query: 'copper' })).results.map((record: any) => idIn(record));
    expect(await everywhere()).toEqual([]);
    expect(await found('/products/search', 'copper')).toEqual([]);

    expect(await json('search:rebuild')).toEqual({
      coupon: { looked: 1, written: 1 },
      product: { looked: 1, written: 1 },
      resource: { looked: 1, written: 1 },
      user: { looked: 1, written: 1 },
      plan: { looked: 1, written: 1 },
    });
    expect(await everywhere()).toEqual([user, plan, product, coupon]);
    expect(await found('/products/search', 'copper')).toEqual([product]);
    expect(await found('/resources/search', 'copper')).toEqual([resource]);
    expect(await found('/coupons/search', 'copper')).toEqual([coupon]);

    expect(await json('search:rebuild')).toMatchObject({
      product: { looked: 1, written: 0 },
      user: { looked: 1, written: 0 },
    });
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

  it('keeps texts of the version with sparse grams searchable before, during and after', async () => {
    const urn = { ...PRODUCT, name: 'Zinc urn 4711', description: 'boils' };
    const older = idIn(await world.admin.made('/products', urn));
    const tub = `Zinc tub ${Array.from({ length: 4000 }, (_, at) => String.fromCharCode(0x4e00 + at)).join('')}`;
    const long = idIn(
      await world.admin.made('/products', { ...PRODUCT, name: 'Zinc tub', description: tub }),
    );
    await writeOlder(older, 'zinc urn 4711\0boils', GRAMS);
    await writeOlder(long, `zinc tub\0${tub.toLowerCase()}`, LONG_GRAMS);
    await texts().createIndexes([{ key: { grams: 1, company: 1, kind: 1 } }]);

    const expectAll = async (): Promise<void> => {
      for (const query of ['z', 'zi', 'zinc'])
        expect([query, await found('/products/search', query)]).toEqual([query, [long, older]]);
      for (const query of ['4711', 'c urn 4', 'ZINC URN 4711', 'boil', 'ls'])
        expect([query, await found('/products/search', query)]).toEqual([query, [older]]);
      expect(await found('/products/search', 'tub')).toEqual([long]);
      expect(await found('/products/search', 'urn4')).toEqual([]);
    };
    await eventually(
      () => found('/products/search', '4711'),
      (ids) => ids.length > 0,
      8000,
    );
    await expectAll();

    const checks = async (): Promise<void> => {
      for (let round = 0; round < 10; round += 1) await expectAll();
    };
    const [rebuilt] = await Promise.all([json('search:rebuild'), checks()]);
    expect(rebuilt.product.written).toBe(2);
    await expectAll();
    expect(await texts().countDocuments({ grams: { $exists: true } })).toBe(0);
    expect(await indexNames()).not.toContain('grams_1_company_1_kind_1');
    expect(await json('search:rebuild')).toMatchObject({ product: { written: 0 } });
  }, 60_000);
});
