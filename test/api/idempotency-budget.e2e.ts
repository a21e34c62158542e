import { randomBytes } from 'node:crypto';

import { getConnectionToken } from '@nestjs/mongoose';
import { idIn, type Client } from '@commerce/testing';
import type { Connection } from 'mongoose';

import { Shop } from '../shop.js';
import { World } from '../world.js';

let world: World;
let shop: Shop;
beforeAll(async () => {
  world = await World.start({ worker: false, env: { KEPT_REPLIES_MB_PER_DAY: '1' } });
  shop = new Shop(world);
});
afterAll(async () => {
  await world.stop();
  delete process.env['KEPT_REPLIES_MB_PER_DAY'];
});

const MIB = 1024 * 1024;
const keys = (): ReturnType<Connection['collection']> =>
  world.api.get<Connection>(getConnectionToken()).collection('idempotency_keys');
const keyed = (caller: Client, key: string): Client => caller.with({ 'Idempotency-Key': key });

type Send = (caller: Client) => Promise<{ status: number; body: any; headers: any }>;

/** Sends a request twice under one key, and expects one effect and one reply, of which only the records are kept. */
async function expectShownAgain(caller: Client, key: string, send: Send): Promise<void> {
  const first = await send(keyed(caller, key));
  expect([key, first.status]).toEqual([key, 200]);
  const [row] = await keys()
    .find({}, { sort: { created: -1 }, limit: 1 })
    .toArray();
  expect([key, row?.['state'], row?.['body']]).toEqual([key, 'done', null]);
  const second = await send(keyed(caller, key));
  expect([key, second.status, second.headers['idempotent-replayed']]).toEqual([key, 200, 'true']);
  expect(second.body).toEqual(first.body);
}

it('replies kept in a day are bounded for each company; beyond, a repetition shows the records again', async () => {
  for (let n = 0; n < 60; n += 1) {
    const metadata = { noise: randomBytes(32 * 1024).toString('base64') };
    await keyed(world.admin, `grow ${String(n)}`).made('/users', { metadata });
  }
  const rows = await keys().find({}).toArray();
  const kept = rows.reduce((sum, { body }) => sum + (body === null ? 0 : String(body).length), 0);
  expect(kept / MIB).toBeLessThan(1.01);
  expect(kept / MIB).toBeGreaterThan(0.9);

  const filled = async (n = 0): Promise<void> => {
    await keyed(world.admin, `fill ${String(n)}`).made('/users', { name: 'Ada' });
    const [row] = await keys()
      .find({}, { sort: { created: -1 }, limit: 1 })
      .toArray();
    if (row?.['body'] !== null) await filled(n + 1);
  };
  await filled();

  const { id: user, card, client } = await shop.buyer();
  const product = await shop.product();
  const order = { items: Array.from({ length: 20 }, () => ({ product })), payment_method: card };
  await expectShownAgain(client, 'order', (caller) => caller.post('/orders', order));
  const terms = { interval_unit: 'MONTH', currency: 'EUR', total_amount: 30 };
  const gold = idIn(await world.admin.made('/plans', { name: 'Gold', ...terms }));
  const subscribe = { plan: gold, payment_method: card, start_now: true };
  await expectShownAgain(client, 'subscription', (caller) => caller.post('/subscriptions', subscribe));
  await expectShownAgain(client, 'resource', (caller) => caller.post('/resources', { name: 'Van' }));
  const vans = [1, 2, 3].map((n) => ({ name: `Van ${String(n)}`, user }));
  await expectShownAgain(world.admin, 'bulk', (caller) => caller.post('/resources/bulk', vans));
  await expectShownAgain(world.admin, 'none', (caller) => caller.put(`/plans/${gold}`, { name: 'Gold' }));
  const method = { payment_method: 'stripe' };
  await expectShownAgain(client, 'method', (caller) => caller.post('/payment_methods', method));
  expect(await client.read('/orders')).toHaveLength(1);
  expect(await client.read('/subscriptions')).toHaveLength(1);

  // A secret that is shown once is kept in any case, and so is what is no record.
  const key = keyed(world.admin, 'secret');
  const { body: made1 } = await key.post('/keys', { kind: 'api' });
  expect((await key.post('/keys', { kind: 'api' })).body).toEqual(made1);
  const stranger = await world.stranger();
  await keyed(stranger.admin, 'other').made('/users', { name: 'Ada' });
  expect(await keys().countDocuments({ company: stranger.company, body: { $ne: null } })).toBe(1);
}, 120_000);
