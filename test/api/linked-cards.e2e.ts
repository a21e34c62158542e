import { idIn } from '@commerce/testing';

import { Shop, type Buyer } from '../shop.js';
import { World } from '../world.js';

let world: World;
let shop: Shop;
let product: string;
beforeAll(async () => {
  world = await World.start();
  shop = new Shop(world);
  product = await shop.product({ price: 12.5 });
});
afterAll(() => world.stop());

interface Reply {
  readonly status: number;
  readonly body: any;
}

/** The address of the page on which an absent customer pays an order. */
async function owed(by: Buyer): Promise<string> {
  const body = { items: [{ product }], user: by.id, payment_method: by.card };
  const { pay_url } = await world.admin.made('/orders', body);
  return world.baseUrl + new URL(pay_url).pathname;
}

async function called(url: string, method: string, body: object = {}): Promise<Reply> {
  const headers = { 'content-type': 'application/json' };
  const reply = await fetch(`${url}/card`, { method, headers, body: JSON.stringify(body) });
  return { status: reply.status, body: await reply.json() };
}

const last4 = async (method: string): Promise<string> =>
  (await world.admin.read(`/payment_methods/${method}`)).last4;

const UNKNOWN = {
  status: 422,
  body: { code: 'payment_method.unknown', errors: [{ path: 'payment_method' }] },
};

describe('The link to pay', () => {
  it("writes to no payment method but the one that it opened: a saved card, an empty one and another link's", async () => {
    const by = await shop.buyer('authenticationRequired');
    const saved = idIn(await shop.card(by.client));
    const empty = idIn(await by.client.made('/payment_methods', { payment_method: 'stripe' }));
    const [url, otherUrl] = [await owed(by), await owed(by)];
    const { payment_method: others } = (await called(otherUrl, 'POST')).body;
    for (const payment_method of [saved, empty, others]) {
      const body = { payment_method, payment_method_id: 'pm_card_mastercard' };
      expect(await called(url, 'PUT', body)).toMatchObject(UNKNOWN);
    }
    expect(await last4(saved)).toBe('4242');
    expect(await world.admin.read(`/payment_methods/${empty}`)).toMatchObject({ status: 'CREATED' });
  });

  it('takes the card that it opened, once: it is not replaced, and a repeated request is answered', async () => {
    const by = await shop.buyer('authenticationRequired');
    const url = await owed(by);
    const { payment_method } = (await called(url, 'POST')).body;
    const declined = { payment_method, payment_method_id: 'pm_card_chargeDeclinedInsufficientFunds' };
    expect(await called(url, 'PUT', declined)).toMatchObject({ body: { state: 'new_card' } });
    const other = { payment_method, payment_method_id: 'pm_card_mastercard' };
    expect(await called(url, 'PUT', other)).toMatchObject({
      status: 409,
      body: { code: 'payment_method.state_conflict' },
    });
    const { payment_method: second } = (await called(url, 'POST')).body;
    const paid = { payment_method: second, payment_method_id: 'pm_card_mastercard' };
    expect(await called(url, 'PUT', paid)).toMatchObject({ body: { state: 'paid' } });
    expect(await last4(second)).toBe('4444');
  });
});

describe('The link to save a card', () => {
  it('writes to its payment method only', async () => {
    const by = await shop.buyer();
    const made = await world.admin.made('/payment_methods', { payment_method: 'stripe', user: by.id });
    const url = world.baseUrl + new URL(made.setup_url).pathname;
    const body = { payment_method: by.card, payment_method_id: 'pm_card_mastercard' };
    expect(await called(url, 'PUT', body)).toMatchObject(UNKNOWN);
    expect(await last4(by.card)).toBe('4242');
  });
});

describe('DELETE of one of two payment methods with the same card', () => {
  it('leaves the other one chargeable', async () => {
    const by = await shop.buyer();
    const { payment_method_id } = await world.admin.read(`/payment_methods/${by.card}`);
    const empty = idIn(await by.client.made('/payment_methods', { payment_method: 'stripe' }));
    await by.client.changed(`/payment_methods/${empty}`, { payment_method_id });
    await by.client.delete(`/payment_methods/${empty}`);
    const order = await by.client.made('/orders', { items: [{ product }], payment_method: by.card });
    expect(order).toMatchObject({ status: 'PAID' });
  });
});
