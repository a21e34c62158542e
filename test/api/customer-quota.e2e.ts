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

const logged = async (user: string): Promise<number> =>
  (await rows('customer_usage').findOne({ _id: parseId(user)! }))?.['log_bytes'] ?? 0;
const sizeOf = async (name: string, filter: object): Promise<number> =>
  (await rows(name).find(filter).toArray()).reduce(
    (sum, one) => sum + mongo.BSON.calculateObjectSize(one),
    0,
  );

describe('What the requests of a user leave in the logs', () => {
  it('counts: events, audit entries, and what they add to a template', async () => {
    const { id, client } = await world.user();
    const product = await shop.product();
    const order = idIn(await client.made('/orders', { items: [{ product }] }));
    for (let n = 0; n < 3; n += 1) await client.changed(`/orders/${order}`, { note: `note ${String(n)}` });
    const events = await sizeOf('events', { object_id: parseId(order)! });
    const afterOrders = await logged(id);
    // The relay adds its place to an event that is stored, and takes its mark away.
    expect(Math.abs(afterOrders - events)).toBeLessThan(4 * 50);

    const template = idIn(
      await world.admin.made('/templates', {
        name: 'Shoes',
        model: 'Product',
        attributes: [{ key: 'size', kind: 'int' }],
      }),
    );
    const { attributes } = await world.admin.read(`/templates/${template}`);
    const more = Array.from({ length: 10 }, (_, n) => ({
      key: `key${String(n)}`.padEnd(60, 'k'),
      kind: 'string',
    }));
    await client.changed(`/templates/${template}`, { attributes: [...attributes, ...more] });
    const audited = await sizeOf('audit_entries', { record: parseId(template)!, actor: 'user' });
    const grown = (await logged(id)) - afterOrders;
    expect(grown).toBeGreaterThan(audited + 10 * 60);
    expect(grown).toBeLessThan(audited + 10 * 250);

    const before = await logged(id);
    await world.admin.changed(`/orders/${order}`, { note: 'of an admin' });
    expect(await logged(id)).toBe(before);
    expect(await stored(id)).toEqual(await usage(id));
  });

  it('is bounded by the bytes of the quota in 90 days; who pays or ends something is never refused', async () => {
    const { id, client, card } = await shop.buyer();
    const product = await shop.product();
    const [paid, cancelled] = [
      idIn(await client.made('/orders', { items: [{ product }] })),
      idIn(await client.made('/orders', { items: [{ product }] })),
    ];
    const terms = { interval_unit: 'MONTH', currency: 'EUR', total_amount: 30 };
    const plan = idIn(await world.admin.made('/plans', { name: 'Gold', ...terms }));
    const start = { plan, payment_method: card, start_now: true };
    const subscription = idIn(await client.made('/subscriptions', start));
    await quota({ bytes: (await logged(id)) + KIB });
    const codes: unknown[] = [];
    for (let n = 0; codes.at(-1) !== EXCEEDED && n < 20; n += 1)
      codes.push(await codeOf(client.put(`/orders/${paid}`, { note: `note ${String(n)}` })));
    expect(codes.length).toBeLessThan(8);
    for (const [method, path, body] of [
      ['put', `/users/${id}`, { name: 'Eve' }],
      ['put', `/orders/${paid}`, { note: 'one more' }],
      ['post', `/subscriptions/${subscription}/pause`, {}],
      ['post', '/orders', { items: [{ product }] }],
    ] as const)
      expect([path, await codeOf(client[method](path, body))]).toEqual([path, EXCEEDED]);
    for (const [path, body] of [
      [`/orders/${paid}/pay`, { payment_method: card }],
      [`/orders/${cancelled}/cancel`, {}],
      [`/subscriptions/${subscription}/stop`, {}],
    ] as const)
      expect([path, await codeOf(client.post(path, body))]).toEqual([path, 'made']);

    // In the next period it counts anew.
    await rows('customer_usage').updateOne({ _id: parseId(id)! }, { $inc: { log_period: -1 } });
    expect(await codeOf(client.put(`/orders/${paid}`, { note: 'later' }))).toBe('made');
    expect(await logged(id)).toBeLessThan(2 * KIB);
  }, 60_000);
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
