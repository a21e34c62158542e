import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { getConnectionToken } from '@nestjs/mongoose';
import { eventually } from '@commerce/testing';
import type { Connection } from 'mongoose';

import { SAMPLE_IMAGES } from '../../libs/catalog/src/images/images.spec-data.js';
import { DocumentedCaller, PARTY, firstInvoice } from '../documented-caller.js';
import { World } from '../world.js';

let world: World;
let caller: DocumentedCaller;
beforeAll(async () => {
  world = await World.start({ env: { RATE_LIMIT_PER_SECOND: '1000', RATE_LIMIT_BURST: '5000' } });
  caller = new DocumentedCaller(JSON.parse(readFileSync('openapi.json', 'utf8')), world.baseUrl);
});
afterAll(() => world.stop());

/** Calls a route as an admin and requires a success. */
async function admin(method: 'get' | 'post' | 'put' | 'delete', path: string, body?: object): Promise<any> {
  const headers = { 'x-service-api-key': world.apiKey, authorization: `Bearer ${world.serviceKey}` };
  const answered = await caller.call({ method, path, headers, ...(body === undefined ? {} : { body }) });
  if (answered.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answered.body)}`);
  return answered.body;
}

const idOf = (record: any): string => record._id.$oid;

async function made(path: string, body: object): Promise<string> {
  return idOf(await admin('post', path, body));
}

/** Lists, reads, changes and deletes a record. */
async function kept(path: string, id: string, change: object | null): Promise<void> {
  expect(await admin('get', `${path}?size=2`)).not.toEqual([]);
  await admin('get', `${path}/${id}`);
  if (change !== null) await admin('put', `${path}/${id}`, change);
  await admin('delete', `${path}/${id}`);
}

async function user(): Promise<{ id: string; token: string }> {
  const id = await made('/users', { name: 'Ada', metadata: { vip: true }, billing: PARTY });
  return { id, token: (await admin('post', `/users/${id}/tokens`)).access_token };
}

async function card(user: string, card = 'pm_card_visa'): Promise<string> {
  const id = await made('/payment_methods', { payment_method: 'stripe', user });
  await admin('put', `/payment_methods/${id}`, { payment_method_id: card });
  return id;
}

/** Changes a subscription, and takes back what can be. */
async function changed(id: string): Promise<void> {
  const path = `/subscriptions/${id}`;
  await admin('post', `${path}/change/preview`, { quantity: 2, count: 2 });
  await admin('post', `${path}/change`, { quantity: 2, at: 'period_end' });
  await admin('delete', `${path}/change`);
  const { code } = await admin('post', '/coupons', { percent_off: 0.1, duration: 'FOREVER' });
  await admin('post', `${path}/change`, { coupon: code });
  await admin('delete', `${path}/coupon`);
}

/** Routes that leave no audit entry here, and why. */
const NO_CHANGE = {
  'POST /payments/:id/confirm': 'the customer calls it',
  'POST /plans/preview': 'stores nothing',
  'POST /subscriptions/preview': 'stores nothing',
  'POST /subscriptions/:id/change/preview': 'stores nothing',
  'POST /subscriptions/:id/release': 'the subscription is not held',
  'POST /webhooks/:id/verify': 'the webhook is verified already',
};

const PLAN = { name: 'Monthly', interval_unit: 'MONTH', currency: 'EUR', prepay: true, total_amount: 30 };

describe('Replies match openapi.json', () => {
  it('of the catalog', async () => {
    const product = await made('/products', { name: 'Coffee', price: 19.99, currency: 'EUR', tags: ['hot'] });
    const sub = await made('/products', { name: 'Cup', price: 2, currency: 'EUR', main_product: false });
    await admin('put', `/products/${product}/sub_products`, { add: [sub] });
    expect(await admin('get', '/products/search?query=coffee')).toHaveLength(1);
    expect(await admin('get', '/products/tags?tags=hot')).toHaveLength(1);
    const asset = await made('/resources', { name: 'Machine' });
    await admin('post', '/resources', { name: 'Coffee', method: 'retail', product });
    await admin('post', '/resources/bulk', [{ name: 'A' }, { name: 'B', method: 'retail', product }]);
    expect(await admin('get', '/resources/search?query=machine')).toHaveLength(1);
    await kept('/resources', asset, { status: 'IDLE' });
    const template = await made('/templates', {
      name: 'Coffee',
      model: 'Product',
      attributes: [{ key: 'roast', kind: 'string' }],
    });
    await admin('put', `/products/${product}`, {
      attributes: { roast: 'dark' },
      media: [{ kind: 'image', url: '/x' }],
    });
    await kept('/templates', template, { name: 'Beans' });
    await kept('/products', product, { price: 21.99 });
    const coupon = await made('/coupons', { name: 'Welcome', percent_off: 0.25 });
    expect(await admin('get', '/coupons/search?query=welcome')).toHaveLength(1);
    await kept('/coupons', coupon, { max_redemptions: 5 });
  });

  it('of images', async () => {
    const form = new FormData();
    form.set('file', new Blob([Uint8Array.from(SAMPLE_IMAGES[0]!.bytes)]), 'photo.png');
    const headers = { 'x-service-api-key': world.apiKey, authorization: `Bearer ${world.serviceKey}` };
    const { body } = await caller.call({ method: 'post', path: '/images', form, headers });
    await admin('get', `/images/${idOf(body)}`);
    const path = `/images/${idOf(body)}/content`;
    const whole = await caller.call({ method: 'get', path });
    const asked: Record<string, string>[] = [
      { range: 'bytes=0-3' },
      { 'if-none-match': whole.headers.get('etag')! },
      { range: 'bytes=999999-' },
    ];
    const statuses: number[] = [whole.status];
    for (const one of asked) statuses.push((await caller.call({ method: 'get', path, headers: one })).status);
    expect(statuses).toEqual([200, 206, 304, 416]);
    expect((await admin('delete', `/images/${idOf(body)}`)).deleted).toBe(true);
  });

  it('of users and keys', async () => {
    const { id } = await user();
    await admin('post', `/users/${id}/credits`, { amount: 5, currency: 'EUR' });
    expect(await admin('get', `/users/${id}/credits`)).toHaveLength(1);
    expect((await admin('get', `/search?query=${id}`)).results).toMatchObject([{ object_type: 'user' }]);
    await kept('/users', id, { name: 'Grace', timezone: 'Europe/Berlin' });
    const key = idOf(await admin('post', '/keys', { kind: 'service' }));
    expect(await admin('get', `/keys?kind=service&size=2`)).toHaveLength(2);
    expect((await admin('get', `/keys/${key}`)).key).toBeNull();
    const successor = await admin('post', `/keys/${key}/roll`, { expires: Date.now() + 60_000 });
    expect((await admin('delete', `/keys/${idOf(successor)}`)).revoked).not.toBeNull();
    expect((await admin('get', '/.well-known/jwks.json')).keys).not.toEqual([]);
    expect(await admin('get', '/audit?actor=admin&size=2')).toHaveLength(2);
    await admin('put', '/exchange_rates', { rates: [{ currency: 'USD', day: '2026-11-25', rate: 1.085 }] });
    expect(await admin('get', '/exchange_rates')).toHaveLength(1);
  });

  it('of plans and subscriptions', async () => {
    expect((await admin('post', '/plans/preview', { ...PLAN, count: 2 })).charges).toHaveLength(2);
    const plan = await made('/plans', PLAN);
    const customer = await user();
    const payment_method = await card(customer.id);
    await admin('post', '/subscriptions/preview', { plan, user: customer.id, count: 2 });
    const body = { plan, user: customer.id, payment_method };
    const id = await made('/subscriptions', { ...body, start_now: true });
    await admin('get', '/subscriptions?size=1');
    await admin('get', '/subscriptions/search?size=1');
    expect(await admin('get', '/subscriptions/search')).not.toEqual([]);
    await admin('get', '/subscriptions?held=true');
    await admin('get', '/subscriptions?collection_state=PAST_DUE');
    await admin('post', `/subscriptions/${id}/release`);
    await admin('put', `/subscriptions/${id}`, { note: 'At the door' });
    const [payment] = await eventually(
      () => admin('get', `/subscriptions/${id}/payments?size=5`),
      ([first]) => first?.status === 'SUCCEEDED',
    );
    expect((await admin('get', `/payments/${idOf(payment)}/explanation`)).agrees).toBe(true);
    expect((await admin('get', `/subscriptions/${id}/preview?count=2`)).charges).toHaveLength(2);
    expect((await admin('get', `/subscriptions/${id}/preview?stop=now`)).action.refunds).toHaveLength(1);
    expect((await admin('get', '/operations')).held).toBe(0);
    expect((await admin('post', '/operations/checkup')).state).toBe('queued');
    await eventually(
      () => admin('get', '/operations/checkup'),
      ({ state }) => state === 'done',
    );
    const range = `from_date=${String(Date.now() - 86_400_000)}&to_date=${String(Date.now() + 86_400_000)}`;
    expect((await admin('get', `/payments/totals?${range}`)).totals).toMatchObject([
      { currency: 'EUR', collected: 30 },
    ]);
    expect((await admin('get', '/forecast?months=3')).subscriptions).toBe(1);
    expect((await admin('get', '/revenue?months=1')).months).toMatchObject([{ recurring: 30 }]);
    expect((await admin('get', '/debts')).debts).toEqual([]);
    await admin('post', `/payments/${idOf(payment)}/refunds`, { amount: 1, reason: 'goodwill' });
    expect(await admin('get', '/payments?size=1')).toHaveLength(1);
    await changed(id);
    await admin('post', `/subscriptions/${id}/pause`);
    await admin('post', `/subscriptions/${id}/start`);
    await admin('post', `/subscriptions/${id}/stop`);
    expect((await admin('get', `/subscriptions/${id}`)).status).toBe('NON_RENEWING');
    await admin('delete', `/subscriptions/${await made('/subscriptions', body)}`);
    await kept('/plans', plan, { note: 'Gone' });
    await kept('/payment_methods', await card(customer.id), { default: true });
  });

  it('of orders', async () => {
    const tea = { name: 'Tea', price: 20, currency: 'EUR', active: true };
    const product = await made('/products', tea);
    const customer = await user();
    const payment_method = await card(customer.id);
    const body = { items: [{ product }], user: customer.id };
    const paid = await made('/orders', { ...body, payment_method });
    expect(await admin('get', '/orders?size=1')).toHaveLength(1);
    expect((await admin('get', `/orders/${paid}`)).status).toBe('PAID');
    await admin('put', `/orders/${paid}`, { note: 'A gift' });
    const waiting = await made('/orders', body);
    await firstInvoice(admin, () => admin('post', `/orders/${waiting}/pay`, { payment_method }));
    const cancelled = await made('/orders', body);
    await admin('post', `/orders/${cancelled}/cancel`);
  });

  it('of orders that their card does not pay', async () => {
    const product = await made('/products', { name: 'Tea', price: 20, currency: 'EUR', active: true });
    const { id, token } = await user();
    const headers = { 'x-service-api-key': world.apiKey, authorization: `Bearer ${token}` };
    const buy = async (name: string): Promise<[number, string]> => {
      const body = { items: [{ product }], payment_method: await card(id, name) };
      const { status, body: reply } = await caller.call({ method: 'post', path: '/orders', headers, body });
      return [status, reply.code ?? reply._cls];
    };
    expect(await buy('pm_card_chargeDeclined')).toEqual([402, 'payment.declined']);
    expect(await buy('pm_card_authenticationRequired')).toEqual([422, 'Payment']);
    expect(caller.undocumented).toEqual([]);
  });

  it('of a payment that its customer must authenticate', async () => {
    const plan = await made('/plans', PLAN);
    const { id, token } = await user();
    const payment_method = await card(id, 'pm_card_authenticationRequired');
    const headers = { 'x-service-api-key': world.apiKey, authorization: `Bearer ${token}` };
    const post = { method: 'post', headers } as const;
    const started = await caller.call({
      ...post,
      path: '/subscriptions',
      body: { plan, payment_method, start_now: true },
    });
    const list = `/subscriptions/${idOf(started.body)}/payments`;
    const waiting = await eventually(
      async () => (await caller.call({ method: 'get', headers, path: list })).body[0],
      (payment) => payment?.status === 'REQUIRES_AUTH',
    );
    const path = `/payments/${idOf(waiting)}`;
    const { metadata } = (await caller.call({ method: 'get', headers, path })).body;
    const confirmation = {
      payment_intent_id: metadata.payment_intent_id,
      payment_client_secret: metadata.intent_client_secret,
    };
    const confirmed = await caller.call({ ...post, path: `${path}/confirm`, body: confirmation });
    expect(confirmed.status).toBe(200);
  });

  it('of test clocks', async () => {
    const frozen_time = Date.UTC(2025, 0, 1);
    const id = await made('/test_clocks', { name: 'Renewals', frozen_time });
    await admin('post', `/test_clocks/${id}/advance`, { frozen_time: frozen_time + 86_400_000 });
    await eventually(
      () => admin('get', `/test_clocks/${id}`),
      ({ status }) => status === 'ready',
    );
    await kept('/test_clocks', id, null);
  });

  it('of webhooks, deliveries and events', async () => {
    const { url } = await world.receiver();
    const id = await made('/webhooks', { event_type: 'user.created', endpoint: url });
    await admin('post', `/webhooks/${id}/verify`);
    expect(await admin('post', `/webhooks/${id}/simulate`)).toBeNull();
    await admin('post', `/webhooks/${id}/rotate_secret`).then(() => user());
    const [delivery] = await eventually(
      () => admin('get', `/webhooks/${id}/deliveries?size=3`),
      (all) => all.length >= 2 && all.every(({ status }: any) => status === 'SUCCEEDED'),
    );
    await admin('get', `/deliveries/${idOf(delivery)}`);
    const [health] = await admin('get', '/webhooks/health?size=1');
    expect(await admin('get', `/webhooks/${id}/health`)).toMatchObject({ state: health.state });
    expect((await admin('get', `/deliveries/${idOf(delivery)}/request`)).method).toBe('POST');
    await admin('post', `/deliveries/${idOf(delivery)}/retry`);
    const [event] = await admin('get', '/events?kind=user.created&size=1');
    await admin('get', `/events/${String(event.id)}`);
    await admin('post', `/events/${String(event.id)}/replay`);
    await kept('/webhooks', id, { active: false });
  });

  it('of the webhook of the card provider', async () => {
    const payload = { id: 'evt_1', object: 'event', type: 'charge.succeeded', data: { object: {} } };
    const seconds = String(Math.floor(Date.now() / 1000));
    const signed = createHmac('sha256', 'whsec_world').update(`${seconds}.${JSON.stringify(payload)}`);
    const headers = { 'stripe-signature': `t=${seconds},v1=${signed.digest('hex')}` };
    const path = '/provider_notices/stripe';
    expect((await caller.call({ method: 'post', path, body: payload, headers })).status).toBe(200);
  });

  it('of every change by an admin, which all leave a line in the audit log', async () => {
    const database = world.api.get<Connection>(getConnectionToken());
    const lines = await database.collection('audit_entries').distinct('request', { actor: 'admin' });
    const changes = [...caller.succeeded].filter((route) => !/^get |provider_notices/.test(route));
    const named = changes.map((route) => {
      const [method = '', path = ''] = route.split(' ');
      return `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
    });
    expect(named.filter((route) => !lines.includes(route)).sort()).toEqual(Object.keys(NO_CHANGE).sort());
  });

  it('of every route, with the statuses and headers that it names', () => {
    expect(caller.undocumented).toEqual([]);
    expect(caller.routes.filter((route) => !caller.succeeded.has(route))).toEqual([]);
  });
});
