import { idIn } from '@commerce/testing';

import { DAY } from '../flows/scenario.js';
import { Shop, type Buyer } from '../shop.js';
import { World } from '../world.js';

let world: World;
let shop: Shop;
let plan: string;
let trial: string;

beforeAll(async () => {
  // Without a worker: the effects of a deletion exist when the reply is sent.
  world = await World.start({ worker: false });
  shop = new Shop(world);
  const monthly = {
    name: 'Monthly',
    interval_unit: 'MONTH',
    currency: 'EUR',
    total_amount: 30,
    prepay: true,
  };
  plan = idIn(await world.admin.made('/plans', monthly));
  trial = idIn(await world.admin.made('/plans', { ...monthly, trial_days: 14 }));
});
afterAll(() => world.stop());

async function subscribed({ id, card }: Buyer, values: object = {}): Promise<string> {
  const body = { plan, user: id, payment_method: card, start_now: true, ...values };
  return idIn(await world.admin.made('/subscriptions', body));
}

const does = (id: string, move: string, body: object = {}): Promise<any> =>
  world.admin.made(`/subscriptions/${id}/${move}`, body);

const shown = (id: string): Promise<any> => world.admin.read(`/subscriptions/${id}`);

describe('DELETE /users/<id> of a user whose subscriptions run', () => {
  it('is refused with the newest ten of them, and how many more there are', async () => {
    const buyer = await shop.buyer();
    const ids: string[] = [];
    for (let n = 0; n < 12; n += 1) ids.push(await subscribed(buyer));
    const { status, body } = await world.admin.delete(`/users/${buyer.id}`);
    expect([status, body]).toMatchObject([409, { code: 'user.in_use', more: 2 }]);
    expect(body.subscriptions).toEqual(ids.reverse().slice(0, 10));
    expect((await buyer.client.get(`/users/${buyer.id}`)).status).toBe(200);
    expect(await shown(ids[0]!)).toMatchObject({ status: 'ACTIVE' });
  });

  it.each<[string, (buyer: Buyer) => Promise<string>]>([
    ['ACTIVE', (buyer) => subscribed(buyer)],
    ['FUTURE', (buyer) => subscribed(buyer, { starting_date: Date.now() + DAY })],
    ['PAUSED', async (buyer) => idIn(await does(await subscribed(buyer), 'pause'))],
    [
      'NON_RENEWING',
      async (buyer) => idIn(await does(await subscribed(buyer), 'stop', { ending_date: Date.now() + DAY })),
    ],
  ])('is refused while one is %s', async (status, make) => {
    const buyer = await shop.buyer();
    const id = await make(buyer);
    expect(await shown(id)).toMatchObject({ status });
    const answer = await world.admin.delete(`/users/${buyer.id}`);
    expect([answer.status, answer.body]).toMatchObject([409, { subscriptions: [id], more: 0 }]);
  });

  it('is possible when each has ended, has been stopped or was never started', async () => {
    const buyer = await shop.buyer();
    const stopped = idIn(await does(await subscribed(buyer), 'stop'));
    const created = await subscribed(buyer, { start_now: false });
    await does(await subscribed(buyer, { start_now: false }), 'stop');
    expect((await world.admin.delete(`/users/${buyer.id}`)).body).toMatchObject({ deleted: true });
    expect(await shown(stopped)).toMatchObject({ status: 'NON_RENEWING', active: false });
    expect(await shown(created)).toMatchObject({ status: 'CREATED' });
  });

  it('with stop=true stops each as a stop without a date does, and then deletes', async () => {
    const buyer = await shop.buyer();
    const own = {
      created: await subscribed(buyer, { start_now: false }),
      future: await subscribed(buyer, { starting_date: Date.now() + DAY }),
      active: await subscribed(buyer),
      trial: await subscribed(buyer, { plan: trial }),
      ending: await subscribed(buyer),
      endingInTrial: await subscribed(buyer, { plan: trial }),
      paused: await subscribed(buyer),
    };
    for (const id of [own.ending, own.endingInTrial])
      await does(id, 'stop', { ending_date: Date.now() + DAY });
    await does(own.paused, 'pause');
    const other = await subscribed(await shop.buyer());

    const { status, body } = await world.admin.delete(`/users/${buyer.id}?stop=true`);
    expect([status, body]).toMatchObject([200, { _cls: 'User', deleted: true }]);
    const states = Object.entries(own).map(async ([name, id]) => [name, (await shown(id)).status]);
    expect(Object.fromEntries(await Promise.all(states))).toEqual({
      created: 'CANCELLED',
      future: 'CANCELLED',
      active: 'NON_RENEWING',
      trial: 'CANCELLED',
      ending: 'NON_RENEWING',
      endingInTrial: 'CANCELLED',
      paused: 'CANCELLED',
    });
    for (const id of [own.active, own.ending]) {
      const { active, ending_date } = await shown(id);
      expect(active).toBe(false);
      expect(ending_date.$date).toBeLessThanOrEqual(Date.now());
    }
    expect(await shown(other)).toMatchObject({ status: 'ACTIVE', active: true });
    expect((await shop.kinds(own.active)).at(-1)).toBe('subscription.non_renewing');
    expect((await shop.kinds(own.ending)).at(-1)).toBe('subscription.updated');
    expect((await shop.kinds(own.paused)).at(-1)).toBe('subscription.cancelled');
    expect((await shop.kinds(buyer.id)).at(-1)).toBe('user.deleted');
  });

  it('takes stop in the query, true or false', async () => {
    const buyer = await shop.buyer();
    await subscribed(buyer);
    expect((await world.admin.delete(`/users/${buyer.id}?stop=false`)).status).toBe(409);
    expect((await world.admin.delete(`/users/${buyer.id}?stop=perhaps`)).status).toBe(422);
  });

  it('leaves an order that awaits payment to its pay link and to admins', async () => {
    const buyer = await shop.buyer('authenticationRequired');
    const items = [{ product: await shop.product(), quantity: 1 }];
    const body = { items, user: buyer.id, payment_method: buyer.card };
    const order = await world.admin.made('/orders', body);
    await world.admin.delete(`/users/${buyer.id}`);
    expect(await world.admin.read(`/orders/${idIn(order)}`)).toMatchObject({
      status: 'REQUIRES_AUTH',
      pay_url: expect.stringContaining('/pay/'),
    });
    expect(await world.admin.made(`/orders/${idIn(order)}/cancel`)).toMatchObject({ status: 'CANCELLED' });
  });
});
