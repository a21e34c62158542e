import { eventually, idIn } from '@commerce/testing';

import { Shop, type Buyer } from '../shop.js';
import type { World } from '../world.js';
import type { MongoProxy, Treatment } from './mongo-proxy.js';
import { ProxiedWorld } from './proxied-world.js';

/** More than one commit stops. */
const SUBSCRIPTIONS = 52;

let proxied: ProxiedWorld;
let proxy: MongoProxy;
let world: World;
let shop: Shop;
beforeAll(async () => {
  proxied = await ProxiedWorld.start({ worker: false });
  ({ proxy, world } = proxied);
  shop = new Shop(world);
}, 60_000);
afterEach(() => proxy.comeBack());
afterAll(() => proxied.stop(), 120_000);

async function subscriber(): Promise<Buyer> {
  const buyer = await shop.buyer();
  const terms = { name: 'Monthly', interval_unit: 'MONTH', currency: 'EUR', total_amount: 30, prepay: true };
  const plan = idIn(await world.admin.made('/plans', terms));
  const body = { plan, user: buyer.id, payment_method: buyer.card, start_now: true };
  for (let n = 0; n < SUBSCRIPTIONS; n += 1) await world.admin.made('/subscriptions', body);
  return buyer;
}

async function left(user: string): Promise<{ deleted: boolean; served: number }> {
  const { deleted } = await world.admin.read(`/users/${user}`);
  const all = await world.admin.read('/subscriptions', { user, size: 100 });
  return { deleted, served: all.filter(({ active }: any) => active).length };
}

/** Before and after the first and the second commit. */
const cases = [3, 6, 9, 12].flatMap((at) =>
  (['cut_before', 'cut_after'] as const).map((how): [Treatment, number] => [how, at]),
);

describe('The deletion of a user that stops many subscriptions', () => {
  it.each(cases)(
    'when the connection is %s command %i deletes no user with active subscriptions, and a repetition finishes it',
    async (how, at) => {
      const { id } = await subscriber();
      const caller = world.admin.with({ 'Idempotency-Key': `${how}-${String(at)}` });
      let count = at;
      proxy.treats(() => {
        count -= 1;
        return count === 0 ? how : 'pass';
      });
      const first = await caller.delete(`/users/${id}?stop=true`);
      proxy.comeBack();
      const between = await left(id);
      if (between.deleted) expect(between.served).toBe(0);
      const { status } = await eventually(
        () => caller.delete(`/users/${id}?stop=true`),
        (answer) => answer.status !== 503 && answer.status !== 409,
        60_000,
      );
      expect([first.status === 200 || first.status === 503, status]).toEqual([true, 200]);
      expect(await left(id)).toEqual({ deleted: true, served: 0 });
      const kinds = await shop.kinds(id);
      expect(kinds.filter((kind) => kind === 'user.deleted')).toHaveLength(1);
    },
    120_000,
  );
});
