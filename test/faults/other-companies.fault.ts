import { getConnectionToken } from '@nestjs/mongoose';
import { Client } from '@commerce/testing';
import { mongo, Types, type Connection } from 'mongoose';

import { inFields, searchable } from '../../libs/catalog/src/search/search-keys.js';
import { World } from '../world.js';

/** Products of the company, and of others beside it; docs/scaling.md has the figures of 60,000. */
const OWN = 3000;
const OTHERS = Number(process.env['OTHERS'] ?? 20_000);
const COMPANIES = 4;
const BATCH = 2000;
const BERLIN = { latitude: 52.52, longitude: 13.405 };

let world: World;
let reader: Client;

/** Products about Berlin, written beside the service, which would take minutes. */
async function stock(company: Types.ObjectId, sample: mongo.Document, count: number): Promise<void> {
  const db = world.api.get<Connection>(getConnectionToken());
  for (let first = 0; first < count; first += BATCH) {
    const products = Array.from({ length: Math.min(BATCH, count - first) }, (_, index) => {
      const number = first + index;
      const away = (number % 1000) / 500;
      const position = [BERLIN.longitude + away, BERLIN.latitude + away / 2];
      const created = new Date(Date.now() - number * 1000);
      const human_id = number.toString(36).toUpperCase().padStart(6, '0');
      const name = `Kettle ${String(number % 97)} of series ${String(number)}`;
      const own = { _id: new Types.ObjectId(), company, name, human_id, default_position: position };
      return { ...sample, ...own, created, modified: created, updated: created };
    });
    await db.collection('products').insertMany(products);
    const texts = products.map(({ _id, name }) => {
      const { text, keys } = searchable(`${company.toHexString()}/product`, [name]);
      return { _id, company, kind: 'product', text, ...inFields(keys) };
    });
    await db.collection('search_texts').insertMany(texts);
  }
}

beforeAll(async () => {
  world = await World.start({ worker: false });
  const values = {
    name: 'Kettle',
    price: 20,
    currency: 'EUR',
    active: true,
    default_position: [BERLIN.longitude, BERLIN.latitude],
  };
  await world.admin.made('/products', values);
  const db = world.api.get<Connection>(getConnectionToken());
  const sample = await db.collection('products').findOne({ company: world.company });
  for (let index = 0; index < COMPANIES; index += 1)
    await stock(new Types.ObjectId(), sample!, OTHERS / COMPANIES);
  await stock(new Types.ObjectId(world.company.toHexString()), sample!, OWN);
  reader = world.admin;
}, 600_000);
afterAll(() => world.stop());

describe('a company beside others', () => {
  it.each([
    ['the list', '/products', {}],
    ['a short page near a place', '/products', { ...BERLIN, size: 10 }],
    ['a page near a place', '/products', { ...BERLIN, size: 100 }],
    ['a page near a distant place', '/products', { latitude: -33, longitude: 151, size: 20 }],
    ['a page of a list near a place', '/products', { ...BERLIN, size: 100, page: 5 }],
    ['a rare search', '/products/search', { query: 'series 2999' }],
    ['a frequent search', '/products/search', { query: 'kettle' }],
    ['a search for few of many', '/products/search', { query: 'kettle 50' }],
    ['a short search', '/products/search', { query: 'ke' }],
    ['a search near a place', '/products/search', { query: 'kettle', ...BERLIN }],
    ['a rare search near a place', '/products/search', { query: 'series 29', ...BERLIN }],
  ])('is answered: %s', async (_what, path, query) => {
    // The first read of data that was just written may be slow.
    await reader.get(path, query);
    const { status, body } = await reader.get(path, query);
    expect([status, body.code]).toEqual([200, undefined]);
    expect(body).not.toEqual([]);
  });
});
