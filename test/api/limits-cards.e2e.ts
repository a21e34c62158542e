import { getConnectionToken } from '@nestjs/mongoose';
import { parseId } from '@commerce/records';
import { idIn } from '@commerce/testing';
import type { Connection } from 'mongoose';

import { Shop, type Buyer } from '../shop.js';
import { World } from '../world.js';

const PER_HOUR = 6;

let world: World;
let shop: Shop;
let tea: string;
beforeAll(async () => {
  world = await World.start({ env: { CARD_ATTEMPTS_PER_HOUR: String(PER_HOUR) } });
  shop = new Shop(world);
  tea = await shop.product();
});
afterAll(() => world.stop());

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: any;
}

/** A customer who must authenticate an order, and a function that calls the order's pay page. */
async function owed(): Promise<{
  by: Buyer;
  call: (method: string, path: string, body?: object) => Promise<Reply>;
}> {
  const by = await shop.buyer('authenticationRequired');
  const order = { items: [{ product: tea }], user: by.id, payment_method: by.card };
  const { pay_url } = await world.admin.made('/orders', order);
  const base = world.baseUrl + new URL(pay_url as string).pathname;
  const call = async (method: string, path: string, body: object = {}): Promise<Reply> => {
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch(`${base}/${path}`, { method, headers, body: JSON.stringify(body) });
    return { status: reply.status, headers: reply.headers, body: await reply.json() };
  };
  return { by, call };
}

const statuses = (replies: readonly Reply[]): number[] => replies.map(({ status }) => status);

describe('Attempts with cards on the page for a payment', () => {
  it('count with those of the API, for the customer: opening a card and paying by it', async () => {
    const { by, call } = await owed();
    // The customer saves a card through the API: opens it and fills it.
    const opened = [await call('POST', 'card'), await call('POST', 'card'), await call('POST', 'card')];
    expect(statuses(opened)).toEqual([200, 200, 200]);
    const card = {
      payment_method: opened[0]?.body.payment_method,
      payment_method_id: 'pm_card_chargeDeclined',
    };
    expect((await call('PUT', 'card', card)).status).toBe(200);

    const refused = [await call('POST', 'card'), await call('PUT', 'card', card)];
    expect(statuses(refused)).toEqual([429, 429]);
    for (const { headers, body } of refused) {
      expect(body).toMatchObject({ code: 'rate.limited' });
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(1);
      expect(headers.get('ratelimit-policy')).toBe(`"cards";q=${String(PER_HOUR)};w=3600`);
      expect(headers.get('ratelimit')).toMatch(/^"cards";r=0;t=\d+$/);
    }
    const byApi = await by.client.post('/payment_methods', { payment_method: 'stripe' });
    expect(byApi.status).toBe(429);
  }, 120_000);
});

describe('Status requests for a payment on its page', () => {
  it('are limited for the customer', async () => {
    const { call } = await owed();
    const began = performance.now();
    const replies = await Promise.all(Array.from({ length: 90 }, () => call('POST', 'refresh')));
    const seconds = (performance.now() - began) / 1000;
    const refused = replies.filter(({ status }) => status === 429);
    // A burst of 30, and one more every two seconds; twice that when Redis was slow and the process counted by itself.
    expect(refused.length).toBeGreaterThan(0);
    expect(replies.length - refused.length).toBeLessThanOrEqual(62 + seconds);
    expect(refused.filter(({ headers }) => headers.get('ratelimit')?.startsWith('"inquiries"'))).not.toEqual(
      [],
    );
    for (const { headers } of refused) {
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      // The page also has a limit for each address.
      expect(headers.get('ratelimit-policy')).toMatch(/^"(inquiries";q=30;w=60|pay";q=60;w=30)$/);
    }
  }, 120_000);
});

/** Raises the number of a payment's attempts to `count`, by copies of the last one. */
async function repeatAttempts(payment: any, count: number): Promise<void> {
  const payments = world.api.get<Connection>(getConnectionToken()).collection('payments');
  const _id = parseId(payment._id.$oid)!;
  const last = (await payments.findOne({ _id }))?.['attempts'].at(-1);
  const attempts = Array.from({ length: count }, (_, index) => ({ ...last, number: index + 1 }));
  await payments.updateOne({ _id }, { $set: { attempts } });
}

describe('Attempts of one payment', () => {
  it('are bounded, by the API and on the page', async () => {
    const { by, call } = await owed();
    const [order] = await world.admin.read('/orders', { user: by.id });
    const pay = (): Promise<{ status: number; body: any }> =>
      world.admin.post(`/orders/${idIn(order)}/pay`, { payment_method: by.card });
    await shop.bank(by, 'generic_decline', 'generic_decline');
    expect((await pay()).status).toBe(402);
    await repeatAttempts(await shop.payment(order), 14);
    expect((await pay()).status).toBe(402);
    const { status, body } = await pay();
    expect([status, body]).toMatchObject([409, { code: 'payment.too_many_attempts', limit: 15 }]);
    const onPage = await call('POST', 'card');
    expect([onPage.status, onPage.body]).toMatchObject([409, { code: 'payment.too_many_attempts' }]);
    expect((await shop.payment(order)).attempts).toHaveLength(15);
  }, 120_000);
});
