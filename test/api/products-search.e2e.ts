import { getConnectionToken } from '@nestjs/mongoose';
import { random } from '@commerce/platform';
import { parseId } from '@commerce/records';
import { eventually, idIn } from '@commerce/testing';
import type { Connection } from 'mongoose';

import { json } from '../cli/command-line.js';
import { stocked, type Stocked } from '../shop.js';
import { World } from '../world.js';

let world: World;

beforeAll(async () => {
  world = await World.start({ worker: false });
});
afterAll(() => world.stop());

const shop = (products: readonly object[]): Promise<Stocked> => stocked(world, products);
/** All index keys of a row of search texts. */
const keysIn = (row: object | null): number[] =>
  Object.entries(row ?? {}).flatMap(([name, value]) =>
    /^(keys|grams)/.test(name) ? (value as number[]) : [],
  );
const names = (list: { name: string }[]): string[] => list.map(({ name }) => name);

describe('GET /products/search', () => {
  const texts = [
    ['Espresso Machine', 'Makes espresso.'],
    ['Milk frother', 'For the ESPRESSO machine'],
    ['Kettle', '100% steel (1.7 l) [new] a+b ^$ \\d'],
    ['ESSPRESS', 'o'],
    ['Straße', 'İstanbul ΟΔΟΣ'],
    ['ss', 'strasse istanbul οδοσ'],
    ['', 'πρώτο'],
    ['naïve', 'naïve'],
    ['emoji 👩‍👩‍👧', '😀😀'],
  ].map(([name, description]) => ({ name: name === '' ? '?' : name!, description: description! }));
  const queries = [
    ...[
      'e',
      'es',
      'esp',
      'ESPRESSO',
      'machine',
      'Makes espresso.',
      'o',
      'sso',
      'ss',
      'ß',
      'strasse',
      'STRASSE',
    ],
    ...[
      'istanbul',
      'İSTANBUL',
      'i̇stanbul',
      'οδος',
      'ΟΔΟΣ',
      'Σ',
      'naïve',
      'naïve',
      '😀',
      '😀😀',
      '👩',
      '.*',
      '(1.7',
    ],
    ...['a+b', '^$', '\\d', '100%', '[new]', 'x y', ' ', '?', 'espresso machinemakes', 'e\nm', '(a+)+$'],
  ];

  it('finds exactly the results of a plain scan', async () => {
    const { caller } = await shop(texts);
    for (const query of queries) {
      const lowered = query.toLowerCase();
      const plain = texts
        .filter((one) => [one.name, one.description].some((text) => text.toLowerCase().includes(lowered)))
        .map(({ name }) => name)
        .reverse();
      const found = await caller.get('/products/search', { query, total: true });
      expect([query, names(found.body)]).toEqual([query, plain]);
      expect(found.headers['x-total-count']).toBe(String(plain.length));
    }
  });

  it('finds ids and short ids as a whole, in either case', async () => {
    const { caller, made } = await shop([{ name: 'one' }, { name: 'two' }]);
    const id = idIn(made[0]);
    const short = made[1].human_id as string;
    expect(names(await caller.read('/products/search', { query: id }))).toEqual(['one']);
    expect(names(await caller.read('/products/search', { query: id.toUpperCase() }))).toEqual(['one']);
    expect(names(await caller.read('/products/search', { query: id.slice(0, 23) }))).toEqual([]);
    expect(names(await caller.read('/products/search', { query: short.toLowerCase() }))).toEqual(['two']);
    expect(names(await caller.read('/products/search', { query: short.slice(0, 5) }))).toEqual([]);
    const stranger = await world.stranger();
    expect(await stranger.admin.read('/products/search', { query: id })).toEqual([]);
  });

  it('follows changes of name and description', async () => {
    const { admin } = await world.stranger();
    const made = await admin.made('/products', { name: 'Kettle', price: 1, currency: 'EUR' });
    await admin.put(`/products/${idIn(made)}`, { description: 'boils water' });
    expect(names(await admin.read('/products/search', { query: 'kettle' }))).toEqual(['Kettle']);
    expect(names(await admin.read('/products/search', { query: 'Boils' }))).toEqual(['Kettle']);
    await admin.put(`/products/${idIn(made)}`, { name: 'Pot' });
    expect(await admin.read('/products/search', { query: 'kettle' })).toEqual([]);
  });

  it('pages, sorts and filters like the list', async () => {
    const { admin } = await shop(
      Array.from({ length: 5 }, (_, index) => ({
        name: `mug ${String(index)}`,
        active: index % 2 === 0,
        default_position: [index, 0],
      })),
    );
    const found = await admin.get('/products/search', { query: 'mug', size: 2, sort: 'name', total: true });
    expect(names(found.body)).toEqual(['mug 0', 'mug 1']);
    expect(found.headers['x-total-count']).toBe('5');
    const after = { query: 'mug', sort: 'name', size: 2, after: idIn(found.body[1]) };
    expect(names(await admin.read('/products/search', after))).toEqual(['mug 2', 'mug 3']);
    const off = await admin.read('/products/search', { query: 'MUG', active: false });
    expect(names(off)).toEqual(['mug 3', 'mug 1']);
    const near = { query: 'mug', latitude: 0, longitude: 3, size: 1 };
    expect(names(await admin.read('/products/search', near))).toEqual(['mug 3']);
  });

  it('finds parts of very long texts, too, immediately and after five seconds when another process wrote them', async () => {
    const words = Array.from({ length: 2000 }, () => random().toString(36).slice(2, 9));
    const long = words.join(' ').slice(0, 16_000);
    const part = long.slice(8000, 8020);
    const writer = await shop([{ name: 'short' }]);
    expect(await writer.caller.read('/products/search', { query: part })).toEqual([]);
    await writer.admin.made('/products', {
      name: 'long',
      price: 1,
      currency: 'EUR',
      active: true,
      description: long,
    });
    for (const query of [part, part.slice(0, 2), 'long'])
      expect(names(await writer.caller.read('/products/search', { query }))).toContain('long');

    const other = await shop([{ name: 'elsewhere' }]);
    expect(await other.caller.read('/products/search', { query: part })).toEqual([]);
    const database = world.api.get<Connection>(getConnectionToken());
    const _id = parseId(idIn(other.made[0]))!;
    await database.collection('products').updateOne({ _id }, { $set: { description: long } });
    await json('search:rebuild');
    const row = await database.collection('search_texts').findOne({ _id });
    expect(keysIn(row).length).toBeGreaterThan(3000);
    expect(keysIn(row).length).toBeLessThanOrEqual(4097);
    const found = await eventually(
      () => other.caller.read('/products/search', { query: part }),
      (list) => list.length > 0,
      8000,
    );
    expect(names(found)).toEqual(['elsewhere']);
  }, 30_000);

  it('writes at most one key for each character of a product', async () => {
    const [name, description] = [
      'Kettle of brushed steel',
      'Keeps water warm for an hour. '.repeat(7).trim(),
    ];
    const { made } = await shop([{ name, description }]);
    const database = world.api.get<Connection>(getConnectionToken());
    const row = await database.collection('search_texts').findOne({ _id: parseId(idIn(made[0]))! });
    const keys = keysIn(row);
    expect(keys.length).toBeGreaterThan(0);
    expect(keys.length).toBeLessThanOrEqual(name.length + description.length);
  });

  it('needs 1 to 128 characters', async () => {
    for (const query of ['', 'x'.repeat(129)]) {
      expect((await world.anonymous.get('/products/search', { query })).status).toBe(422);
    }
    expect((await world.anonymous.get('/products/search')).status).toBe(422);
    expect((await world.anonymous.get('/products/search', { query: 'é'.repeat(128) })).status).toBe(200);
  });
});
