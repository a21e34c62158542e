import { randomBytes } from 'node:crypto';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { getConnectionToken } from '@nestjs/mongoose';
import { Client, idIn } from '@commerce/testing';
import { Types, type Connection } from 'mongoose';

import { World } from '../world.js';
import { cli, json } from './command-line.js';

let world: World;
let demo: Record<string, string>;
let admin: Client;

beforeAll(async () => {
  world = await World.start({ worker: false });
  demo = await json('seed:demo');
  admin = new Client(world.baseUrl, { apiKey: demo['api_key']!, bearer: demo['service_key']! });
});
afterAll(() => world.stop());

const rows = (name: string): ReturnType<Connection['collection']> =>
  world.api.get<Connection>(getConnectionToken()).collection(name);

describe('seed:demo', () => {
  it('creates a company with everything that a first subscription needs', async () => {
    expect(Object.keys(demo)).toEqual([
      ...['company', 'api_key', 'service_key', 'user', 'access_token', 'product', 'plan', 'payment_method'],
      ...['coupon', 'order'],
    ]);
    const { user, plan, payment_method } = demo;
    const made = await admin.made('/subscriptions', { user, plan, payment_method, start_now: true });
    expect(made).toMatchObject({ status: 'ACTIVE', company: { $oid: demo['company'] } });
    const own = await admin.as(demo['access_token']!).read('/subscriptions');
    expect(own.map(idIn)).toEqual([idIn(made)]);
  });

  it('changes nothing when it is run again', async () => {
    const collections = [
      'companies',
      'credentials',
      'users',
      'products',
      'plans',
      'payment_methods',
      'coupons',
      'orders',
      'payments',
      'events',
    ];
    const count = (): Promise<number[]> =>
      Promise.all(collections.map((name) => rows(name).countDocuments()));
    const before = await count();
    const again = await json('seed:demo');
    expect(again).toEqual({ ...demo, access_token: expect.any(String) });
    expect(await count()).toEqual(before);
  });

  it('keeps its keys private to the owner, and creates new ones when they are lost', async () => {
    const file = join(process.env['DATA_DIR']!, 'demo.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    rmSync(file);
    const again = await json('seed:demo');
    expect(again).toMatchObject({ company: demo['company'], plan: demo['plan'], user: demo['user'] });
    expect(again.api_key).not.toBe(demo['api_key']);
    const client = new Client(world.baseUrl, { apiKey: again.api_key, bearer: again.service_key });
    expect((await client.get('/products')).status).toBe(200);
  });
});

describe('seed:load and billing:run', () => {
  it('add records, and charge the due ones', async () => {
    const report = await json('seed:load', '--products', '30', '--subscriptions', '4', '--orders', '6');
    expect(report).toMatchObject({ company: demo['company'], products: 30, subscriptions: 4, orders: 6 });
    expect((await admin.get('/products', { total: true })).headers['x-total-count']).toBe('31');
    expect(await json('billing:run')).toMatchObject({ subscriptions: 5 });
    const payments = await admin.read('/payments', { size: 100 });
    const renewals = payments.filter(({ kind }: any) => kind === 'period');
    expect(renewals.map(({ amount, status }: any) => [amount, status])).toEqual(
      Array.from({ length: 5 }, () => [30, 'SUCCEEDED']),
    );
    const orders = await admin.read('/orders', { sort: 'created', size: 100 });
    expect(orders.map(({ status }: any) => status).sort()).toEqual([
      ...['PAID', 'PAID', 'PAID', 'PAID'],
      ...['PENDING_PAYMENT', 'PENDING_PAYMENT', 'PENDING_PAYMENT'],
    ]);
    expect(orders[0]).toMatchObject({ _id: { $oid: demo['order'] }, amount: 54, coupon: demo['coupon'] });
    expect(await json('billing:run')).toEqual({ subscriptions: 0, steps: 0 });
  });
});

/** A payment that the provider collected without ever answering. */
async function unanswered(): Promise<any> {
  const user = idIn(await admin.made('/users', { name: 'Unlucky' }));
  const payment_method = idIn(await admin.made('/payment_methods', { payment_method: 'stripe', user }));
  await admin.put(`/payment_methods/${payment_method}`, {
    payment_method_id: 'pm_card_fault_500_after_charge',
  });
  const { plan } = demo;
  const made = await admin.made('/subscriptions', { user, plan, payment_method, start_now: true });
  await json('billing:run');
  const [payment] = await admin.read(`/subscriptions/${idIn(made)}/payments`);
  expect(payment.status).toBe('UNKNOWN');
  return payment;
}

describe('doctor', () => {
  it('finds nothing in a healthy service', async () => {
    const { code, stdout } = await cli(['doctor', '--json']);
    expect([code, JSON.parse(stdout)]).toEqual([0, { findings: [] }]);
  });

  it('finds faults, repairs them, and then finds nothing', async () => {
    const make = async (main_product: boolean): Promise<string> =>
      idIn(await admin.made('/products', { name: 'x', price: 1, currency: 'EUR', main_product }));
    const [main, sub, orphan] = [await make(true), await make(false), await make(false)];
    const set = (name: string, id: string, values: object): Promise<unknown> =>
      rows(name).updateOne({ _id: new Types.ObjectId(id) }, { $set: values });
    await set('products', main, { _sub_products: [new Types.ObjectId(sub)] });
    await set('products', orphan, { parents: [new Types.ObjectId(main), new Types.ObjectId()] });

    const payment = await unanswered();
    await set('payments', idIn(payment), { check_at: null, 'request.opened_at': new Date(0) });
    const [healthy] = await admin.read('/subscriptions', { sort: 'created' });
    const subscription = idIn(healthy);
    await set('subscriptions', subscription, { payments: [], wake_at: null });
    const oldEvent = Types.ObjectId.createFromHexString(`65b9a1c2${randomBytes(8).toString('hex')}`);
    const [event] = await rows('events').find({ pending: true }).sort({ _id: 1 }).limit(1).toArray();
    await rows('events').deleteOne({ _id: event!._id });
    await rows('events').insertOne({ ...event, _id: oldEvent });

    const [coupon] = await admin.read('/coupons');
    const lost = { order: new Types.ObjectId(), until: new Date(8.64e15) };
    await set('coupons', idIn(coupon), { used_count: 9, reservations: [lost] });

    const found = await cli(['doctor', '--json', '--company', demo['company']!]);
    expect(found.code).toBe(1);
    const findings = JSON.parse(found.stdout).findings as { kind: string; id: string; detail: string }[];
    expect(findings.map(({ kind, id }) => `${kind} ${id}`).sort()).toEqual(
      [
        `product.link ${main}`,
        `product.link ${orphan}`,
        `product.link ${orphan}`,
        `payment.forgotten ${idIn(payment)}`,
        `payment.unsettled ${idIn(payment)}`,
        `subscription.payments ${subscription}`,
        `subscription.asleep ${subscription}`,
        `event.pending ${oldEvent.toHexString()}`,
        `coupon.used_count ${idIn(coupon)}`,
      ].sort(),
    );

    const repaired = await cli(['doctor', '--fix']);
    expect(repaired).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('(repaired)') });
    expect(await json('doctor')).toEqual({ findings: [] });
    expect((await admin.read(`/products/${sub}`)).parents).toEqual([{ $oid: main }]);
    expect((await admin.read(`/products/${orphan}`)).parents).toEqual([]);
    expect((await admin.read(`/payments/${idIn(payment)}`)).status).toBe('SUCCEEDED');
    expect((await admin.read(`/coupons/${idIn(coupon)}`)).used_count).toBe(4);
    const row = await rows('coupons').findOne({ _id: new Types.ObjectId(idIn(coupon)) });
    expect(row!['reservations']).toEqual([]);
  });

  it('reports a subscription that owes less than nothing', async () => {
    const [subscription] = await admin.read('/subscriptions', { status: 'ACTIVE', size: 1 });
    const key = { _id: new Types.ObjectId(idIn(subscription)) };
    await rows('subscriptions').updateOne(key, { $set: { outstanding_amount: -15 } });
    const { code, stdout } = await cli(['doctor', '--json', '--company', demo['company']!]);
    const { outstanding_amount } = subscription;
    await rows('subscriptions').updateOne(key, { $set: { outstanding_amount } });
    const books = {
      kind: 'subscription.books',
      id: idIn(subscription),
      detail: 'outstanding_amount is below 0',
    };
    expect([code, JSON.parse(stdout).findings]).toMatchObject([1, expect.arrayContaining([books])]);
  });

  it('reports a balance, and a credit of a payment, that its ledger does not explain', async () => {
    const user = idIn(await admin.made('/users', { name: 'Credit' }));
    await admin.made(`/users/${user}/credits`, { amount: 5, currency: 'EUR' });
    const [payment] = await admin.read('/payments', { sort: 'created', size: 1 });
    const applied = { kind: 'applied', amount: -2, payment: new Types.ObjectId(idIn(payment)), number: 99 };
    const entry = await rows('credits').findOne({ user: new Types.ObjectId(user) });
    const { insertedId } = await rows('credits').insertOne({
      ...entry,
      ...applied,
      _id: new Types.ObjectId(),
    });
    const { code, stdout } = await cli(['doctor', '--json', '--company', demo['company']!]);
    await rows('credits').deleteOne({ _id: insertedId });
    expect([code, JSON.parse(stdout).findings]).toMatchObject([
      1,
      [
        { kind: 'user.balance', id: user, detail: 'the balance is 5 EUR, its ledger adds up to 3' },
        { kind: 'payment.credit', id: idIn(payment) },
      ],
    ]);
    expect(await json('doctor')).toEqual({ findings: [] });
  });

  it('reports money that does not match, and leaves it to people', async () => {
    const payments = await admin.read('/payments', { sort: 'created', size: 100 });
    const payment = payments.find(({ kind }: any) => kind === 'period');
    const _id = new Types.ObjectId(idIn(payment));
    await rows('payments').updateOne({ _id }, { $set: { amount: 29 } });
    const { code, stdout } = await cli(['doctor', '--fix']);
    await rows('payments').updateOne({ _id }, { $set: { amount: 30 } });
    expect(code).toBe(1);
    expect(stdout).toContain(`payment.amount  ${idIn(payment)}  29 EUR here, 30 EUR at the provider`);
  });
});

describe('queues:rebuild', () => {
  it('empties the queues and nothing else', async () => {
    const { emptied } = await json('queues:rebuild');
    expect(Object.keys(emptied)).toContain('billing');
    expect(await json('doctor')).toEqual({ findings: [] });
  });
});

describe('events:replay', () => {
  it('sends one event again, or all later ones', async () => {
    const receiver = await world.receiver();
    await admin.made('/webhooks', { event_type: 'payment.succeeded', endpoint: receiver.url });
    await json('doctor', '--fix');
    const [first, ...rest] = await admin.read('/events', { kind: 'payment.succeeded', size: 100 });
    const company = ['--company', demo['company']!];
    expect(await json('events:replay', ...company, '--event', first.id)).toMatchObject({ events: 1 });
    const behind = await json(
      'events:replay',
      ...company,
      '--after',
      first.id,
      '--kind',
      'payment.succeeded',
    );
    expect(behind.events).toBe(rest.length);
    const both = await cli(['events:replay', ...company]);
    expect([both.code, both.stderr]).toEqual([1, expect.stringContaining('--event')]);
  });
});
