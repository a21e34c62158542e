import { eventually, idIn, type Client } from '@commerce/testing';

import type { ServiceProcesses } from '../processes.js';
import { dieEverywhere, startMortal, type Dead } from './dying.js';

let service: ServiceProcesses;
beforeAll(async () => {
  service = await startMortal();
}, 90_000);
afterAll(async () => {
  await service.stop();
});

let priceOf = 1000;

/** A product with a unique, even price, so that its charges, full or half, are distinguishable from all others. */
async function product(): Promise<{ id: string; cents: number }> {
  priceOf += 2;
  const values = { name: 'Tea', price: priceOf / 100, currency: 'EUR', active: true };
  return { id: idIn(await service.admin.made('/products', values)), cents: priceOf };
}

async function charges(cents: number): Promise<number> {
  const found = (await service.providerCharges()).filter(({ amount }) => amount === cents);
  return found.length;
}

const ordersOf = async (user: string): Promise<any[]> => service.admin.read('/orders', { user });

/** Waits until no payment of a user is in progress. */
async function settled(user: string): Promise<any[]> {
  return eventually(
    () => service.admin.read('/payments', { user }),
    (all: any[]) => all.every(({ status }) => !['CREATED', 'PROCESSING', 'UNKNOWN'].includes(status)),
    60_000,
  );
}

interface Case {
  readonly user: string;
  readonly cents: number;
  readonly send: (by: Client) => Promise<any>;
}

/** Checks each case before and after its request is repeated. */
async function check(cases: readonly Dead<Case>[]): Promise<void> {
  expect(cases.length).toBeGreaterThan(8);
  for (const { at, user, cents, repeat } of cases) {
    await settled(user);
    const [order, ...others] = await ordersOf(user);
    const taken = await charges(cents);
    expect([at, others.length, taken]).toEqual([at, 0, order?.status === 'PAID' ? 1 : 0]);
    const answer = await eventually(repeat, ({ status }) => ![409, 503].includes(status), 90_000);
    expect([at, answer.status, answer.body.status]).toEqual([at, 200, 'PAID']);
    expect([at, await charges(cents), (await ordersOf(user)).length]).toEqual([at, 1, 1]);
  }
}

describe('An API that dies at any write', () => {
  it('of POST /orders leaves one charge or none, and the order shows which; a repetition pays it once', async () => {
    const cases = await dieEverywhere(service, '/orders', async () => {
      const { user, method } = await service.cardholder('pm_card_visa');
      const { id, cents } = await product();
      const body = { items: [{ product: id }], user, payment_method: method };
      return { user, cents, send: (by) => by.post('/orders', body) };
    });
    await check(cases);
  }, 600_000);

  it('of POST /orders/<id>/pay leaves one charge or none', async () => {
    const cases = await dieEverywhere(service, '/orders/', async () => {
      const { user, method } = await service.cardholder('pm_card_visa');
      const { id, cents } = await product();
      const order = idIn(await service.admin.made('/orders', { items: [{ product: id }], user }));
      return { user, cents, send: (by) => by.post(`/orders/${order}/pay`, { payment_method: method }) };
    });
    await check(cases);
  }, 600_000);
});

describe('An API that dies while a card is declined', () => {
  it("holds a coupon's reservation no longer than the provider can take money, at any write", async () => {
    const used: string[] = [];
    const cases = await dieEverywhere(service, '/orders?declined', async () => {
      const { user, method } = await service.cardholder('pm_card_chargeDeclined');
      const { id, cents } = await product();
      // Of its own: the transaction of an API that died keeps the coupon locked until the database gives it up.
      const { code } = await service.admin.made('/coupons', { percent_off: 0.5, max_redemptions: 1000 });
      used.push(code);
      const body = { items: [{ product: id }], user, payment_method: method, coupon: code };
      return { user, cents, send: (by) => by.post('/orders', body) };
    });
    expect(cases.length).toBeGreaterThan(8);
    const coupons = service.database.collection<{ code: string; reservations: unknown[] }>('coupons');
    for (const code of used) {
      const held = await eventually(
        () => coupons.findOne({ code }),
        (found) => found?.reservations.length === 0,
        90_000,
      );
      expect(held).toMatchObject({ used_count: 0, reservations: [] });
    }
    for (const { user } of cases) {
      const [payment] = await settled(user);
      if (payment === undefined) continue;
      expect(payment.status).toBe('FAILED');
      const { intent_id } = payment.provider;
      if (intent_id !== null)
        expect(await service.providerIntent(intent_id)).toMatchObject({ status: 'canceled' });
    }
  }, 600_000);
});

describe('200 buyers of a coupon that 10 can use', () => {
  it('make exactly 10 discounted and paid orders, while the API and a worker are killed', async () => {
    const { id, cents } = await product();
    const coupon = await service.admin.made('/coupons', { percent_off: 0.5, max_redemptions: 10 });
    const half = cents / 2;
    const buyers: { user: string; method: string }[] = [];
    while (buyers.length < 20) buyers.push(await service.cardholder('pm_card_visa'));
    const post = (index: number): Promise<any> => {
      const { user, method } = buyers[index % buyers.length]!;
      const body = { items: [{ product: id }], user, payment_method: method, coupon: coupon.code };
      const keyed = service.admin.with({ 'Idempotency-Key': `race-${String(index)}` });
      return keyed.post('/orders', body).catch(() => null);
    };
    const all = Array.from({ length: 200 }, (_, index) => index);
    const race = Promise.all(all.map(post));
    const used = async (): Promise<{ used_count: number; reservations: unknown[] } | null> =>
      service.database
        .collection<{ code: string; used_count: number; reservations: unknown[] }>('coupons')
        .findOne({ code: coupon.code });
    await eventually(
      used,
      (found) => found !== null && found.used_count + found.reservations.length >= 3,
      60_000,
    );
    await Promise.all([service.kill('api'), service.kill('worker')]);
    await race;
    await Promise.all([service.run('api'), service.run('worker')]);
    // Buyers without a reply repeat the request with the same key.
    const answers: any[] = [];
    for (const index of all) {
      const answer = await eventually(
        () => post(index),
        (one) => one !== null && ![409, 503].includes(one.status),
        90_000,
      );
      answers.push(answer);
    }
    await Promise.all(buyers.map(({ user }) => settled(user)));
    const paid = await eventually(
      () => service.database.collection('orders').countDocuments({ coupon: coupon.code, status: 'PAID' }),
      (count) => count === 10,
      60_000,
    );
    expect(paid).toBe(10);
    const discounted = answers.filter(({ status }) => status === 200);
    expect(discounted.map(({ body }) => body.status)).toEqual(Array(10).fill('PAID'));
    expect(new Set(answers.filter(({ status }) => status !== 200).map(({ body }) => body.code))).toEqual(
      new Set(['coupon.used_up']),
    );
    expect(await charges(half)).toBe(10);
    expect(await used()).toMatchObject({ used_count: 10, reservations: [] });
    expect(await service.database.collection('orders').countDocuments({ coupon: coupon.code })).toBe(10);
  }, 300_000);
});
