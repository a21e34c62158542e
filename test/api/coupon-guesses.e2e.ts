import { idIn, type Client } from '@commerce/testing';

import { Shop, errorsIn } from '../shop.js';
import { World } from '../world.js';

const PER_HOUR = 12;
const TENTH = { percent_off: 0.1 };
const DAY = 86_400_000;

let world: World;
let shop: Shop;
let product: string;
let plan: string;
beforeAll(async () => {
  world = await World.start({ env: { COUPON_GUESSES_PER_HOUR: String(PER_HOUR) } });
  shop = new Shop(world);
  product = await shop.product({ price: 20 });
  plan = idIn(await world.admin.made('/plans', PLAN));
});
afterAll(() => world.stop());

const PLAN = { interval_unit: 'MONTH', currency: 'EUR', total_amount: 10, prepay: true };

/** A request that names a coupon. */
interface Asked {
  readonly path: string;
  readonly body: object;
}

/** The requests of a user that may name a coupon. */
async function requestsOf(user: string): Promise<Asked[]> {
  const made = async (): Promise<string> => idIn(await world.admin.made('/subscriptions', { plan, user }));
  return [
    { path: '/orders', body: { items: [{ product }] } },
    { path: '/subscriptions', body: { plan } },
    { path: '/subscriptions/preview', body: { plan } },
    { path: `/subscriptions/${await made()}/start`, body: {} },
    { path: `/subscriptions/${await made()}/change`, body: {} },
    { path: `/subscriptions/${await made()}/change/preview`, body: {} },
  ];
}

/** A code for each reason that it cannot be used. */
async function uselessCodes(): Promise<string[]> {
  const code = async (values: object): Promise<string> => (await shop.coupon({ ...TENTH, ...values })).code;
  const spent = await code({ max_redemptions: 1 });
  const items = [{ product }];
  const by = await shop.buyer();
  const paid = await by.client.post('/orders', { items, payment_method: by.card, coupon: spent });
  expect(paid.status).toBe(200);
  const now = Date.now();
  const other = { ...PLAN, total_amount: 11 };
  return [
    'NOWHERE',
    spent,
    await code({ starting_date: now + DAY }),
    await code({ starting_date: now - DAY, ending_date: now - 1 }),
    await code({ percent_off: null, amount_off: 1, currency: 'USD' }),
    await code({ products: [await shop.product()] }),
    await code({ plans: [idIn(await world.admin.made('/plans', other))] }),
  ];
}

const answer = async (client: Client, { path, body }: Asked, coupon: string): Promise<object> => {
  const reply = await client.post(path, { ...body, coupon });
  return { ...reply.body, request_id: '' };
};

describe('A code of a coupon that a user cannot use', () => {
  it('gets the same answer whatever the reason, on every route', async () => {
    const codes = await uselessCodes();
    for (const coupon of codes) {
      // Each code comes from a user of its own, who has guesses left.
      const { id, client } = await world.user();
      for (const asked of await requestsOf(id)) {
        const refused: any = await answer(client, asked, coupon);
        expect([asked.path, refused.status, refused.detail, errorsIn(refused)]).toEqual([
          asked.path,
          422,
          'No coupon with this code can be used here',
          { coupon: 'coupon.not_usable' },
        ]);
        expect(refused).toEqual(await answer(client, asked, 'NOWHERE'));
      }
    }
  });

  it('is explained to admins', async () => {
    const { id: user } = await world.user();
    const seen = new Set<string>();
    for (const coupon of await uselessCodes()) {
      const refused: any = await answer(
        world.admin,
        { path: '/orders', body: { items: [{ product }], user } },
        coupon,
      );
      seen.add(refused.code);
    }
    expect([...seen].sort()).toEqual([
      'coupon.currency_differs',
      'coupon.expired',
      'coupon.not_for_orders',
      'coupon.not_for_these_products',
      'coupon.not_started',
      'coupon.unknown',
      'coupon.used_up',
    ]);
  });
});

describe('Guesses of coupons', () => {
  it('are limited for each user, on all routes together; those of others and of admins are not', async () => {
    const { code } = await shop.coupon(TENTH);
    const { id, client } = await world.user();
    const requests = await requestsOf(id);
    const [order] = requests;
    // Codes that can be used are no guesses.
    for (let count = 0; count < PER_HOUR + 5; count += 1) {
      expect((await client.post('/subscriptions/preview', { plan, coupon: code })).status).toBe(200);
    }
    for (let count = 0; count < PER_HOUR; count += 1) {
      expect(await answer(client, requests[count % requests.length]!, `GUESS${String(count)}`)).toMatchObject(
        {
          status: 422,
        },
      );
    }
    for (const asked of requests) {
      for (const coupon of [code, 'NOWHERE']) {
        const reply = await client.post(asked.path, { ...asked.body, coupon });
        expect([asked.path, reply.status, reply.headers['ratelimit-policy']]).toEqual([
          asked.path,
          429,
          `"coupons";q=${String(PER_HOUR)};w=3600`,
        ]);
        expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
      }
    }
    expect((await client.post('/orders', order!.body)).status).toBe(200);
    const { client: other } = await world.user();
    expect((await other.post('/orders', { ...order!.body, coupon: code })).status).toBe(200);
    const ofAdmin = { ...order!.body, user: id, coupon: code };
    expect((await world.admin.post('/orders', ofAdmin)).status).toBe(200);
  });

  it('that come concurrently learn no more', async () => {
    const { client } = await world.user();
    const replies = await Promise.all(
      Array.from({ length: 3 * PER_HOUR }, (_, n) =>
        client.post('/subscriptions/preview', { plan, coupon: `GUESS${String(n)}` }),
      ),
    );
    const refused = replies.filter(({ status }) => status === 422);
    expect([refused.length, replies.length - refused.length]).toEqual([PER_HOUR, 2 * PER_HOUR]);
  });
});
