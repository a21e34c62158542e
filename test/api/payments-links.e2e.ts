import { BillingProcessor } from '@commerce/billing';
import { idIn, type Client } from '@commerce/testing';

import { Shop, type Buyer } from '../shop.js';
import { World } from '../world.js';

let world: World;
let shop: Shop;
let buyer: Buyer;
let product: string;

beforeAll(async () => {
  world = await World.start({ worker: false });
  shop = new Shop(world);
  buyer = await shop.buyer('authenticationRequired');
  product = await shop.product();
});
afterAll(() => world.stop());

const LINK = expect.stringContaining('/pay/');

/** An in-session order whose customer must authenticate: the reply is the payment. */
async function asked(by: Client, user?: string): Promise<any> {
  const there = user === undefined ? {} : { user, off_session: false };
  const body = { items: [{ product }], payment_method: buyer.card, ...there };
  const answer = await by.post('/orders', body);
  expect([answer.status, answer.body.status]).toEqual([422, 'REQUIRES_AUTH']);
  return answer.body;
}

const confirm = (by: Client, payment: any): Promise<any> =>
  by.post(`/payments/${idIn(payment)}/confirm`, {
    payment_intent_id: payment.metadata.payment_intent_id,
    payment_client_secret: payment.metadata.intent_client_secret,
  });

describe('pay_url', () => {
  it('is in every reply to an admin that shows a payable payment', async () => {
    const payment = await asked(world.admin, buyer.id);
    expect(payment.pay_url).toEqual(LINK);
    const order = String(payment.order.$oid);
    expect(await world.admin.read(`/payments/${idIn(payment)}`)).toMatchObject({ pay_url: LINK });
    expect(await world.admin.read('/payments', { order })).toMatchObject([{ pay_url: LINK }]);
    expect(await world.admin.read('/orders', { user: buyer.id })).toMatchObject([{ pay_url: LINK }]);
    expect(await world.admin.put(`/orders/${order}`, { note: 'Call' })).toMatchObject({
      body: { note: 'Call', pay_url: LINK },
    });
    expect((await confirm(world.admin, payment)).body).toMatchObject({
      status: 'REQUIRES_AUTH',
      pay_url: LINK,
    });
    await shop.authenticates(payment);
    expect((await confirm(world.admin, payment)).body).toMatchObject({ status: 'SUCCEEDED', pay_url: null });
    expect(await world.admin.read('/payments', { order })).toMatchObject([{ pay_url: null }]);
  });

  it('is beside a declined card, and in the payments of a subscription', async () => {
    const { id: user, card } = await shop.buyer('chargeDeclined');
    const items = [{ product }];
    const declined = await world.admin.post('/orders', { items, user, payment_method: card });
    expect([declined.status, declined.body.payment.pay_url]).toEqual([402, LINK]);
    const plan = idIn(
      await world.admin.made('/plans', {
        ...{ name: 'Fee', interval_unit: 'MONTH', billing_interval: 'MONTH' },
        ...{ currency: 'EUR', total_amount: 10, setup_fee: 5 },
      }),
    );
    const values = { plan, user: buyer.id, payment_method: buyer.card };
    const subscription = idIn(await world.admin.made('/subscriptions', values));
    await world.get(BillingProcessor).runDue(new Date());
    const [waiting] = await world.admin.read(`/subscriptions/${subscription}/payments`);
    expect(waiting).toMatchObject({ status: 'REQUIRES_AUTH', pay_url: LINK });
  });

  it('is never shown to a user', async () => {
    const payment = await asked(buyer.client);
    const order = String(payment.order.$oid);
    const shown = [
      payment,
      await buyer.client.read(`/payments/${idIn(payment)}`),
      ...(await buyer.client.read('/payments')),
      ...(await buyer.client.read('/orders')),
      (await buyer.client.put(`/orders/${order}`, { note: 'Mine' })).body,
      (await confirm(buyer.client, payment)).body,
    ];
    expect(shown.map(({ pay_url }) => pay_url)).toEqual(shown.map(() => null));
    expect(shown.length).toBeGreaterThan(5);
  });
});
