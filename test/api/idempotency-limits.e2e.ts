import { randomBytes } from 'node:crypto';

import { getConnectionToken } from '@nestjs/mongoose';
import { eventually, idIn, type Client } from '@commerce/testing';
import type { Connection } from 'mongoose';

import { Shop } from '../shop.js';
import { World } from '../world.js';

const SETTINGS = { KEPT_REPLIES_MB_PER_DAY: '1', IDEMPOTENCY_KEYS_PER_DAY: '3000' };
/** A user has a fiftieth of what its company has. */
const KEYS_OF_A_USER = 60;

let world: World;
let shop: Shop;
beforeAll(async () => {
  world = await World.start({ env: SETTINGS });
  shop = new Shop(world);
});
afterAll(async () => {
  await world.stop();
  delete process.env['KEPT_REPLIES_MB_PER_DAY'];
  delete process.env['IDEMPOTENCY_KEYS_PER_DAY'];
});

const collection = (name: string): ReturnType<Connection['collection']> =>
  world.api.get<Connection>(getConnectionToken()).collection(name);
const keys = (): ReturnType<Connection['collection']> => collection('idempotency_keys');
const keyed = (caller: Client, key: string): Client => caller.with({ 'Idempotency-Key': key });

async function newestRow(): Promise<any> {
  const [row] = await keys()
    .find({}, { sort: { created: -1 }, limit: 1 })
    .toArray();
  return row;
}

/** Makes orders of a user until no further reply is kept for it. */
async function withoutRoom(client: Client, product: string): Promise<void> {
  const items = [{ product }];
  for (let n = 0; n < 40; n += 1) {
    await keyed(client, `fill ${String(n)}`).made('/orders', { items });
    if ((await newestRow()).body === null) return;
  }
  throw new Error('all replies are kept');
}

describe('A user whose replies are kept no longer', () => {
  it('leaves room to the others of the company', async () => {
    const product = await shop.product();
    const [{ client }, other] = [await shop.buyer(), await shop.buyer()];
    await withoutRoom(client, product);
    await keyed(other.client, 'order').made('/orders', { items: [{ product }] });
    expect((await newestRow()).body).not.toBeNull();
  });

  it('is declined once, and shown that again', async () => {
    const product = await shop.product();
    const buyer = await shop.buyer('chargeDeclined');
    await withoutRoom(buyer.client, product);
    const caller = keyed(buyer.client, 'declined');
    const body = { items: [{ product }], payment_method: buyer.card };
    const first = await caller.post('/orders', body);
    expect([first.status, (await newestRow()).body]).toEqual([402, null]);
    const again = await caller.post('/orders', body);
    expect(again.body).toEqual({ ...first.body, request_id: expect.any(String) });
    expect(await collection('payments').countDocuments({ status: 'FAILED' })).toBe(1);
  });

  it('authenticates one payment, which a repetition shows as it is then', async () => {
    const product = await shop.product();
    const buyer = await shop.buyer('authenticationRequired');
    await withoutRoom(buyer.client, product);
    const caller = keyed(buyer.client, 'authentication');
    const body = { items: [{ product }], payment_method: buyer.card };
    const first = await caller.post('/orders', body);
    expect([first.status, (await newestRow()).body]).toEqual([422, null]);
    expect((await caller.post('/orders', body)).body).toEqual(first.body);
    await shop.authenticates(first.body);
    await shop.confirms(buyer, first.body);
    const paid = await caller.post('/orders', body);
    expect([paid.status, paid.body.status]).toEqual([200, 'PAID']);
    expect(await shop.ledger(buyer)).toMatchObject({ captured: 1000, charges: 1 });
  });

  it('changes a subscription once', async () => {
    const product = await shop.product();
    const buyer = await shop.buyer();
    const terms = { interval_unit: 'MONTH', currency: 'EUR', prepay: true };
    const plan = idIn(await world.admin.made('/plans', { name: 'Seats', ...terms, total_amount: 30 }));
    const start = { plan, payment_method: buyer.card, start_now: true, user: buyer.id };
    const subscription = idIn(await world.admin.made('/subscriptions', start));
    await eventually(
      () => world.admin.read(`/subscriptions/${subscription}/payments`),
      ([payment]) => payment?.status === 'SUCCEEDED',
    );
    await withoutRoom(buyer.client, product);
    const caller = keyed(buyer.client, 'change');
    const path = `/subscriptions/${subscription}/change`;
    const first = await caller.post(path, { quantity: 2 });
    const row = await newestRow();
    expect([first.status, row.body]).toEqual([200, null]);
    const again = await caller.post(path, { quantity: 2 });
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(await shop.ledger(buyer)).toMatchObject({ charges: 2, captured: 6000 });
  });
});

it('a refusal that names no record is kept without its details', async () => {
  const product = await shop.product();
  const { client } = await shop.buyer();
  await withoutRoom(client, product);
  const caller = keyed(client, 'unknown');
  const path = `/resources/${'f'.repeat(24)}`;
  const first = await caller.put(path, { name: 'Van' });
  const again = await caller.put(path, { name: 'Van' });
  expect([first.status, first.body.code]).toEqual([404, 'resource.not_found']);
  expect(again.body).toEqual({ ...first.body, request_id: expect.any(String) });
  expect(again.headers['idempotent-replayed']).toBe('true');
  expect((await newestRow()).body.length).toBeLessThan(600);
});

it('keys are made under an Idempotency-Key only while their secrets can be kept', async () => {
  const { admin, company } = await world.stranger();
  const made: any[] = [];
  for (let n = 0; made.at(-1)?.status !== 429; n += 1)
    made.push(await keyed(admin, `key ${String(n)}`).post('/keys', { kind: 'api' }));
  expect(made.length).toBeGreaterThan(5);
  expect(made.length).toBeLessThan(30);
  expect(made.at(-1).headers['retry-after']).toBeDefined();
  const count = (): Promise<number> => collection('credentials').countDocuments({ company });
  const before = await count();
  expect((await keyed(admin, 'one more').post('/keys', { kind: 'api' })).status).toBe(429);
  expect((await keyed(admin, 'key 0').post('/keys', { kind: 'api' })).body).toEqual(made[0].body);
  expect(await count()).toBe(before);
  expect((await admin.post('/keys', { kind: 'api' })).status).toBe(200);
});

it('a reply without records that is not kept is told as such, and nothing takes effect twice', async () => {
  const { admin } = await world.stranger();
  for (let n = 0; n === 0 || (await newestRow()).body !== null; n += 1) {
    const metadata = { noise: randomBytes(32 * 1024).toString('base64') };
    await keyed(admin, `fill ${String(n)}`).made('/users', { metadata });
  }
  for (let n = 0; n === 0 || (await newestRow()).body !== null; n += 1)
    await keyed(admin, `fill up ${String(n)}`).made('/users', { name: 'Ada' });
  const rates = { rates: [{ currency: 'USD', day: '2026-11-26', rate: 1.1 }] };
  const caller = keyed(admin, 'rates');
  expect((await caller.put('/exchange_rates', rates)).status).toBe(200);
  const again = await caller.put('/exchange_rates', rates);
  expect(again.body).toMatchObject({
    status: 409,
    code: 'idempotency_key.reply_not_kept',
    first_status: 200,
  });
}, 120_000);

it('a user uses so many keys in a day, and takes none from the others', async () => {
  const { client } = await world.user();
  const path = `/resources/${'f'.repeat(24)}`;
  const statuses = new Map<number, number>();
  for (let n = 0; n < KEYS_OF_A_USER + 5; n += 1) {
    const { status } = await keyed(client, `key ${String(n)}`).put(path, { name: 'Van' });
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  expect(statuses.get(429)).toBeGreaterThanOrEqual(4);
  expect(statuses.get(404)).toBeLessThanOrEqual(KEYS_OF_A_USER + 1);
  expect((await client.put(path, { name: 'Van' })).status).toBe(404);
  const { client: other } = await world.user();
  expect((await keyed(other, 'key').put(path, { name: 'Van' })).status).toBe(404);
});
