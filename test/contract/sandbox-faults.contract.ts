import { randomUUID } from 'node:crypto';
import Stripe from 'stripe';
import { callProvider, eventually } from '@commerce/testing';
import { refusalOf, type Sandbox, sandboxInProcess, savedCard, stripeAt } from './sandbox-harness.js';

const TIMEOUT_MS = 300;
let sandbox: Sandbox;
/** A client with a short deadline, like a service. */
let hasty: Stripe;

beforeAll(async () => {
  sandbox = await sandboxInProcess();
  hasty = stripeAt(sandbox.port, sandbox.key, TIMEOUT_MS);
});
afterAll(() => sandbox.close());

/** A saved card, and one payment on it that is always sent under the same key. */
async function paymentOn(name: string) {
  const card = await savedCard(sandbox, name);
  const key = { idempotencyKey: randomUUID() };
  const params = { amount: 700, currency: 'eur', ...card, off_session: true, confirm: true } as const;
  return {
    customer: card.customer,
    pay: () => hasty.paymentIntents.create(params, key),
    payUnderNewKey: () => hasty.paymentIntents.create(params),
    charges: async () => (await sandbox.stripe.charges.list({ customer: card.customer })).data,
  };
}

const raw = (customer: string, path: string, fields: Record<string, string>) =>
  sandbox.raw('POST', `/sandbox/customers/${customer}/${path}`, fields);

describe('charged, but the reply does not arrive', () => {
  it.each([
    ['pm_card_fault_timeout_after_charge', Stripe.errors.StripeConnectionError],
    ['pm_card_fault_500_twice_after_charge', Stripe.errors.StripeAPIError],
    ['pm_card_fault_cut_after_charge', Stripe.errors.StripeError],
  ])('%s: the same key returns the reply, one charge is made', async (name, kind) => {
    const { pay, charges } = await paymentOn(name);
    expect(await refusalOf(pay())).toBeInstanceOf(kind);
    expect(await charges()).toHaveLength(1);
    if (name.includes('twice')) expect(await refusalOf(pay())).toBeInstanceOf(kind);
    expect((await pay()).status).toBe('succeeded');
    expect(await charges()).toHaveLength(1);
  });

  it('pm_card_fault_reset_after_charge: the connection ends, the same key returns the reply', async () => {
    const { customer, payment_method } = await savedCard(sandbox, 'pm_card_fault_reset_after_charge');
    const fields = { amount: '700', currency: 'eur', customer, payment_method, confirm: 'true' };
    const send = () =>
      sandbox.raw('POST', '/v1/payment_intents', fields, { 'idempotency-key': `reset ${customer}` });
    await expect(send()).rejects.toThrow('fetch failed');
    const again = await send();
    expect(again.body.status).toBe('succeeded');
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await sandbox.stripe.charges.list({ customer })).data).toHaveLength(1);
  });

  it('pm_card_fault_500_after_charge: the key always returns 500, the list shows the truth', async () => {
    const { pay, charges, customer } = await paymentOn('pm_card_fault_500_after_charge');
    for (let n = 0; n < 3; n++) expect(await refusalOf(pay())).toMatchObject({ statusCode: 500 });
    expect(await charges()).toMatchObject([{ status: 'succeeded', amount: 700 }]);
    expect((await sandbox.stripe.paymentIntents.list({ customer })).data).toMatchObject([
      { status: 'succeeded' },
    ]);
  });
});

describe('lost on the way to the provider', () => {
  it.each([
    ['pm_card_fault_timeout_once', Stripe.errors.StripeConnectionError],
    ['pm_card_fault_500_once', Stripe.errors.StripeAPIError],
    ['pm_card_fault_429_once', Stripe.errors.StripeRateLimitError],
  ])('%s: nothing is charged, the same request sent again goes through', async (name, kind) => {
    const { pay, payUnderNewKey, charges } = await paymentOn(name);
    expect(await refusalOf(pay())).toBeInstanceOf(kind);
    expect(await charges()).toEqual([]);
    expect((await pay()).status).toBe('succeeded');
    expect((await pay()).status).toBe('succeeded');
    expect(await charges()).toHaveLength(1);
    expect(await refusalOf(payUnderNewKey())).toBeInstanceOf(kind);
  });

  it('breaks the confirmation of an intent once when there is no key', async () => {
    const { customer, payment_method } = await savedCard(sandbox, 'pm_card_fault_500_once');
    const intent = await sandbox.stripe.paymentIntents.create({ amount: 100, currency: 'eur', customer });
    const confirm = () => sandbox.raw('POST', `/v1/payment_intents/${intent.id}/confirm`, { payment_method });
    expect((await confirm()).status).toBe(500);
    expect((await confirm()).body.status).toBe('succeeded');
  });

  it('pm_card_fault_reset_once: nothing is charged', async () => {
    const { customer, payment_method } = await savedCard(sandbox, 'pm_card_fault_reset_once');
    const fields = { amount: '700', currency: 'eur', customer, payment_method, confirm: 'true' };
    await expect(
      sandbox.raw('POST', '/v1/payment_intents', fields, { 'idempotency-key': 'x' }),
    ).rejects.toThrow();
    expect((await sandbox.stripe.charges.list({ customer })).data).toEqual([]);
  });

  it('pm_card_fault_slow_charge: the reply takes its time, and meanwhile the key is in use', async () => {
    const slow = await sandboxInProcess({ settleAfterMs: 1500 });
    const { customer, payment_method } = await savedCard(slow, 'pm_card_fault_slow_charge');
    const fields = { amount: '700', currency: 'eur', customer, payment_method, confirm: 'true' };
    const send = () => slow.raw('POST', '/v1/payment_intents', fields, { 'idempotency-key': 'slow' });
    const first = send();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect((await send()).status).toBe(409);
    expect((await first).body.status).toBe('succeeded');
    await slow.close();
  });
});

describe('late outcomes', () => {
  it.each([
    ['pm_card_fault_late_success', 'succeeded', null],
    ['pm_card_fault_late_failure', 'requires_payment_method', 'card_declined'],
  ])('%s is processing first, then %s', async (name, status, code) => {
    const { pay } = await paymentOn(name);
    const intent = await pay();
    expect(intent.status).toBe('processing');
    expect(await refusalOf(hasty.paymentIntents.cancel(intent.id))).toMatchObject({ statusCode: 400 });
    await eventually(async () => (await hasty.paymentIntents.retrieve(intent.id)).status === status);
    const settled = await hasty.paymentIntents.retrieve(intent.id);
    expect(settled.last_payment_error?.code ?? null).toBe(code);
  });

  it('come immediately on POST /sandbox/settle', async () => {
    const slow = await sandboxInProcess({ settleAfterMs: 3_600_000 });
    const card = await savedCard(slow, 'pm_card_fault_late_success');
    const { id } = await slow.stripe.paymentIntents.create({
      amount: 500,
      currency: 'eur',
      ...card,
      confirm: true,
    });
    expect((await slow.raw('POST', '/sandbox/settle')).body.count).toBe(1);
    expect((await slow.stripe.paymentIntents.retrieve(id)).status).toBe('succeeded');
    expect((await slow.raw('POST', '/sandbox/settle')).body.count).toBe(0);
    await slow.close();
  });
});

describe('POST /sandbox/customers/<id>/behaviour', () => {
  it('declines the next charges, then leaves the decision to the card', async () => {
    const { customer, payUnderNewKey } = await paymentOn('pm_card_visa');
    const set = await raw(customer, 'behaviour', { next: 'insufficient_funds', times: '2' });
    expect(set.body).toMatchObject({
      customer,
      next: ['insufficient_funds', 'insufficient_funds'],
      from_now: null,
    });
    for (let n = 0; n < 2; n++) {
      expect(await refusalOf(payUnderNewKey())).toMatchObject({ decline_code: 'insufficient_funds' });
    }
    expect((await payUnderNewKey()).status).toBe('succeeded');
  });

  it('determines all further outcomes, until it is reset', async () => {
    const { customer, payUnderNewKey } = await paymentOn('pm_card_chargeDeclined');
    await raw(customer, 'behaviour', {
      'next[0]': 'lost_card',
      'next[1]': 'succeed',
      from_now: 'do_not_honor',
    });
    expect(await refusalOf(payUnderNewKey())).toMatchObject({ decline_code: 'lost_card' });
    expect((await payUnderNewKey()).status).toBe('succeeded');
    for (let n = 0; n < 3; n++)
      expect(await refusalOf(payUnderNewKey())).toMatchObject({ decline_code: 'do_not_honor' });
    expect(
      (await sandbox.raw('DELETE', `/sandbox/customers/${customer}/behaviour`)).body.from_now,
    ).toBeNull();
    expect(await refusalOf(payUnderNewKey())).toMatchObject({ decline_code: 'generic_decline' });
  });

  it('makes any card ask for the customer once', async () => {
    const { customer, pay } = await paymentOn('pm_card_visa');
    await raw(customer, 'behaviour', { next: 'authentication_required' });
    const error = await refusalOf(pay());
    expect(error.code).toBe('authentication_required');
    const { id, client_secret, last_payment_error } = (error.raw as Stripe.StripeRawError).payment_intent!;
    const confirmed = await callProvider(sandbox.url, 'POST', `/v1/payment_intents/${id}/confirm`, {
      client_secret: client_secret ?? '',
      payment_method: last_payment_error?.payment_method?.id ?? '',
    });
    expect(confirmed.body.status).toBe('requires_action');
    await callProvider(sandbox.url, 'POST', `/authenticate/${id}`, { outcome: 'approve' });
    expect((await hasty.paymentIntents.retrieve(id)).status).toBe('succeeded');
  });

  it('uses up a fault by one request, whichever key comes next', async () => {
    const { customer, payUnderNewKey, charges } = await paymentOn('pm_card_visa');
    await raw(customer, 'behaviour', { next: '500_once' });
    expect(await refusalOf(payUnderNewKey())).toMatchObject({ statusCode: 500 });
    expect((await payUnderNewKey()).status).toBe('succeeded');
    expect(await charges()).toHaveLength(1);
  });

  it('refuses names it does not know and customers of others', async () => {
    const { customer } = await paymentOn('pm_card_visa');
    expect((await raw(customer, 'behaviour', { next: 'explode' })).body.error.param).toBe('next');
    expect((await raw('cus_none', 'behaviour', { next: 'succeed' })).status).toBe(404);
  });
});

describe('GET /sandbox/ledger', () => {
  it('sums the actual charges of each customer', async () => {
    const own = await sandboxInProcess();
    const good = await savedCard(own, 'pm_card_visa');
    const bad = await savedCard(own, 'pm_card_chargeDeclined');
    const pay = (card: typeof good, currency: string) =>
      own.stripe.paymentIntents.create({ amount: 400, currency, ...card, confirm: true });
    await pay(good, 'eur');
    await pay(good, 'usd');
    await refusalOf(pay(bad, 'eur'));
    const ledger = await own.raw('GET', '/sandbox/ledger');
    expect(ledger.body.currencies.eur).toMatchObject({ captured: 400, charges: 1, declined: 1 });
    expect(ledger.body.customers[good.customer].usd).toMatchObject({ captured: 400, net: 400 });
    expect(ledger.body.customers[bad.customer].eur).toMatchObject({ captured: 0, declined: 1 });
    await own.close();
  });
});
