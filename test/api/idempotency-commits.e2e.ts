import { getConnectionToken } from '@nestjs/mongoose';
import { idIn, type Client, type Reply } from '@commerce/testing';
import type { Connection } from 'mongoose';

import { commandsOf, takesBulkWrite, watchCommands } from '../sent-commands.js';
import { World } from '../world.js';

let world: World;
let connection: Connection;
let isNew: boolean;
beforeAll(async () => {
  watchCommands();
  world = await World.start({ worker: false });
  connection = world.api.get<Connection>(getConnectionToken());
  isNew = await takesBulkWrite(connection);
  // The writes of a process's first request do not matter here.
  await under('first').made('/users', { name: 'First' });
});
afterAll(() => world.stop());

const under = (key: string, more: Record<string, string> = {}): Client =>
  world.admin.with({ 'Idempotency-Key': key, ...more });

/** Each with the documents that it writes: the key, the record, its event, its names and its texts. */
const CREATIONS: readonly [path: string, body: object, documents: number][] = [
  ['/products', { name: 'Lamp', currency: 'EUR', price: 12 }, 4],
  ['/users', { name: 'Ada', email: 'ada@example.com' }, 5],
  ['/coupons', { name: 'Spring', code: 'SPRING', percent_off: 0.25 }, 5],
  ['/templates', { model: 'Product', name: 'Goods', attributes: [{ key: 'colour', kind: 'string' }] }, 4],
  ['/plans', { interval_unit: 'MONTH', currency: 'EUR', total_amount: 1 }, 3],
  ['/resources', { name: 'Drill', method: 'asset' }, 4],
];

describe('A route that does all its work in one commit', () => {
  it.each(CREATIONS)(
    'creates under a key in three database calls, or one for each document: POST %s',
    async (path, body, documents) => {
      let first: Reply | undefined;
      const sent = await commandsOf(connection, async () => {
        first = await under('three').post(path, body);
      });
      expect([first?.status, first?.body]).toEqual([200, expect.any(Object)]);
      const writes = sent.map(({ commandName }) => commandName).filter((name) => name !== 'find');
      const others = isNew ? ['bulkWrite'] : Array.from({ length: documents - 1 }, () => 'insert');
      expect(writes).toEqual(['insert', ...others, 'commitTransaction']);
      expect((await world.admin.get(`${path}/${idIn(first?.body)}`)).body).toEqual(first?.body);

      const second = await under('three').post(path, body);
      expect([second.status, second.body]).toEqual([200, first?.body]);
      expect(second.headers['idempotent-replayed']).toBe('true');
      expect(second.headers['content-type']).toBe(first?.headers['content-type']);
    },
  );

  it('replies to a repeated change or deletion as the first time', async () => {
    const id = idIn(await world.admin.made('/users', { name: 'Grace', email: 'grace@example.com' }));
    const changes = { name: 'Grace Hopper' };
    const changed = await under('change').put(`/users/${id}`, changes);
    const deleted = await under('delete').delete(`/users/${id}`);
    expect(deleted.body).toMatchObject({ name: 'Grace Hopper', deleted: true });
    expect((await under('change').put(`/users/${id}`, changes)).body).toEqual(changed.body);
    expect((await under('delete').delete(`/users/${id}`)).body).toEqual(deleted.body);
    expect((await under('another').delete(`/users/${id}`)).status).toBe(404);
  });

  it('keeps its reply when nothing had to be written', async () => {
    const { id } = await world.user({ name: 'Ada' });
    const first = await under('nothing').put(`/users/${id}`, { name: 'Ada' });
    expect(first.status).toBe(200);
    await world.admin.changed(`/users/${id}`, { name: 'Eve' });
    expect((await under('nothing').put(`/users/${id}`, { name: 'Ada' })).body).toEqual(first.body);
  });

  it('does not keep a token, which is valid for minutes only', async () => {
    const { id } = await world.user();
    const [one, other] = await Promise.all([1, 2].map(() => under('token').post(`/users/${id}/tokens`)));
    expect([one?.status, other?.status]).toEqual([200, 200]);
    expect(one?.body.access_token).not.toBe(other?.body.access_token);
  });

  it('keeps a final refusal, and forgets one that the caller can repair', async () => {
    const body = { name: 'Five', code: 'FIVE', amount_off: 5, currency: 'EUR' };
    const id = idIn(await world.admin.made('/coupons', body));
    const refused = await under('refused').post('/coupons', body);
    expect(refused.body).toMatchObject({ status: 409, code: 'coupon.code_taken' });
    await world.admin.delete(`/coupons/${id}`);
    const kept = await under('refused').post('/coupons', body);
    expect([kept.headers['idempotent-replayed'], kept.body.code]).toEqual(['true', 'coupon.code_taken']);
    expect((await under('repaired').post('/coupons', { ...body, amount_off: 'x' })).status).toBe(422);
    expect((await under('repaired').post('/coupons', body)).status).toBe(200);

    const unknown = await under('unknown').put(`/users/${'0'.repeat(24)}`, { name: 'Nobody' });
    expect(unknown.status).toBe(404);
    const repeated = await under('unknown').put(`/users/${'0'.repeat(24)}`, { name: 'Nobody' });
    expect([repeated.status, repeated.headers['idempotent-replayed']]).toEqual([404, 'true']);
    expect(repeated.body.code).toBe(unknown.body.code);
  });

  it('replies in the requested version, and with a list as a list', async () => {
    const user = (await world.user()).id;
    const body = { name: 'Lamp', method: 'asset', user };
    const old = under('version', { 'X-Service-Version': '2019-02-01' });
    const first = await old.made('/resources', body);
    expect((await old.post('/resources', body)).body).toEqual(first);
    const items = [body, { ...body, name: 'Chair' }];
    const many = await under('bulk').made('/resources/bulk', items);
    expect(many).toHaveLength(2);
    expect((await under('bulk').post('/resources/bulk', items)).body).toEqual(many);
  });

  it('refuses another body under the same key, even one that is wrong', async () => {
    await under('other').made('/products', { name: 'One', currency: 'EUR', price: 1 });
    for (const body of [{ name: 'Two', currency: 'EUR', price: 1 }, { name: 7 }]) {
      const refused = await under('other').post('/products', body);
      expect(refused.body).toMatchObject({ status: 422, code: 'idempotency_key.reused' });
    }
  });

  it('has one effect, and one reply, for twenty concurrent requests with different bodies', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        under('race').post('/coupons', {
          name: 'Race',
          code: `RACE${String(index % 2)}`,
          percent_off: 0.5,
        }),
      ),
    );
    const made = answers.filter(({ status }) => status === 200);
    expect(new Set(made.map(({ body }) => idIn(body))).size).toBe(1);
    const others = answers.filter(({ status }) => status !== 200);
    expect(new Set(others.map(({ body }) => body.code))).toEqual(new Set(['idempotency_key.reused']));
    expect(
      (await world.admin.read('/coupons', { size: 100 })).filter(({ name }: any) => name === 'Race'),
    ).toHaveLength(1);
  });
});
