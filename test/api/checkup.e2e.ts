import { getConnectionToken } from '@nestjs/mongoose';
import { newId, type Id } from '@commerce/records';
import { eventually, idIn, type Client } from '@commerce/testing';
import { Types, type Connection } from 'mongoose';

import { Shop } from '../shop.js';
import { World, type Merchant } from '../world.js';

const rowsOf = (of: World, name: string): ReturnType<Connection['collection']> =>
  of.api.get<Connection>(getConnectionToken()).collection(name);

/** Requests a checkup and waits for its end. */
async function checkup(admin: Client): Promise<any> {
  const { status, body } = await admin.post('/operations/checkup');
  expect([status, body.finished]).toEqual([202, null]);
  return ended(admin);
}

function ended(admin: Client): Promise<any> {
  return eventually(
    () => admin.read('/operations/checkup'),
    ({ state }) => state === 'done',
    60_000,
  );
}

async function coupon(admin: Client): Promise<string> {
  return idIn(await admin.made('/coupons', { name: 'Welcome', percent_off: 0.1 }));
}

let world: World;
let stranger: Merchant;
beforeAll(async () => {
  world = await World.start();
  stranger = await world.stranger();
});
afterAll(() => world.stop());

const rows = (name: string): ReturnType<Connection['collection']> => rowsOf(world, name);

function set(name: string, id: string, values: object): Promise<unknown> {
  return rows(name).updateOne({ _id: new Types.ObjectId(id) }, { $set: values });
}

describe('GET /operations/checkup', () => {
  it('reports that there was none', async () => {
    expect(await world.admin.read('/operations/checkup')).toMatchObject({
      ...{ state: 'none', requested: null, started: null, finished: null, checked: 0, total: 0 },
      ...{ findings: [], incomplete: null },
      repair: `npm run cli -- doctor --company ${world.company.toHexString()} --fix`,
    });
  });

  it('is for admins, and so is requesting one', async () => {
    const { client } = await world.user();
    const answers = [await client.get('/operations/checkup'), await client.post('/operations/checkup')];
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [403, 'role.forbidden'],
      [403, 'role.forbidden'],
    ]);
  });
});

describe('POST /operations/checkup', () => {
  it('finds nothing when all is in order', async () => {
    await coupon(world.admin);
    const done = await checkup(world.admin);
    expect(done).toMatchObject({ total: 0, findings: [], incomplete: null });
    expect(done.checked).toBeGreaterThan(0);
    const dates = [done.requested, done.started, done.finished].map(({ $date }) => Number($date));
    expect(dates).toEqual(dates.toSorted((a, b) => a - b));
  });

  it("finds exactly the faults, repairs nothing, and reports no other company's", async () => {
    const [mine, theirs] = [await coupon(world.admin), await coupon(stranger.admin)];
    await set('coupons', mine, { used_count: 9 });
    await set('coupons', theirs, { used_count: 4 });
    const tea = { name: 'Tea', price: 2, currency: 'EUR', main_product: false };
    const product = idIn(await world.admin.made('/products', tea));
    await set('products', product, { parents: [new Types.ObjectId()] });

    const [own, other] = [await checkup(world.admin), await checkup(stranger.admin)];
    expect(own.total).toBe(2);
    expect(own.findings).toEqual([
      {
        ...{ kind: 'coupon.used_count', id: mine, repairable: true },
        detail: expect.stringContaining('used_count is 9, 0 paid orders used it'),
      },
      { kind: 'product.link', id: product, repairable: true, detail: expect.stringContaining('parents') },
    ]);
    expect(other.findings.map(({ id }: any) => id)).toEqual([theirs]);
    expect((await world.admin.read(`/coupons/${mine}`)).used_count).toBe(9);
    await set('coupons', mine, { used_count: 0 });
    await set('products', product, { parents: [] });
  });

  it('compares every payment with the card provider, over many pages', async () => {
    const buyer = await new Shop(world).buyer();
    const product = await new Shop(world).product();
    const body = { items: [{ product }], payment_method: buyer.card };
    const order = await buyer.client.made('/orders', body);
    const _id = new Types.ObjectId(order.payments.at(-1).$oid as string);
    const row = await rows('payments').findOne({ _id });
    // Long ago: a payment opened just now would count as in progress.
    const lost = { status: 'FAILED', 'request.opened_at': new Date(1000) };
    await rows('payments').updateOne({ _id }, { $set: lost });
    // Created at the same instant, so that a page ends among payments that tie.
    const unpaid = Array.from({ length: 250 }, () => ({
      ...{ ...row, _id: newId(), order: newId(), status: 'FAILED', request: null, owed_amount: 1 },
      provider: { ...row!['provider'], intent_id: null, charge_id: null },
    }));
    await rows('payments').insertMany(unpaid);
    const done = await checkup(world.admin);
    expect([done.total, done.incomplete]).toEqual([251, null]);
    await rows('payments').deleteMany({ _id: { $in: unpaid.map((one) => one._id) } });
    const { findings } = await checkup(world.admin);
    expect(findings).toEqual([
      {
        ...{ kind: 'payment.unsettled', id: _id.toHexString(), repairable: true },
        detail: 'collected at the provider, FAILED here',
      },
    ]);
    await rows('payments').updateOne({ _id }, { $set: { status: row!['status'] } });
  });

  it('finds payments that wait for a customer without an end, and cancellations that nothing checks', async () => {
    const shop = new Shop(world);
    const buyer = await shop.buyer('authenticationRequired');
    const items = [{ product: await shop.product() }];
    const { body: waiting } = await buyer.client.post('/orders', { items, payment_method: buyer.card });
    const order = waiting.order.$oid as string;
    const { auth_due } = (await rows('orders').findOne({ _id: new Types.ObjectId(order) }))!;
    await set('orders', order, { auth_due: null });
    const { body: failed } = await buyer.client.post('/orders', { items, payment_method: buyer.card });
    await shop.authenticates(failed, 'decline');
    await world.admin.made(`/orders/${failed.order.$oid as string}/cancel`);
    const payment = idIn(failed);
    await eventually(
      () => rows('payments').findOne({ _id: new Types.ObjectId(payment) }),
      (row) => row?.['check_at'] === null && row['cancel_intent'] === null,
    );
    const intent = failed.metadata.payment_intent_id as string;
    await set('payments', payment, { cancel_intent: intent, 'request.opened_at': new Date(0) });

    const { findings } = await checkup(world.admin);
    expect(findings.map(({ kind, id }: any) => [kind, id])).toEqual([
      ['order.endless', order],
      ['payment.forgotten', payment],
    ]);
    await set('orders', order, { auth_due });
    await set('payments', payment, { cancel_intent: null });
  });

  it('keeps a hundred findings and counts them all', async () => {
    const id = await coupon(world.admin);
    const row = await rows('coupons').findOne({ _id: new Types.ObjectId(id) });
    const ids = Array.from({ length: 105 }, () => newId());
    await rows('coupons').insertMany(ids.map((_id: Id) => ({ ...row, _id, used_count: 3 })));
    const done = await checkup(world.admin);
    expect([done.total, done.findings.length]).toEqual([105, 100]);
    await rows('coupons').deleteMany({ _id: { $in: ids } });
    expect(await checkup(world.admin)).toMatchObject({ total: 0, findings: [] });
  });

  it('does not restart one that is running, and a sweep finds one that its worker left', async () => {
    const left = { state: 'running', claimed_by: 'a worker that is gone', claims: 1 };
    await rows('checkups').updateOne(
      { _id: world.company },
      { $set: { ...left, due: new Date(Date.now() + 3_600_000), finished: null } },
    );
    const before = await world.admin.read('/operations/checkup');
    const { status, body } = await world.admin.post('/operations/checkup');
    expect([status, body.state, body.requested]).toEqual([202, 'running', before.requested]);
    await rows('checkups').updateOne({ _id: world.company }, { $set: { due: new Date(1000) } });
    expect(await ended(world.admin)).toMatchObject({ requested: before.requested, incomplete: null });
    expect(await rows('checkups').findOne({ _id: world.company })).toMatchObject({ claims: 2, due: null });
  });

  it('abandons one that workers never end', async () => {
    const left = { state: 'running', claimed_by: 'a worker that is gone', claims: 3, finished: null };
    await rows('checkups').updateOne({ _id: world.company }, { $set: { ...left, due: new Date(1000) } });
    expect(await ended(world.admin)).toMatchObject({ incomplete: 'interrupted' });
  });

  it('retries after an error, and finally ends with its findings so far', async () => {
    const { insertedId } = await rows('payments').insertOne({ company: world.company, created: new Date() });
    await world.admin.post('/operations/checkup');
    const tried = await eventually(
      () => rows('checkups').findOne({ _id: world.company }),
      (row) => row!['state'] === 'queued' && row!['claims'] === 1,
    );
    expect(Number(tried!['due'])).toBeGreaterThan(Date.now());
    await rows('checkups').updateOne({ _id: world.company }, { $set: { claims: 2, due: new Date(1000) } });
    expect(await ended(world.admin)).toMatchObject({ incomplete: 'failed', total: 0 });
    await rows('payments').deleteOne({ _id: insertedId });
  });

  it('runs once for many concurrent requests', async () => {
    const newcomer = await world.stranger();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => newcomer.admin.post('/operations/checkup')),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202));
    await ended(newcomer.admin);
    expect(await rows('checkups').countDocuments({ company: newcomer.company })).toBe(1);
  });

  it('replies alike to a repetition under the same key', async () => {
    const keyed = world.admin.with({ 'Idempotency-Key': 'once' });
    const first = await keyed.post('/operations/checkup');
    await ended(world.admin);
    const again = await keyed.post('/operations/checkup');
    expect([again.status, again.body]).toEqual([202, first.body]);
    expect(again.headers['idempotent-replayed']).toBe('true');
  });
});

describe('A checkup that takes too long', () => {
  it('ends with its findings so far', async () => {
    // With queues of its own: the worker of the other world would take its jobs, and find no record of them.
    const redis = new URL(process.env['REDIS_URL'] ?? '');
    redis.pathname = '/14';
    const hasty = await World.start({ env: { CHECKUP_TIMEOUT: '1ms', REDIS_URL: redis.href } });
    await coupon(hasty.admin);
    const done = await checkup(hasty.admin);
    await hasty.stop();
    expect(done).toMatchObject({ incomplete: 'deadline', total: 0 });
  });
});
