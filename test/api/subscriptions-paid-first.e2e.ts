import { idIn, type Client } from '@commerce/testing';

import { Scenario, at } from '../flows/scenario.js';
import { World } from '../world.js';

let world: World;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

interface Customer {
  readonly scenario: Scenario;
  readonly client: Client;
  readonly plan: string;
  readonly payment_method: string;
}

/** A customer on a test clock on 1 April, and a plan of 30.00 a month in advance. */
async function customer(plan: object = {}): Promise<Customer> {
  const clock = idIn(await world.admin.made('/test_clocks', { frozen_time: at('2026-04-01') }));
  const { id: user, client } = await world.user({ test_clock: clock });
  const scenario = Object.assign(Object.create(Scenario.prototype) as Scenario, { world, clock, user });
  const payment_method = await scenario.card('visa');
  return { scenario, client, payment_method, plan: await scenario.plan({ prepay: true, ...plan }) };
}

const FIRST = { collect: 'first', start_now: true } as const;

describe('POST /subscriptions with collect first', () => {
  it('starts what is paid, by one payment for setup fee and period', async () => {
    const { scenario, client, plan, payment_method } = await customer({ setup_fee: 10 });
    const { status, body } = await client.post('/subscriptions', { plan, payment_method, ...FIRST });
    expect([status, body.status, body.active, body.pending_start]).toEqual([200, 'ACTIVE', true, null]);
    const id = idIn(body);
    await scenario.until('2026-05-01');
    expect(await scenario.bill(id)).toEqual([
      ['2026-04-01', 40, 'SUCCEEDED'],
      ['2026-05-01', 30, 'SUCCEEDED'],
    ]);
    const kinds = (await scenario.events(id)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'subscription.activated')).toHaveLength(1);
  });

  it('leaves it CREATED where the card is refused, and a start tries again', async () => {
    const { scenario, client, plan, payment_method } = await customer();
    await scenario.bank('insufficient_funds');
    const { status, body } = await client.post('/subscriptions', { plan, payment_method, ...FIRST });
    expect([status, body.code, body.subscription.status]).toEqual([402, 'payment.declined', 'CREATED']);
    const id = idIn(body.subscription);
    expect(await scenario.subscription(id)).toMatchObject({ active: false, outstanding_amount: 0 });
    const started = await client.made(`/subscriptions/${id}/start`, { collect: 'first' });
    expect([started.status, started.active]).toEqual(['ACTIVE', true]);
    expect(await scenario.bill(id)).toEqual([
      ['2026-04-01', 30, 'FAILED'],
      ['2026-04-01', 30, 'SUCCEEDED'],
    ]);
  });

  it('waits for a customer who must authenticate, and starts with the confirmation', async () => {
    const { scenario, client, plan, payment_method } = await customer();
    await scenario.bank('authentication_required');
    const { status, body: payment } = await client.post('/subscriptions', { plan, payment_method, ...FIRST });
    expect([status, payment.status]).toEqual([422, 'REQUIRES_AUTH']);
    expect(payment.metadata.intent_client_secret).toEqual(expect.any(String));
    const id = payment.subscription.$oid;
    expect(await scenario.subscription(id)).toMatchObject({
      status: 'CREATED',
      active: false,
      pending_start: { set_by: 'USER' },
      collection_state: 'OK',
    });
    await scenario.authenticates(payment);
    await client.made(`/payments/${idIn(payment)}/confirm`, {
      payment_intent_id: payment.metadata.payment_intent_id,
      payment_client_secret: payment.metadata.intent_client_secret,
    });
    expect(await scenario.subscription(id)).toMatchObject({
      status: 'ACTIVE',
      active: true,
      pending_start: null,
    });
  });

  it('is paid on its page by another card, which is charged from then on', async () => {
    const { scenario, client, plan, payment_method } = await customer();
    await scenario.bank('authentication_required');
    const { body: payment } = await client.post('/subscriptions', { plan, payment_method, ...FIRST });
    const { pay_url } = await world.admin.read(`/payments/${idIn(payment)}`);
    const url = `${world.baseUrl}${new URL(pay_url).pathname}/card`;
    const call = async (method: string, body: object): Promise<any> => {
      const headers = { 'content-type': 'application/json' };
      return (await fetch(url, { method, headers, body: JSON.stringify(body) })).json();
    };
    const { payment_method: other } = await call('POST', {});
    const paid = await call('PUT', { payment_method: other, payment_method_id: 'pm_card_mastercard' });
    expect(paid.state).toBe('paid');
    const id = payment.subscription.$oid;
    expect(await scenario.subscription(id)).toMatchObject({
      status: 'ACTIVE',
      payment_method: { $oid: other },
    });
    await scenario.until('2026-05-01');
    expect(await scenario.bill(id)).toEqual([
      ['2026-04-01', 30, 'SUCCEEDED'],
      ['2026-05-01', 30, 'SUCCEEDED'],
    ]);
    expect(await scenario.ledger()).toMatchObject({ captured: 6000, refunded: 0 });
  });

  it('is dropped after 23 hours, with its trial', async () => {
    const { scenario, client, plan, payment_method } = await customer({ setup_fee: 10, trial_days: 14 });
    const body = { plan, payment_method, ...FIRST };
    await scenario.bank('authentication_required');
    const { body: payment } = await client.post('/subscriptions', body);
    await scenario.until('2026-04-02');
    expect(await scenario.subscription(payment.subscription.$oid)).toMatchObject({
      status: 'CREATED',
      pending_start: null,
      trial_ending_date: null,
    });
    expect(await client.made('/subscriptions', body)).toMatchObject({ status: 'ACTIVE', in_trial: true });
    // The trial of the plan is taken: the next one begins without.
    expect(await client.made('/subscriptions', body)).toMatchObject({ status: 'ACTIVE', in_trial: false });
  });

  it('holds a coupon for as long as it waits, and frees it unpaid', async () => {
    const values = { code: 'LAST', percent_off: 0.5, starting_date: at('2026-01-01'), max_redemptions: 1 };
    const coupon = idIn(await world.admin.made('/coupons', values));
    const { scenario, client, plan, payment_method } = await customer();
    const body = { plan, payment_method, coupon: 'LAST', ...FIRST };
    await scenario.bank('authentication_required');
    const { body: payment } = await client.post('/subscriptions', body);
    expect(payment.amount).toBe(15);
    const second = await client.post('/subscriptions', body);
    expect([second.status, second.body.errors?.[0]?.path]).toEqual([422, 'coupon']);
    await scenario.until('2026-04-02');
    expect(await world.admin.read(`/coupons/${coupon}`)).toMatchObject({ used_count: 0 });
    expect(await client.made('/subscriptions', body)).toMatchObject({ status: 'ACTIVE' });
    expect(await world.admin.read(`/coupons/${coupon}`)).toMatchObject({ used_count: 1 });
  });

  it('answers a repetition with the same payment', async () => {
    const { scenario, client, plan, payment_method } = await customer();
    await scenario.bank('authentication_required');
    const keyed = client.with({ 'Idempotency-Key': `start-${plan}` });
    const body = { plan, payment_method, ...FIRST };
    const first = await keyed.post('/subscriptions', body);
    const again = await keyed.post('/subscriptions', body);
    expect([again.status, idIn(again.body)]).toEqual([first.status, idIn(first.body)]);
  });

  it('is refused for another date than now, and without a start', async () => {
    const { client, plan, payment_method } = await customer();
    const post = (more: object): Promise<any> =>
      client.post('/subscriptions', { plan, payment_method, ...more });
    const later = await post({ ...FIRST, starting_date: at('2026-04-02') });
    const created = await post({ collect: 'first' });
    expect([later.status, later.body.errors[0].path]).toEqual([422, 'collect']);
    expect([created.status, created.body.errors[0].path]).toEqual([422, 'collect']);
  });
});

describe('customers', () => {
  afterEach(() => world.admin.put('/company', { customers: {} }));

  it('start nothing that is not paid where the company says so', async () => {
    await world.admin.put('/company', { customers: { start: 'first' } });
    const { scenario, client, plan, payment_method } = await customer();
    await scenario.bank('insufficient_funds');
    const declined = await client.post('/subscriptions', { plan, payment_method, start_now: true });
    expect([declined.status, declined.body.subscription.status]).toEqual([402, 'CREATED']);
    const id = idIn(declined.body.subscription);
    const later = await client.post(`/subscriptions/${id}/start`, { collect: 'later' });
    expect([later.status, later.body.code, later.body.setting]).toEqual([
      403,
      'customer.not_allowed',
      'customers.start',
    ]);
    expect(
      (await client.post(`/subscriptions/${id}/start`, { starting_date: at('2026-04-02') })).status,
    ).toBe(422);
    const byAdmin = { plan, payment_method, user: scenario.user, start_now: true };
    expect(await world.admin.made('/subscriptions', byAdmin)).toMatchObject({ status: 'ACTIVE' });
  });
});
