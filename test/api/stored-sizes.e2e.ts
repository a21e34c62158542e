import { getConnectionToken } from '@nestjs/mongoose';
import { mongo, type Connection } from 'mongoose';

import { Shop } from '../shop.js';
import { World } from '../world.js';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

/** The bytes of all documents in these collections. */
async function bytesOf(names: readonly string[]): Promise<number> {
  const database = world.api.get<Connection>(getConnectionToken());
  const documents = await Promise.all(names.map((name) => database.collection(name).find().toArray()));
  return documents.flat().reduce((sum, one) => sum + mongo.BSON.calculateObjectSize(one), 0);
}

it('orders and their events take no more room than the requests that made them', async () => {
  const shop = new Shop(world);
  const { client, card } = await shop.buyer();
  const product = await shop.product({ name: 'Tea of the best kind', vat: 0.19 });
  const named = Array.from({ length: 4 }, (_, n) => `Sub-product ${String(n)}`);
  const sub_products = await Promise.all(named.map((name) => shop.product({ name, main_product: false })));
  await world.admin.changed(`/products/${product}/sub_products`, { add: sub_products });
  const items = Array.from({ length: 100 }, () => ({ product, sub_products }));
  const collections = ['orders', 'events', 'payments'];
  const before = await bytesOf(collections);
  let sent = 0;
  for (const payment_method of [null, null, null, card]) {
    const body = { items, payment_method };
    sent += JSON.stringify(body).length;
    const order = await client.made('/orders', body);
    expect(order.items[99].sub_products[3]).toMatchObject({ name: 'Sub-product 3', price: 10 });
    expect(order.breakdown.parts[0].input.lines).toHaveLength(100);
  }
  expect((await bytesOf(collections)) - before).toBeLessThan(sent);
});

it('a list of large records ends at 4 MiB, and its next page begins with the first that is left out', async () => {
  const shop = new Shop(world);
  const { client } = await shop.buyer();
  const product = await shop.product({ name: 'x'.repeat(256) });
  const subs = await Promise.all(
    [0, 1, 2, 3].map(() => shop.product({ name: 'y'.repeat(256), main_product: false })),
  );
  await world.admin.changed(`/products/${product}/sub_products`, { add: subs });
  const items = Array.from({ length: 100 }, () => ({ product, sub_products: subs }));
  const made: string[] = [];
  for (let n = 0; n < 30; n += 1) made.push((await client.made('/orders', { items }))._id.$oid);
  const found: string[] = [];
  const pages: number[] = [];
  let path = '/orders?size=100&sort=created';
  while (path !== '') {
    const reply = await fetch(`${world.baseUrl}${path}`, { headers: client.headers });
    const text = await reply.text();
    expect(text.length).toBeLessThan(4.3 * 1024 * 1024);
    const records = JSON.parse(text) as { readonly _id: { readonly $oid: string } }[];
    pages.push(records.length);
    found.push(...records.map(({ _id }) => _id.$oid));
    path = /<([^>]*)>; rel="next"/.exec(reply.headers.get('link') ?? '')?.[1] ?? '';
  }
  expect(found).toEqual(made);
  expect(pages.length).toBeGreaterThan(1);
}, 120_000);
