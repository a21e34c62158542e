import { randomUUID } from 'node:crypto';
import Stripe from 'stripe';
import { refusalOf, type Sandbox, sandboxInProcess, savedCard } from './sandbox-harness.js';

const DAY_MS = 24 * 3_600_000;
let ahead = 0;
let sandbox: Sandbox;
let stripe: Stripe;

beforeAll(async () => {
  sandbox = await sandboxInProcess({ latencyMs: 20, now: () => Date.now() + ahead });
  stripe = sandbox.stripe;
});
afterAll(() => sandbox.close());

const fields = { amount: '100', currency: 'eur', payment_method: 'pm_card_visa', confirm: 'true' };
const post = (key: string, more: Record<string, string> = {}, path = '/v1/payment_intents') =>
  sandbox.raw('POST', path, { ...fields, ...more }, { 'idempotency-key': key });

describe('Idempotency-Key', () => {
  it('returns the first reply again, byte for byte, and charges once', async () => {
    const key = randomUUID();
    const first = await post(key);
    const again = await post(key);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.headers.get('request-id')).not.toBe(first.headers.get('request-id'));
    expect(again.text).toBe(first.text);
    const { id } = first.body;
    await stripe.paymentIntents.update(id, { metadata: { later: 'yes' } });
    expect((await post(key)).text).toBe(first.text);
  });

  it('does not mind the order of parameters', async () => {
    const key = randomUUID();
    const one = await sandbox.raw(
      'POST',
      '/v1/customers',
      { name: 'A', email: 'a@b.c' },
      { 'idempotency-key': key },
    );
    const two = await sandbox.raw(
      'POST',
      '/v1/customers',
      { email: 'a@b.c', name: 'A' },
      { 'idempotency-key': key },
    );
    expect(two.body.id).toBe(one.body.id);
  });

  it('refuses other parameters and other addresses under the same key', async () => {
    const key = randomUUID();
    await post(key);
    for (const misuse of [await post(key, { amount: '101' }), await post(key, {}, '/v1/customers')]) {
      expect(misuse.status).toBe(400);
    }
    const error = await refusalOf(
      stripe.paymentIntents.create({ amount: 102, currency: 'eur' }, { idempotencyKey: key }),
    );
    expect(error).toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
  });

  it('replies with 409 while the first request is in progress', async () => {
    const key = randomUUID();
    const answers = await Promise.all([post(key), post(key), post(key)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.error.code).toBe('idempotency_key_in_use');
    expect((await post(key)).status).toBe(200);
  });

  it('remembers declines and state conflicts, but not wrong parameters', async () => {
    const { customer } = await savedCard(sandbox, 'pm_card_visa');
    const key = randomUUID();
    const declined = await post(key, { payment_method: 'pm_card_chargeDeclined', customer });
    expect(declined.status).toBe(402);
    expect((await post(key, { payment_method: 'pm_card_chargeDeclined', customer })).text).toBe(
      declined.text,
    );
    expect((await stripe.charges.list({ customer })).data).toHaveLength(1);

    const wrong = randomUUID();
    expect((await post(wrong, { amount: 'x' })).status).toBe(400);
    expect((await post(wrong)).status).toBe(200);

    const { id } = await stripe.paymentIntents.create({ amount: 100, currency: 'eur' });
    const tooSoon = { idempotencyKey: randomUUID() };
    expect(await refusalOf(stripe.paymentIntents.confirm(id, {}, tooSoon))).toMatchObject({
      statusCode: 400,
    });
    await stripe.paymentIntents.update(id, { payment_method: 'pm_card_visa' });
    expect(await refusalOf(stripe.paymentIntents.confirm(id, {}, tooSoon))).toMatchObject({
      statusCode: 400,
    });
    expect((await stripe.paymentIntents.confirm(id)).status).toBe('succeeded');
  });

  it('is separate for each account', async () => {
    const key = randomUUID();
    const mine = await post(key);
    const theirs = await sandbox.raw('POST', '/v1/payment_intents', fields, {
      'idempotency-key': key,
      authorization: 'Bearer sk_test_somebodyelse',
    });
    expect(theirs.status).toBe(200);
    expect(theirs.body.id).not.toBe(mine.body.id);
  });

  it('has at most 255 characters', async () => {
    expect((await post('k'.repeat(255))).status).toBe(200);
    expect((await post('k'.repeat(256))).status).toBe(400);
  });

  it('is forgotten after a day', async () => {
    const key = randomUUID();
    const first = await post(key);
    ahead = DAY_MS - 5_000;
    expect((await post(key)).body.id).toBe(first.body.id);
    ahead = DAY_MS + 5_000;
    expect((await post(key)).body.id).not.toBe(first.body.id);
    ahead = 0;
  });
});
