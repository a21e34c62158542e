import Stripe from 'stripe';
import { callProvider } from '@commerce/testing';
import { refusalOf, type Sandbox, sandboxInProcess, savedCard, stripeAt } from './sandbox-harness.js';

let sandbox: Sandbox;
let stripe: Stripe;

beforeAll(async () => {
  sandbox = await sandboxInProcess();
  stripe = sandbox.stripe;
});
afterAll(() => sandbox.close());

const charge = (more: Partial<Stripe.PaymentIntentCreateParams> = {}): Stripe.PaymentIntentCreateParams => ({
  amount: 1234,
  currency: 'eur',
  payment_method: 'pm_card_visa',
  allowed_payment_method_types: ['card'],
  confirm: true,
  ...more,
});

describe('keys', () => {
  it('takes any test key, as Bearer and as Basic, and keeps their accounts apart', async () => {
    const customer = await stripe.customers.create({ name: 'Ada' });
    const basic = `Basic ${Buffer.from(`${sandbox.key}:`).toString('base64')}`;
    const seen = await callProvider(
      sandbox.url,
      'GET',
      `/v1/customers/${customer.id}`,
      {},
      { authorization: basic },
    );
    expect(seen.body).toMatchObject({ id: customer.id, object: 'customer', name: 'Ada', livemode: false });
    const foreign = await refusalOf(stripeAt(sandbox.port).customers.retrieve(customer.id));
    expect(foreign).toMatchObject({ statusCode: 404, code: 'resource_missing' });
  });

  it('refuses everything else with 401', async () => {
    for (const key of ['sk_live_abcdefgh', 'pk_test_abcdefgh', 'nonsense']) {
      const refusal = await refusalOf(stripeAt(sandbox.port, key).customers.list());
      expect(refusal).toBeInstanceOf(Stripe.errors.StripeAuthenticationError);
    }
    const none = await callProvider(sandbox.url, 'GET', '/v1/customers');
    expect(none.status).toBe(401);
    expect(none.headers.get('request-id')).toMatch(/^req_\w{14}$/);
  });
});

describe('requests', () => {
  it('reads nested forms', async () => {
    const made = await stripe.customers.create({
      name: 'Ada & Söhne + 1',
      metadata: { plan: 'a=b&c', 'odd[key]': 'x' },
      address: { city: 'Zürich', country: 'CH' },
      shipping: { name: 'Bob', address: { line1: '1 Way' } },
    });
    expect(made.name).toBe('Ada & Söhne + 1');
    expect(made.metadata.plan).toBe('a=b&c');
    expect(made.address).toMatchObject({ city: 'Zürich', country: 'CH' });
    expect(made.shipping).toMatchObject({ name: 'Bob', address: { line1: '1 Way' } });
  });

  it('names missing, malformed, unknown and oversized parameters', async () => {
    const bad = async (fields: object) => refusalOf(stripe.paymentIntents.create(fields as never));
    expect(await bad({ currency: 'eur' })).toMatchObject({ code: 'parameter_missing', param: 'amount' });
    expect(await bad({ amount: 100 })).toMatchObject({ code: 'parameter_missing', param: 'currency' });
    expect(await bad({ amount: 1.5, currency: 'eur' })).toMatchObject({ code: 'parameter_invalid_integer' });
    expect(await bad({ amount: 0, currency: 'eur' })).toMatchObject({ param: 'amount', statusCode: 400 });
    expect(await bad({ amount: 49, currency: 'eur' })).toMatchObject({
      code: 'amount_too_small',
      param: 'amount',
      statusCode: 400,
    });
    expect(await bad({ amount: 100, currency: 'zzz' })).toMatchObject({ param: 'currency' });
    expect(await bad({ amount: 1005, currency: 'kwd' })).toMatchObject({ param: 'amount' });
    expect(await bad({ amount: 1, currency: 'eur', colour: 'red' })).toMatchObject({
      code: 'parameter_unknown',
      param: 'colour',
    });
    expect(await bad({ amount: 1, currency: 'eur', customer: 'cus_none' })).toMatchObject({
      statusCode: 400,
      code: 'resource_missing',
      param: 'customer',
    });
    expect(await bad({ amount: 1, currency: 'eur', metadata: { k: 'v'.repeat(501) } })).toMatchObject({
      param: 'metadata[k]',
    });
    const nowhere = await sandbox.raw('GET', '/v1/nowhere');
    expect(nowhere).toMatchObject({ status: 404, body: { error: { type: 'invalid_request_error' } } });
  });
});

describe('customers', () => {
  it('are updated field by field, listed by email, and deleted with their cards', async () => {
    const email = `ada${Date.now()}@example.org`;
    const made = await stripe.customers.create({ email, metadata: { a: '1', b: '2' } });
    const updated = await stripe.customers.update(made.id, { name: 'Ada', metadata: { a: '', c: '3' } });
    expect(updated).toMatchObject({ name: 'Ada', email, metadata: { b: '2', c: '3' } });
    expect((await stripe.customers.list({ email })).data.map(({ id }) => id)).toEqual([made.id]);
    const card = await stripe.paymentMethods.attach('pm_card_mastercard', { customer: made.id });
    expect(await stripe.customers.del(made.id)).toEqual(
      expect.objectContaining({ id: made.id, object: 'customer', deleted: true }),
    );
    expect(await stripe.customers.retrieve(made.id)).toMatchObject({ deleted: true });
    expect((await stripe.paymentMethods.retrieve(card.id)).customer).toBeNull();
    expect((await stripe.customers.list({ email })).data).toEqual([]);
  });
});

describe('payment methods', () => {
  it('become fresh ones of their own when a published id is attached', async () => {
    const customer = await stripe.customers.create();
    const [one, two] = await Promise.all([
      stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id }),
      stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id }),
    ]);
    expect(one.id).toMatch(/^pm_\w{24}$/);
    expect(one.id).not.toBe(two.id);
    expect(one).toMatchObject({
      customer: customer.id,
      type: 'card',
      card: { brand: 'visa', last4: '4242' },
    });
    expect((await stripe.customers.listPaymentMethods(customer.id)).data).toHaveLength(2);
    expect((await stripe.paymentMethods.list({ customer: customer.id, type: 'card' })).data).toHaveLength(2);
  });

  it('come from numbers and tokens of published test cards only', async () => {
    const card = (fields: Record<string, unknown>) =>
      stripe.paymentMethods.create({ type: 'card', card: fields });
    const made = await card({ number: '5555 5555 5555 4444', exp_month: 12, exp_year: 2040, cvc: '123' });
    expect(made.card).toMatchObject({ brand: 'mastercard', last4: '4444', exp_month: 12, exp_year: 2040 });
    expect((await card({ token: 'tok_amex' })).card).toMatchObject({ brand: 'amex' });
    const refused = async (fields: Record<string, unknown>) => (await refusalOf(card(fields))).code;
    expect(await refused({ number: '4242424242424241', exp_month: 12, exp_year: 2040 })).toBe(
      'incorrect_number',
    );
    expect(await refused({ number: '4111111111111111', exp_month: 12, exp_year: 2040 })).toBe(
      'card_declined',
    );
    expect(await refused({ number: '4242424242424242', exp_month: 13, exp_year: 2040 })).toBe(
      'invalid_expiry_month',
    );
    expect(await refused({ number: '4242424242424242', exp_month: 1, exp_year: 2020 })).toBe(
      'invalid_expiry_year',
    );
    expect(await refused({ number: '4242424242424242', exp_month: 1, exp_year: 2040, cvc: '1' })).toBe(
      'invalid_cvc',
    );
  });

  it('cannot be used by another customer, nor once they are detached', async () => {
    const mine = await savedCard(sandbox, 'pm_card_visa');
    const other = await stripe.customers.create();
    expect(
      await refusalOf(stripe.paymentIntents.create(charge({ ...mine, customer: other.id }))),
    ).toMatchObject({
      param: 'payment_method',
    });
    expect((await stripe.paymentMethods.detach(mine.payment_method)).customer).toBeNull();
    expect(await refusalOf(stripe.paymentIntents.create(charge(mine)))).toMatchObject({ statusCode: 400 });
    expect(
      await refusalOf(stripe.paymentMethods.attach(mine.payment_method, { customer: mine.customer })),
    ).toMatchObject({ statusCode: 400 });
  });
});
