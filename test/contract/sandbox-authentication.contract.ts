import Stripe from 'stripe';
import { callProvider } from '@commerce/testing';
import { answerBank, refusalOf, type Sandbox, sandboxInProcess, savedCard } from './sandbox-harness.js';

let sandbox: Sandbox;
let stripe: Stripe;

beforeAll(async () => {
  sandbox = await sandboxInProcess({ merchant: 'Corner <shop>' });
  stripe = sandbox.stripe;
});
afterAll(() => sandbox.close());

type Card = Awaited<ReturnType<typeof savedCard>>;
const offSession = (card: Card) =>
  stripe.paymentIntents.create({ amount: 3000, currency: 'eur', ...card, off_session: true, confirm: true });
const onSession = (card: Card) =>
  stripe.paymentIntents.create({ amount: 3000, currency: 'eur', ...card, confirm: true });
const intentOf = (error: Stripe.errors.StripeError): string =>
  (error.raw as Stripe.StripeRawError).payment_intent?.id ?? '';
const statusOf = async (id: string) => (await stripe.paymentIntents.retrieve(id)).status;

describe('a charge without the customer', () => {
  it.each(['pm_card_authenticationRequired', 'pm_card_threeDSecure2Required'])(
    'is refused for %s although the card was set up',
    async (name) => {
      const card = await savedCard(sandbox, name);
      const error = await refusalOf(offSession(card));
      expect(error).toMatchObject({
        statusCode: 402,
        type: 'StripeCardError',
        code: 'authentication_required',
      });
      const intent = await stripe.paymentIntents.retrieve(intentOf(error), { expand: ['latest_charge'] });
      expect(intent).toMatchObject({
        status: 'requires_payment_method',
        payment_method: null,
        next_action: null,
        last_payment_error: {
          type: 'card_error',
          code: 'authentication_required',
          decline_code: 'authentication_required',
          payment_method: { id: card.payment_method },
        },
        latest_charge: { status: 'failed', failure_code: 'authentication_required' },
      });
    },
  );

  it('goes through when authentication was done once, at setup', async () => {
    const card = await savedCard(sandbox, 'pm_card_authenticationRequiredOnSetup');
    expect((await offSession(card)).status).toBe('succeeded');
    expect((await onSession(card)).status).toBe('requires_action');
  });

  it('is refused when that card was attached without a setup', async () => {
    const { id: customer } = await stripe.customers.create();
    const { id } = await stripe.paymentMethods.attach('pm_card_authenticationRequiredOnSetup', { customer });
    const card = { customer, payment_method: id, allowed_payment_method_types: ['card'] };
    expect(await refusalOf(offSession(card))).toMatchObject({ code: 'authentication_required' });
  });

  it('goes through for a card that counts as set up from the start', async () => {
    const card = await savedCard(sandbox, 'pm_card_authenticationRequiredSetupForOffSession');
    expect((await offSession(card)).status).toBe('succeeded');
    expect((await onSession(card)).status).toBe('requires_action');
  });
});

describe('a customer with the client secret and no key', () => {
  const confirm = (id: string, fields: Record<string, string>) =>
    callProvider(sandbox.url, 'POST', `/v1/payment_intents/${id}/confirm`, fields);

  it('comes back to authenticate a refused charge', async () => {
    const card = await savedCard(sandbox, 'pm_card_authenticationRequired');
    const id = intentOf(await refusalOf(offSession(card)));
    const { client_secret } = await stripe.paymentIntents.retrieve(id);
    const confirmed = await confirm(id, {
      client_secret: client_secret ?? '',
      payment_method: card.payment_method,
      return_url: 'https://shop.example/thanks?order=1',
    });
    expect(confirmed.status).toBe(200);
    expect(confirmed.body).toMatchObject({
      status: 'requires_action',
      next_action: { type: 'redirect_to_url', redirect_to_url: { url: `${sandbox.url}/authenticate/${id}` } },
    });
    const back = await answerBank(confirmed.body, 'approve');
    expect(back.status).toBe(303);
    const address = new URL(back.headers.get('location') ?? '');
    expect(Object.fromEntries(address.searchParams)).toEqual({
      order: '1',
      payment_intent: id,
      payment_intent_client_secret: client_secret,
      redirect_status: 'succeeded',
    });
    expect(await statusOf(id)).toBe('succeeded');
    const mine = await callProvider(sandbox.url, 'GET', `/v1/payment_intents/${id}`, {
      client_secret: client_secret ?? '',
    });
    expect(mine.body.status).toBe('succeeded');
  });

  it('need not name the refused card again', async () => {
    const card = await savedCard(sandbox, 'pm_card_authenticationRequired');
    const id = intentOf(await refusalOf(offSession(card)));
    const { client_secret } = await stripe.paymentIntents.retrieve(id);
    const confirmed = await confirm(id, { client_secret: client_secret ?? '' });
    expect(confirmed.body.status).toBe('requires_action');
  });

  it('reaches nothing with another secret, and may not charge as the merchant does', async () => {
    const { id, client_secret } = await stripe.paymentIntents.create({ amount: 100, currency: 'eur' });
    const other = await stripe.paymentIntents.create({ amount: 100, currency: 'eur' });
    const wrong = await confirm(id, {
      client_secret: other.client_secret ?? '',
      payment_method: 'pm_card_visa',
    });
    expect(wrong.status).toBe(400);
    expect((await confirm(id, { payment_method: 'pm_card_visa' })).status).toBe(401);
    const away = { client_secret: client_secret ?? '', payment_method: 'pm_card_visa', off_session: 'true' };
    expect((await confirm(id, away)).status).toBe(400);
    expect((await callProvider(sandbox.url, 'POST', `/v1/payment_intents/${id}/cancel`, {})).status).toBe(
      401,
    );
    expect(await statusOf(id)).toBe('requires_payment_method');
  });

  it('saves a card', async () => {
    const { id: customer } = await stripe.customers.create();
    const { id, client_secret } = await stripe.setupIntents.create({ customer, usage: 'off_session' });
    const saved = await callProvider(sandbox.url, 'POST', `/v1/setup_intents/${id}/confirm`, {
      client_secret: client_secret ?? '',
      payment_method: 'pm_card_visa',
    });
    expect(saved.body).toMatchObject({ status: 'succeeded', usage: 'off_session', customer });
    const method = await stripe.paymentMethods.retrieve(saved.body.payment_method);
    expect(method).toMatchObject({ customer, card: { brand: 'visa' } });
  });
});

describe("the bank's page", () => {
  it('is a plain form that shows the request', async () => {
    const card = await savedCard(sandbox, 'pm_card_authenticationRequired');
    const { id, status } = await onSession(card);
    expect(status).toBe('requires_action');
    const page = await callProvider(sandbox.url, 'GET', `/authenticate/${id}`);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.text).toContain('<form method="post">');
    expect(page.text).toMatch(/name="outcome" value="approve".*name="outcome" value="decline"/s);
    expect(page.text).toContain('€30.00');
    expect(page.text).toContain('Visa •••• 3184');
    expect(page.text).toContain('Corner &#60;shop&#62;');
    expect(page.text).not.toContain('<script');
  });

  it('can be opened immediately after a refusal for the absence of the customer', async () => {
    const card = await savedCard(sandbox, 'pm_card_authenticationRequired');
    const id = intentOf(await refusalOf(offSession(card)));
    const page = await callProvider(sandbox.url, 'GET', `/authenticate/${id}`);
    expect(page.text).toContain('Approve this payment?');
    await callProvider(sandbox.url, 'POST', `/authenticate/${id}`, { outcome: 'approve' });
    expect(await stripe.paymentIntents.retrieve(id)).toMatchObject({
      status: 'succeeded',
      payment_method: card.payment_method,
      last_payment_error: null,
    });
  });

  it('shows otherwise that there is nothing to approve', async () => {
    expect((await callProvider(sandbox.url, 'GET', '/authenticate/pi_none')).status).toBe(404);
    const { id } = await onSession(await savedCard(sandbox, 'pm_card_visa'));
    const page = await callProvider(sandbox.url, 'GET', `/authenticate/${id}`);
    expect(page.text).not.toContain('<form');
    expect(
      (await callProvider(sandbox.url, 'POST', `/authenticate/${id}`, { outcome: 'maybe' })).status,
    ).toBe(400);
  });

  it('accepts a no: the payment waits for another card', async () => {
    const { id } = await onSession(await savedCard(sandbox, 'pm_card_authenticationRequired'));
    await answerBank(await stripe.paymentIntents.retrieve(id), 'decline');
    expect(await stripe.paymentIntents.retrieve(id)).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code: 'payment_intent_authentication_failure' },
      latest_charge: null,
    });
    expect((await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' })).status).toBe(
      'succeeded',
    );
  });

  it('counts once, whichever button follows', async () => {
    const intent = await onSession(await savedCard(sandbox, 'pm_card_authenticationRequired'));
    const pressed = await Promise.all(
      (['approve', 'approve', 'decline'] as const).map((outcome) => answerBank(intent, outcome)),
    );
    expect(pressed.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await statusOf(intent.id)).toBe('succeeded');
    expect((await stripe.charges.list({ payment_intent: intent.id })).data).toHaveLength(1);
  });

  it('knows cards that are declined after approval', async () => {
    const { id: customer } = await stripe.customers.create();
    const { id: payment_method } = await stripe.paymentMethods.attach(
      'pm_card_authenticationRequiredChargeDeclinedInsufficientFunds',
      { customer },
    );
    const intent = await onSession({ customer, payment_method, allowed_payment_method_types: ['card'] });
    await answerBank(intent, 'approve');
    expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { decline_code: 'insufficient_funds' },
    });
  });

  it('asks before a card is saved, and a no saves nothing', async () => {
    const { id: customer } = await stripe.customers.create();
    const setup = await stripe.setupIntents.create({
      customer,
      payment_method: 'pm_card_authenticationRequired',
      allowed_payment_method_types: ['card'],
      confirm: true,
    });
    expect(setup.status).toBe('requires_action');
    await answerBank(setup, 'decline');
    expect(await stripe.setupIntents.retrieve(setup.id)).toMatchObject({
      status: 'requires_payment_method',
      last_setup_error: { code: 'setup_intent_authentication_failure' },
    });
    expect((await stripe.customers.listPaymentMethods(customer)).data).toEqual([]);
    expect((await stripe.setupIntents.cancel(setup.id)).status).toBe('canceled');
  });
});
