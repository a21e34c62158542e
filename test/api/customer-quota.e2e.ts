import { getConnectionToken } from '@nestjs/mongoose';
import { CustomerUsageStore, type Quota } from '@commerce/data';
import { parseId } from '@commerce/records';
import { eventually, idIn, type Client } from '@commerce/testing';
import { mongo, type Connection } from 'mongoose';

import { Shop } from '../shop.js';
import { World } from '../world.js';
import { PNG, made, pngOf, upload } from './image-files.js';

let world: World;
let shop: Shop;
beforeAll(async () => {
  world = await World.start();
  shop = new Shop(world);
});
afterAll(() => world.stop());

const quota = (values: Partial<Quota>): Promise<unknown> =>
  world.admin.changed('/company', { customers: { quota: values } });
afterEach(() => quota({}));

const rows = (name: string): ReturnType<Connection['collection']> =>
  world.api.get<Connection>(getConnectionToken()).collection(name);
const usage = (user: string): Promise<Quota> =>
  world.get(CustomerUsageStore).countedFor(world.company, parseId(user)!);
const stored = (user: string): Promise<Quota> =>
  world.get(CustomerUsageStore).stored(world.company, parseId(user)!);

const codeOf = async (sent: Promise<{ status: number; body: any }>): Promise<unknown> => {
  const { status, body } = await sent;
  return status < 300 ? 'made' : body.code;
};

const EXCEEDED = 'customer.quota_exceeded';
const KIB = 1024;

describe('What a user creates', () => {
  it('counts whatever it is, until the quota is reached; what an admin creates for it does not', async () => {
    const { id, client, card } = await shop.buyer();
    const product = await shop.product();
    const plan = idIn(
      await world.admin.made('/plans', {
        name: 'Gold',
        interval_unit: 'MONTH',
        currency: 'EUR',
        total_amount: 30,
      }),
    );
    const all: readonly ((caller: Client, user: object) => Promise<{ status: number; body: any }>)[] = [
      (caller, user) => caller.post('/resources', { name: 'Van', ...user }),
      (caller, user) => caller.post('/orders', { items: [{ product }], ...user }),
      (caller, user) => caller.post('/subscriptions', { plan, ...user }),
      (caller, user) => caller.post('/payment_methods', { payment_method: 'stripe', ...user }),
      (caller) => upload(caller, PNG.bytes),
    ];
    const order = idIn(await client.made('/orders', { items: [{ product }] }));
    for (const create of all) {
      const { records, bytes } = await usage(id);
      await quota({ records: records + 1 });
      expect(await codeOf(create(client, {}))).toBe('made');
      const after = await usage(id);
      expect([after.records, after.bytes > bytes]).toEqual([records + 1, true]);
      const { status, body } = await create(client, {});
      expect([status, body.code, body.setting]).toEqual([422, EXCEEDED, 'customers.quota']);
      expect(body.quota).toMatchObject({ records: records + 1 });
      expect(await codeOf(create(world.admin, { user: id }))).toBe('made');
      expect(await usage(id)).toEqual(after);
    }
    expect(await stored(id)).toEqual(await usage(id));
    // Whoever has stored all that it may still pays what it owes.
    const paid = await client.post(`/orders/${order}/pay`, { payment_method: card });
    expect([paid.status, paid.body.status]).toEqual([200, 'PAID']);
  }, 60_000);

  it('is never more than the quota, whatever runs concurrently', async () => {
    const { id, client } = await world.user();
    await quota({ records: 5 });
    const said = await Promise.all(
      Array.from({ length: 12 }, () => codeOf(client.post('/resources', { name: 'Van' }))),
    );
    expect(said.filter((one) => one === 'made')).toHaveLength(5);
    expect(new Set(said)).toEqual(new Set(['made', EXCEEDED]));
    expect(await usage(id)).toEqual(await stored(id));
    expect((await stored(id)).records).toBe(5);
    expect(await rows('resources').countDocuments({ user: parseId(id)! })).toBe(5);
  });

  it('counts with its search keys, as it grows, too', async () => {
    const { id, client } = await world.user();
    const van = idIn(await client.made('/resources', { name: 'Van', tags: ['a tag for searches'] }));
    const bytes = async (): Promise<number> => {
      const _id = parseId(van)!;
      const found = await Promise.all(
        ['resources', 'search_texts'].map((name) => rows(name).findOne({ _id })),
      );
      return found.reduce((sum, one) => sum + mongo.BSON.calculateObjectSize(one!), 0);
    };
    const small = await usage(id);
    expect(Math.abs(small.bytes - (await bytes()))).toBeLessThan(100);
    await client.changed(`/resources/${van}`, { description: 'd'.repeat(8 * KIB), name: 'n'.repeat(200) });
    const large = await usage(id);
    expect(large.bytes - small.bytes).toBeGreaterThan(8 * KIB);
    expect(Math.abs(large.bytes - (await bytes()))).toBeLessThan(100);
    await quota({ bytes: large.bytes + KIB });
    expect(await codeOf(client.put(`/resources/${van}`, { description: 'd'.repeat(10 * KIB) }))).toBe(
      EXCEEDED,
    );
    expect(await codeOf(client.post('/resources', { name: 'x', description: 'd'.repeat(KIB) }))).toBe(
      EXCEEDED,
    );
    expect(await codeOf(client.put(`/resources/${van}`, { description: '' }))).toBe('made');
    await world.admin.changed(`/resources/${van}`, { description: 'd'.repeat(16 * KIB) });
    expect(await usage(id)).toEqual(await stored(id));
    expect((await usage(id)).bytes).toBeLessThan(large.bytes - 7 * KIB);
  });

  it('counts no longer once an admin deletes it, or gives it to another', async () => {
    const { id, client } = await world.user();
    const [van, bus] = [
      await client.made('/resources', { name: 'V' }),
      await client.made('/resources', { name: 'B' }),
    ];
    await world.admin.delete(`/resources/${idIn(van)}`);
    expect(await usage(id)).toMatchObject({ records: 1 });
    await world.admin.changed(`/resources/${idIn(bus)}`, { user: (await world.user()).id });
    expect(await usage(id)).toEqual({ records: 0, bytes: 0 });
    expect(await stored(id)).toEqual({ records: 0, bytes: 0 });
  });

  it('counts still once the user deletes it: its record stays; the content of an image does not', async () => {
    const { id, client } = await world.user();
    const image = idIn(await made(client, await pngOf(40 * KIB)));
    const before = await usage(id);
    await client.delete(`/images/${image}`);
    expect(await usage(id)).toEqual({ records: 1, bytes: before.bytes - 40 * KIB });
    const method = idIn(await client.made('/payment_methods', { payment_method: 'stripe' }));
    const { records } = await usage(id);
    await client.delete(`/payment_methods/${method}`);
    expect((await usage(id)).records).toBe(records);
    expect(await stored(id)).toEqual(await usage(id));
  });
});

it('doctor compares the usage of a user with its records', async () => {
  const { id, client } = await world.user();
  await client.made('/resources', { name: 'Van' });
  await rows('customer_usage').updateOne({ _id: parseId(id)! }, { $inc: { records: 3 } });
  await world.admin.post('/operations/checkup');
  const { findings } = await eventually(
    () => world.admin.read('/operations/checkup'),
    ({ state }) => state === 'done',
    60_000,
  );
  expect(findings).toEqual([expect.objectContaining({ kind: 'user.usage', id })]);
  await rows('customer_usage').updateOne({ _id: parseId(id)! }, { $inc: { records: -3 } });
}, 90_000);
