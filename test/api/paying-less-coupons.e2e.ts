import { idIn, type Client, type Reply } from '@commerce/testing';

import { Scenario, at } from '../flows/scenario.js';
import { World } from '../world.js';

let world: World;
let plan: string;
let codes = 0;

beforeAll(async () => {
  world = await World.start();
  const body = { name: 'Plan', interval_unit: 'MONTH', currency: 'EUR', total_amount: 30, prepay: true };
  plan = idIn(await world.admin.made('/plans', body));
});
afterAll(() => world.stop());

interface Customer {
  readonly one: Scenario;
  readonly own: Client;
  readonly card: string;
}

async function customer(): Promise<Customer> {
  const one = await Scenario.begin(world, '2027-04-01');
  const { access_token: token } = await world.admin.made(`/users/${one.user}/tokens`);
  return { one, own: world.anonymous.as(token), card: await one.card() };
}

async function coupon(values: object = {}): Promise<string> {
  codes += 1;
  const code = `HALF${String(codes)}`;
  await world.admin.made('/coupons', { code, percent_off: 0.5, ...values });
  return code;
}

const outcome = ({ status, body }: Reply): unknown[] => [status, body.code, body.errors?.[0]?.path];
const REFUSED = [422, 'coupon.already_redeemed', 'coupon'];

describe('A coupon on the subscriptions of one customer', () => {
  const start = ({ card: payment_method }: Customer, code: string): object => ({
    ...{ plan, payment_method, coupon: code, start_now: true },
  });

  it('lowers one of them, whether the next is started, changed or previewed', async () => {
    const buyer = await customer();
    const { one, own, card } = buyer;
    const code = await coupon({ duration: 'FOREVER' });
    const first = idIn(await own.made('/subscriptions', start(buyer, code)));
    expect(outcome(await own.post('/subscriptions', start(buyer, code)))).toEqual(REFUSED);
    await one.settled(first);
    expect(outcome(await own.post('/subscriptions', start(buyer, code)))).toEqual(REFUSED);
    expect(outcome(await own.post('/subscriptions/preview', { plan, coupon: code }))).toEqual(REFUSED);
    const other = idIn(await own.made('/subscriptions', { plan, payment_method: card, start_now: true }));
    await one.settled(other);
    expect(outcome(await own.post(`/subscriptions/${other}/change`, { coupon: code }))).toEqual(REFUSED);
    const third = idIn(await own.made('/subscriptions', { plan, payment_method: card }));
    expect(outcome(await own.post(`/subscriptions/${third}/start`, { coupon: code }))).toEqual(REFUSED);
    const another = await customer();
    expect((await another.own.post('/subscriptions', start(another, code))).status).toBe(200);
  });

  it.each([
    ['unlimited', {}, 1],
    ['limited', { max_redemptions: 50 }, 1],
    ['for three of each customer', { max_redemptions_per_user: 3 }, 3],
  ])('lowers no more of twenty that start at one time: %s', async (_, values, expected) => {
    const buyer = await customer();
    const code = await coupon(values);
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => buyer.own.post('/subscriptions', start(buyer, code))),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(expected);
    for (const reply of replies) if (reply.status !== 200) expect(outcome(reply)).toEqual(REFUSED);
  });

  it('counts orders with them where it says how often one customer can use it, else not', async () => {
    const buyer = await customer();
    const { own, card } = buyer;
    const coffee = { name: 'Coffee', price: 10, currency: 'EUR', vat: 0, active: true };
    const product = idIn(await world.admin.made('/products', coffee));
    const order = (code: string): Promise<Reply> =>
      own.post('/orders', { items: [{ product, quantity: 1 }], payment_method: card, coupon: code });
    const twice = await coupon({ max_redemptions_per_user: 2 });
    expect((await order(twice)).status).toBe(200);
    expect((await own.post('/subscriptions', start(buyer, twice))).status).toBe(200);
    expect(outcome(await order(twice))).toEqual(REFUSED);
    const free = await coupon();
    for (const _ of [1, 2, 3]) expect((await order(free)).status).toBe(200);
  });

  it('is free again for the customer where the first was never paid', async () => {
    const buyer = await customer();
    const code = await coupon();
    await buyer.one.bank('lost_card');
    const cancelling = { initial_fail_amount_action: 'CANCEL', prepay: true };
    const id = await buyer.one.subscribed(cancelling, { payment_method: buyer.card, ...{ coupon: code } });
    await buyer.one.settled(id);
    expect(await buyer.one.subscription(id)).toMatchObject({ status: 'CANCELLED' });
    expect((await buyer.own.post('/subscriptions', start(buyer, code))).status).toBe(200);
  });
});

describe('A start to come with a coupon of limited redemptions', () => {
  it('needs a payment method, of users only: without one nothing is kept from others', async () => {
    const { one, own, card } = await customer();
    const code = await coupon({ max_redemptions: 1 });
    const body = { plan, coupon: code, starting_date: at('2190-01-01') };
    const id = idIn(await own.made('/subscriptions', body));
    const missing = [422, 'payment_method.missing', 'payment_method'];
    expect(outcome(await own.post(`/subscriptions/${id}/start`, {}))).toEqual(missing);
    const plain = idIn(await own.made('/subscriptions', { plan, starting_date: at('2190-01-01') }));
    await own.made(`/subscriptions/${plain}/start`, {});
    expect(outcome(await own.post(`/subscriptions/${plain}/change`, { coupon: code }))).toEqual(missing);
    const another = await customer();
    const now = { plan, payment_method: another.card, coupon: code, start_now: true };
    expect((await another.own.post('/subscriptions', now)).status).toBe(200);
    const free = await coupon({ max_redemptions: 2 });
    const paid = idIn(await own.made('/subscriptions', { ...body, coupon: free }));
    expect((await own.post(`/subscriptions/${paid}/start`, { payment_method: card })).body.status).toBe(
      'FUTURE',
    );
    const admins = { plan, user: one.user, coupon: await coupon({ max_redemptions: 1 }) };
    const by = idIn(await world.admin.made('/subscriptions', { ...admins, starting_date: at('2190-01-01') }));
    expect((await world.admin.post(`/subscriptions/${by}/start`, {})).body.status).toBe('FUTURE');
  });
});
