import Stripe from 'stripe';
import { refusalOf, type Sandbox, sandboxInProcess, savedCard } from './sandbox-harness.js';

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

describe('payment intents', () => {
  it('are charged when they are created with confirm', async () => {
    const card = await savedCard(sandbox, 'pm_card_visa');
    const intent = await stripe.paymentIntents.create({
      ...charge(card),
      off_session: true,
      metadata: { payment: 'p1' },
      expand: ['latest_charge', 'customer', 'payment_method'],
    });
    expect(intent).toMatchObject({
      status: 'succeeded',
      amount: 1234,
      amount_received: 1234,
      currency: 'eur',
      metadata: { payment: 'p1' },
      customer: { id: card.customer, object: 'customer' },
      payment_method: { id: card.payment_method, object: 'payment_method' },
      latest_charge: { object: 'charge', paid: true, amount: 1234, metadata: { payment: 'p1' } },
      last_payment_error: null,
      next_action: null,
    });
    expect(intent.client_secret).toMatch(new RegExp(`^${intent.id}_secret_\\w{25}$`));
  });

  it('go from creation over confirmation to success, and no further', async () => {
    const made = await stripe.paymentIntents.create({
      amount: 500,
      currency: 'jpy',
      allowed_payment_method_types: ['card'],
    });
    expect(made.status).toBe('requires_payment_method');
    expect(await refusalOf(stripe.paymentIntents.confirm(made.id))).toMatchObject({
      code: 'payment_intent_unexpected_state',
    });
    const updated = await stripe.paymentIntents.update(made.id, {
      amount: 600,
      payment_method: 'pm_card_visa',
    });
    expect(updated).toMatchObject({ status: 'requires_confirmation', amount: 600 });
    expect((await stripe.paymentIntents.confirm(made.id)).status).toBe('succeeded');
    for (const again of [
      () => stripe.paymentIntents.confirm(made.id, { payment_method: 'pm_card_visa' }),
      () => stripe.paymentIntents.cancel(made.id),
      () => stripe.paymentIntents.update(made.id, { amount: 1 }),
    ]) {
      expect(await refusalOf(again())).toMatchObject({
        statusCode: 400,
        code: 'payment_intent_unexpected_state',
      });
    }
    expect((await stripe.charges.list({ payment_intent: made.id })).data).toHaveLength(1);
  });

  it('can be canceled until they are charged', async () => {
    const made = await stripe.paymentIntents.create({ ...charge(), confirm: false });
    const gone = await stripe.paymentIntents.cancel(made.id, { cancellation_reason: 'abandoned' });
    expect(gone).toMatchObject({ status: 'canceled', cancellation_reason: 'abandoned' });
    expect(await refusalOf(stripe.paymentIntents.confirm(made.id))).toMatchObject({ statusCode: 400 });
  });

  it.each([
    ['pm_card_chargeDeclined', 'card_declined', 'generic_decline'],
    ['pm_card_visa_chargeDeclined', 'card_declined', 'generic_decline'],
    ['pm_card_chargeDeclinedInsufficientFunds', 'card_declined', 'insufficient_funds'],
    ['pm_card_chargeDeclinedLostCard', 'card_declined', 'lost_card'],
    ['pm_card_chargeDeclinedStolenCard', 'card_declined', 'stolen_card'],
    ['pm_card_chargeDeclinedExpiredCard', 'expired_card', ''],
    ['pm_card_chargeDeclinedIncorrectCvc', 'incorrect_cvc', ''],
    ['pm_card_chargeDeclinedProcessingError', 'processing_error', ''],
    ['pm_card_chargeCustomerFail', 'card_declined', 'generic_decline'],
  ])('saves %s and declines its charge with %s, %s', async (card, code, decline_code) => {
    const saved = await savedCard(sandbox, card);
    const error = await refusalOf(stripe.paymentIntents.create({ ...charge(saved), off_session: true }));
    expect(error).toBeInstanceOf(Stripe.errors.StripeCardError);
    expect(error).toMatchObject({ statusCode: 402, code, decline_code });
    const raw = error.raw as Stripe.StripeRawError;
    expect(raw.payment_method?.id).toBe(saved.payment_method);
    const intent = await stripe.paymentIntents.retrieve(raw.payment_intent?.id ?? '', {
      expand: ['latest_charge'],
    });
    expect(intent).toMatchObject({
      status: 'requires_payment_method',
      payment_method: null,
      last_payment_error: { code, payment_method: { id: saved.payment_method } },
      latest_charge: { status: 'failed', paid: false, failure_code: code },
    });
    const retried = await stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' });
    expect(retried).toMatchObject({ status: 'succeeded', last_payment_error: null });
    expect(
      (await stripe.charges.list({ payment_intent: intent.id })).data.map(({ status }) => status),
    ).toEqual(['succeeded', 'failed']);
  });
});

describe('lists', () => {
  it('page newest first, both ways, narrowed to a customer', async () => {
    const card = await savedCard(sandbox, 'pm_card_visa');
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.unshift((await stripe.paymentIntents.create(charge(card))).id);
    const { customer } = card;
    const first = await stripe.paymentIntents.list({ customer, limit: 2 });
    expect(first).toMatchObject({ object: 'list', has_more: true, url: '/v1/payment_intents' });
    expect(first.data.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    const next = await stripe.paymentIntents.list({ customer, limit: 3, starting_after: ids[1] });
    expect(next).toMatchObject({ has_more: false });
    expect(next.data.map(({ id }) => id)).toEqual(ids.slice(2));
    const back = await stripe.paymentIntents.list({ customer, limit: 2, ending_before: ids[4] });
    expect(back.data.map(({ id }) => id)).toEqual(ids.slice(2, 4));
    const all = await stripe.paymentIntents.list({ customer, limit: 2 }).autoPagingToArray({ limit: 100 });
    expect(all.map(({ id }) => id)).toEqual(ids);
    const { data } = await stripe.charges.list({ customer, expand: ['data.payment_intent'] });
    expect(data.map((each) => (each.payment_intent as Stripe.PaymentIntent).id)).toEqual(ids);
    expect(await refusalOf(stripe.charges.list({ limit: 101 }))).toMatchObject({ param: 'limit' });
    expect(await refusalOf(stripe.paymentIntents.retrieve(ids[0]!, { expand: ['amount'] }))).toMatchObject({
      param: 'expand',
    });
  });
});
