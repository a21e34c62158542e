import { idIn } from '@commerce/testing';

import { Shop } from '../shop.js';
import { World } from '../world.js';

const DAY = 86_400_000;

let world: World;
let shop: Shop;
beforeAll(async () => {
  world = await World.start({ worker: false });
  shop = new Shop(world);
});
afterAll(() => world.stop());

async function listed(path: string, query: Record<string, string | number | boolean>): Promise<string[]> {
  return (await world.admin.read<any[]>(path, query)).map((record) => idIn(record));
}

/** Reads a list to its end by pages of two. */
async function walked(path: string, query: Record<string, string | number | boolean>): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const last = ids.at(-1);
    const page = await listed(path, { ...query, size: 2, ...(last === undefined ? {} : { after: last }) });
    ids.push(...page);
    if (page.length < 2) return ids;
  }
}

describe('Lists sorted by _id', () => {
  it('have the order in which records were really made, whatever their test clocks say', async () => {
    const clockAt = async (date: number): Promise<string> =>
      idIn(await world.admin.made('/test_clocks', { frozen_time: date }));
    const past = await clockAt(Date.now() - 400 * DAY);
    const future = await clockAt(Date.now() + 400 * DAY);
    const made: string[] = [];
    for (const test_clock of [future, past, null, future, past])
      made.push((await world.user({ test_clock })).id);
    expect(await walked('/users', { sort: '_id' })).toEqual(made);
    expect(await walked('/users', { sort: '-_id' })).toEqual([...made].reverse());
    expect(await listed('/users', { sort: '-_id', page: 1, size: 2 })).toEqual([made[2], made[1]]);
    expect(await listed('/users', { test_clock: past })).toEqual([made[4], made[1]]);
    expect(await walked('/users', { test_clock: past, sort: '_id' })).toEqual([made[1], made[4]]);
    expect(await listed('/users', { real_time: true })).toEqual([made[2]]);
    expect(await listed('/users', { real_time: false, sort: '_id' })).toEqual(
      [0, 1, 3, 4].map((index) => made[index]),
    );
    expect(await listed('/users', { test_clock: past, real_time: true })).toEqual([]);
  });

  it.each(['/subscriptions', '/orders', '/payments'])('%s', async (path) => {
    const buyer = await shop.buyer();
    const product = await shop.product();
    const month = { interval_unit: 'MONTH', currency: 'EUR', total_amount: 5 };
    const plan = idIn(await world.admin.made('/plans', { name: 'Monthly', ...month }));
    const made: string[] = [];
    for (let index = 0; index < 3; index += 1) {
      if (path === '/subscriptions') {
        made.push(idIn(await world.admin.made(path, { plan, user: buyer.id })));
        continue;
      }
      const body = { user: buyer.id, items: [{ product }], payment_method: buyer.card };
      const order = await world.admin.made('/orders', body);
      made.push(path === '/orders' ? idIn(order) : order.payment.$oid);
    }
    expect(await walked(path, { user: buyer.id, sort: '-_id' })).toEqual(made.reverse());
  });
});

describe('Lists by amount', () => {
  it.each(['/orders', '/payments'])('%s between two amounts, both included', async (path) => {
    const buyer = await shop.buyer();
    const made: string[] = [];
    for (const price of [5, 10, 20, 40]) {
      const product = await shop.product({ price });
      const body = { user: buyer.id, items: [{ product }], payment_method: buyer.card };
      const order = await world.admin.made('/orders', body);
      made.push(path === '/orders' ? idIn(order) : order.payment.$oid);
    }
    const [five, ten, twenty, forty] = made;
    const of = { user: buyer.id };
    expect(await walked(path, { ...of, min_amount: 10, sort: 'amount' })).toEqual([ten, twenty, forty]);
    expect(await walked(path, { ...of, max_amount: 10, sort: '-amount' })).toEqual([ten, five]);
    expect(await walked(path, { ...of, min_amount: 5.01, max_amount: 20 })).toEqual([twenty, ten]);
    expect(await walked(path, { ...of, min_amount: 40, max_amount: 40 })).toEqual([forty]);
    const all = await walked(path, { min_amount: 40, sort: '-amount' });
    expect(all).toContain(forty);
    expect(all).not.toContain(twenty);
    expect(await listed(path, { ...of, min_amount: 50 })).toEqual([]);
    const { status, body } = await world.admin.get(path, { min_amount: 'much' });
    expect([status, body.errors[0].path]).toEqual([422, 'min_amount']);
  });
});
