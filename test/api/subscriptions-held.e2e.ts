import { BillingProcessor } from '@commerce/billing';
import { Metrics } from '@commerce/platform';
import { newId, parseId, type Id } from '@commerce/records';
import { eventually, idIn } from '@commerce/testing';

import { DAY } from '../flows/scenario.js';
import { Shop, errorsIn, type Buyer } from '../shop.js';
import { World } from '../world.js';

let world: World;
let shop: Shop;
let buyer: Buyer;

beforeAll(async () => {
  // Without a worker, so that the test decides when and which work is billed.
  world = await World.start({ worker: false });
  shop = new Shop(world);
  buyer = await shop.buyer();
});
afterAll(() => world.stop());

const SECOND = 1000;
const HOUR = 3_600_000;
const now = (): number => Date.now();

async function plan(values: object = {}): Promise<string> {
  const weekly = { name: 'Weekly', interval_unit: 'WEEK', currency: 'EUR', total_amount: 7, prepay: true };
  return idIn(await world.admin.made('/plans', { ...weekly, ...values }));
}

/**
 * Starts a subscription of the buyer `ago` milliseconds in the past, as the admin. The database's clock may be
 * milliseconds behind.
 */
async function started(ago: number, by?: string): Promise<string> {
  const body = { plan: by ?? (await plan()), user: buyer.id, payment_method: buyer.card, start_now: true };
  return idIn(await world.admin.made('/subscriptions', { ...body, starting_date: now() - ago }));
}

async function bill(id: string): Promise<void> {
  await world.get(BillingProcessor).runBatch(world.company, [parseId(id) as Id]);
}

async function billed(id: string): Promise<number> {
  return (await world.admin.read(`/subscriptions/${id}/payments`, { size: 100 })).length;
}

/** Bills until nothing is due, like the jobs that follow each payment. */
async function billAll(id: string): Promise<void> {
  for (let before = -1, after = await billed(id); after > before; after = await billed(id)) {
    before = after;
    await bill(id);
  }
}

describe('starting_date', () => {
  it.each([
    ['the beginning of time', () => 0],
    ['25 hours ago', () => now() - 25 * HOUR],
  ])('of a user cannot be %s', async (_case, date) => {
    const by = await plan({ interval_unit: 'DAY' });
    const body = { plan: by, payment_method: buyer.card, starting_date: date() };
    for (const start_now of [true, false]) {
      const { status, body: problem } = await buyer.client.post('/subscriptions', { ...body, start_now });
      expect([status, errorsIn(problem)]).toEqual([422, { starting_date: 'value.invalid' }]);
    }
    const id = idIn(await buyer.client.made('/subscriptions', { plan: by, payment_method: buyer.card }));
    const answer = await buyer.client.post(`/subscriptions/${id}/start`, { starting_date: date() });
    expect([answer.status, errorsIn(answer.body)]).toEqual([422, { starting_date: 'value.invalid' }]);
    await bill(id);
    expect(await billed(id)).toBe(0);
  });

  it('of a user can be 23 hours ago', async () => {
    const body = { plan: await plan(), payment_method: buyer.card, starting_date: now() - 23 * HOUR };
    expect((await buyer.client.post('/subscriptions', { ...body, start_now: true })).status).toBe(200);
  });

  it('of an admin can be 366 days ago, and no more', async () => {
    const body = { plan: await plan(), user: buyer.id };
    const far = { ...body, starting_date: now() - 367 * DAY };
    expect((await world.admin.post('/subscriptions', far)).status).toBe(422);
    expect((await world.admin.post('/subscriptions/preview', far)).status).toBe(422);
    const near = { ...body, starting_date: now() - 365 * DAY };
    const made = await world.admin.post('/subscriptions', near);
    expect(made.status).toBe(200);
    // Users cannot reach by other routes the dates that only admins may set.
    const start = { payment_method: buyer.card };
    expect((await buyer.client.post(`/subscriptions/${idIn(made.body)}/start`, start)).status).toBe(422);
  });

  it.each(['starting_date', 'ending_date'])('and every other date end in 2200: %s', async (field) => {
    const body = { plan: await plan(), user: buyer.id, [field]: Date.UTC(2200, 0, 1) + 1 };
    const { status, body: problem } = await world.admin.post('/subscriptions', body);
    expect([status, errorsIn(problem)]).toEqual([422, { [field]: 'value.invalid' }]);
  });
});

describe('a subscription that catches up', () => {
  it('is held before its fourth period within a day, and goes on when it is released', async () => {
    const id = await started(50 * DAY);
    await billAll(id);
    expect(await billed(id)).toBe(3);
    const held = await world.admin.read(`/subscriptions/${id}`);
    expect(held).toMatchObject({ status: 'ACTIVE', held: { reason: 'catch_up', periods: 5 } });
    expect(await world.admin.read('/subscriptions', { held: 'true' })).toEqual([held]);
    expect((await world.admin.read('/subscriptions', { held: 'false' })).map(idIn)).not.toContain(id);
    const last = (await shop.events(id)).at(-1);
    expect(last).toMatchObject({ kind: 'subscription.updated', previous_data: { held: null } });
    expect(last?.object.held).toMatchObject({ reason: 'catch_up', periods: 5 });

    expect((await buyer.client.post(`/subscriptions/${id}/release`)).status).toBe(403);
    expect(await world.admin.made(`/subscriptions/${id}/release`)).toMatchObject({ held: null });
    await billAll(id);
    expect(await billed(id)).toBe(8);
    expect(await world.admin.read(`/subscriptions/${id}`)).toMatchObject({ held: null, status: 'ACTIVE' });
    expect(await world.admin.made(`/subscriptions/${id}/release`)).toMatchObject({ held: null });
  });

  it('can be stopped while it is held, and is not billed for that', async () => {
    const id = await started(40 * DAY);
    await billAll(id);
    const foreseen = await world.admin.read(`/subscriptions/${id}/preview`, { stop: 'now' });
    expect(foreseen).toMatchObject({ charges: [], action: { refunds: [], cancelled_at: null } });
    expect(await world.admin.made(`/subscriptions/${id}/stop`)).toMatchObject({
      status: 'NON_RENEWING',
      held: { reason: 'catch_up' },
    });
    await billAll(id);
    expect(await billed(id)).toBe(3);
    await world.admin.made(`/subscriptions/${id}/release`);
    await billAll(id);
    expect(await billed(id)).toBe(6);
  });
});

describe('a subscription that is anchored anew again and again', () => {
  it('is refused before anything is charged, for users and admins alike, and is not held', async () => {
    const id = await started(SECOND, await plan({ prepay: true }));
    const path = `/subscriptions/${id}`;
    for (let turn = 0; turn < 3; turn += 1) {
      if (turn > 0) await buyer.client.made(`${path}/start`, { reanchor: true });
      await billAll(id);
      await buyer.client.made(`${path}/pause`);
      await billAll(id);
    }
    const recent = await shop.database.collection('subscriptions').findOne({ _id: parseId(id)! });
    const possible_from = Number(recent!['recent_periods'][0]) + DAY;
    for (const caller of [buyer.client, world.admin]) {
      const { status, body, headers } = await caller.post(`${path}/start`, { reanchor: true });
      const code = 'subscription.reanchored_too_often';
      expect([status, body]).toMatchObject([409, { code, possible_from }]);
      expect(Number(headers['retry-after'])).toBeGreaterThan(23 * 3600);
    }
    await billAll(id);
    expect(await billed(id)).toBe(3);
    expect(await world.admin.read(path)).toMatchObject({ status: 'PAUSED', held: null });
    expect(await buyer.client.made(`${path}/start`)).toMatchObject({ status: 'ACTIVE', held: null });
    await billAll(id);
    expect(await world.admin.read(path)).toMatchObject({ held: null });
  });

  it.each([
    // The day, and the rest of the last calendar's week.
    ['in advance', true, 2],
    ['in arrears', false, 1],
  ])('is charged once for the day, at any pace of requests, %s', async (_how, prepay, charges) => {
    const id = await started(SECOND, await plan({ prepay }));
    const path = `/subscriptions/${id}`;
    const answers: number[] = [];
    for (let turn = 0; turn < 5; turn += 1) {
      await buyer.client.post(`${path}/pause`);
      answers.push((await buyer.client.post(`${path}/start`, { reanchor: true })).status);
    }
    expect(answers).toEqual([200, 200, 200, 200, 200]);
    await billAll(id);
    expect(await billed(id)).toBe(charges);
    expect(await world.admin.read(path)).toMatchObject({ held: null });
  });
});

describe('a subscription whose plan is gone', () => {
  it('stops no other of its batch, and is held after five errors', async () => {
    const gone = await plan();
    const [poisoned, fine] = [await started(HOUR, gone), await started(HOUR)];
    await shop.database.collection('plans').deleteOne({ _id: parseId(gone)! });
    const ids = [poisoned, fine].map((id) => parseId(id) as Id);
    for (let round = 0; round < 6; round += 1) {
      await world.get(BillingProcessor).runBatch(world.company, [...ids, newId()]);
    }
    expect([await billed(poisoned), await billed(fine)]).toEqual([0, 1]);
    expect(await world.admin.read(`/subscriptions/${poisoned}`)).toMatchObject({ held: { reason: 'error' } });
    const row = await shop.database.collection('subscriptions').findOne({ _id: ids[0] });
    expect(row).toMatchObject({ failures: 5, wake_at: null });
  });

  it('shows in the metrics of the workers', async () => {
    const { createWorker, startWorker } = await import('../../apps/worker/src/create-worker.js');
    const worker = await createWorker();
    startWorker(worker);
    try {
      const text = await eventually(
        () => worker.get(Metrics).registry.metrics(),
        (shown) => shown.includes('subscriptions_held{reason="error"} 1'),
      );
      expect(text).toContain('subscriptions_failing 1');
    } finally {
      await worker.close();
    }
  });
});

describe('the currency of a product', () => {
  it('stays the same while a plan takes its price from it', async () => {
    const product = await shop.product();
    const by = await plan({ items: [{ product }], total_amount: undefined });
    const { status, body } = await world.admin.put(`/products/${product}`, { currency: 'USD' });
    expect([status, errorsIn(body)]).toEqual([422, { currency: 'product.currency_in_use' }]);
    await world.admin.changed(`/products/${product}`, { currency: 'EUR', price: 12 });
    await world.admin.delete(`/plans/${by}`);
    await world.admin.changed(`/products/${product}`, { currency: 'USD' });
  });

  it('counts for sub-products, too', async () => {
    const product = await shop.product();
    const sub = await shop.subProduct([product]);
    await plan({ items: [{ product, sub_products: [sub] }], total_amount: undefined });
    const { body } = await world.admin.put(`/products/${sub}`, { currency: 'USD' });
    expect(errorsIn(body)).toEqual({ currency: 'product.currency_in_use' });
  });
});
