import { ListPaymentMethodsQuery, PaymentMethods, type PaymentMethodRecord } from '@commerce/payments';
import { newId, parseQuery, replyJson, type Id } from '@commerce/records';

import { PaymentsBench } from './stripe-harness.js';

let bench: PaymentsBench;

beforeAll(async () => {
  bench = await PaymentsBench.start();
});
afterAll(() => bench.stop());

describe('payment methods', () => {
  it('are empty at first, and show their secret to the caller who requested it', async () => {
    const user = await bench.user();
    const methods = bench.app.get(PaymentMethods);
    const made = await methods.create(bench.as(user), { payment_method: 'STRIPE', user: null });
    const id = made._id.toHexString();
    expect(made).toMatchObject({
      payment_method: 'stripe',
      status: 'CREATED',
      payment_method_id: null,
      last4: null,
    });
    expect(made.setup_intent?.client_secret).toMatch(/^seti_.*_secret_/);
    expect((await methods.get(bench.as(user), id)).setup_intent).toEqual(made.setup_intent);
    expect((await methods.get(bench.admin, id)).setup_intent).toBeNull();
    expect(
      replyJson((await methods.list(bench.as(user), parseQuery(ListPaymentMethodsQuery, {}))).records),
    ).not.toContain('_secret');
  });

  it('are filled from the provider, whose customer is made once', async () => {
    const user = await bench.user();
    const [a, b] = await Promise.all([
      bench.card('pm_card_visa', user),
      bench.card('pm_card_mastercard', user),
    ]);
    expect(a).toMatchObject({
      status: 'ACTIVE',
      brand: 'visa',
      last4: '4242',
      type: 'card',
      setup_intent: null,
    });
    expect(b).toMatchObject({ brand: 'mastercard', last4: '4444' });
    expect(a.customer_id).toBe(b.customer_id);
    expect(a.exp_year).toBeGreaterThan(2025);
    const { data } = await bench.sandbox.stripe.customers.list({ limit: 100 });
    expect(data.filter(({ metadata }) => metadata['user'] === user._id.toHexString())).toHaveLength(1);
  });

  it('take a card that the library of the provider saved', async () => {
    const user = await bench.user();
    const methods = bench.app.get(PaymentMethods);
    const made = await methods.create(bench.as(user), { payment_method: 'stripe', user: null });
    const setup = made.setup_intent!.client_secret.split('_secret_')[0]!;
    const done = await bench.sandbox.stripe.setupIntents.confirm(setup, { payment_method: 'pm_card_visa' });
    const filled = await methods.update(bench.as(user), made._id.toHexString(), {
      payment_method_id: done.payment_method as string,
    });
    expect(filled).toMatchObject({ status: 'ACTIVE', payment_method_id: done.payment_method, default: true });
  });

  it("cannot hold another customer's card, nor an unknown one", async () => {
    const foreign = await bench.card();
    const user = await bench.user();
    const methods = bench.app.get(PaymentMethods);
    const made = await methods.create(bench.admin, { payment_method: 'stripe', user: user._id });
    const unknown = { code: 'payment_method.unknown', details: { errors: [{ path: 'payment_method_id' }] } };
    for (const payment_method_id of [foreign.payment_method_id!, 'pm_nothing']) {
      const update = methods.update(bench.as(user), made._id.toHexString(), { payment_method_id });
      await expect(update).rejects.toMatchObject(unknown);
    }
    await expect(methods.get(bench.as(await bench.user()), made._id.toHexString())).rejects.toMatchObject({
      code: 'payment_method.not_found',
    });
  });

  it('that are deleted can no longer be charged', async () => {
    const card = await bench.card();
    const deleted = await bench.app
      .get(PaymentMethods)
      .delete(bench.admin, card._id.toHexString(), { replacement: null });
    expect(deleted.deleted).toBe(true);
    expect(await bench.charged(card)).toMatchObject({
      status: 'FAILED',
      attempts: [{ code: 'payment_method.missing' }],
    });
  });
});

describe('a payment method in a request', () => {
  const referred = (user: { _id: Id }, id: Id): Promise<PaymentMethodRecord> =>
    bench.app.get(PaymentMethods).referred(bench.company, user._id, id, 'payment_method');

  it('is found when it belongs to the user and has a card', async () => {
    const user = await bench.user();
    const card = await bench.card('pm_card_visa', user);
    expect(await referred(user, card._id)).toMatchObject({ _id: card._id, last4: '4242' });
  });

  it('is refused while no card was saved in it', async () => {
    const user = await bench.user();
    const body = { payment_method: 'stripe', user: null };
    const empty = await bench.app.get(PaymentMethods).create(bench.as(user), body);
    await expect(referred(user, empty._id)).rejects.toMatchObject({
      code: 'payment_method.incomplete',
      details: { errors: [{ path: 'payment_method' }] },
    });
  });

  it('is unknown when it belongs to another user, was deleted, or never existed', async () => {
    const user = await bench.user();
    const unknown = {
      code: 'payment_method.unknown',
      details: { errors: [{ path: 'payment_method' }] },
    };
    const deleted = await bench.card('pm_card_visa', user);
    const query = { replacement: null };
    await bench.app.get(PaymentMethods).delete(bench.admin, deleted._id.toHexString(), query);
    for (const id of [(await bench.card())._id, deleted._id, newId()]) {
      await expect(referred(user, id)).rejects.toMatchObject(unknown);
    }
  });
});
