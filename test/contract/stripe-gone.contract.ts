import {
  PayLinks,
  PayPages,
  PaymentMethods,
  type PaymentMethodRecord,
  type PaymentRecord,
} from '@commerce/payments';
import type { UserRecord } from '@commerce/identity';

import { PaymentsBench } from './stripe-harness.js';

let bench: PaymentsBench;

beforeAll(async () => {
  bench = await PaymentsBench.start();
});
afterAll(() => bench.stop());

const OTHER = `sk_test_${'0'.repeat(32)}`;

/** What takes the customers of a user away from the service. */
const LOSSES: [string, (customer: string) => Promise<void>][] = [
  [
    'a customer that was deleted at the provider',
    async (customer) => {
      await bench.sandbox.stripe.customers.del(customer);
    },
  ],
  [
    'another account that the key now belongs to',
    async () => {
      bench.line.switched = [bench.sandbox.key, OTHER];
    },
  ],
];

async function open(user: UserRecord): Promise<PaymentMethodRecord> {
  return bench.app.get(PaymentMethods).create(bench.as(user), { payment_method: 'stripe', user: null });
}

/** A user, whose card is saved, and a charge that the bank has declined. */
async function debtor(): Promise<{ user: UserRecord; card: PaymentMethodRecord; owed: PaymentRecord }> {
  const user = await bench.user();
  const card = await bench.card('pm_card_visa', user);
  await bench.script(card, { 'next[0]': 'insufficient_funds' });
  const owed = await bench.charged(card);
  expect(owed).toMatchObject({ status: 'FAILED', attempts: [{ code: 'insufficient_funds' }] });
  return { user, card, owed };
}

describe.each(LOSSES)('%s', (_, lose) => {
  afterEach(() => {
    bench.line.switched = null;
  });

  it('makes way for one new customer, whose card pays what is owed', async () => {
    const { user, card, owed } = await debtor();
    await lose(card.customer_id!);
    const made = await Promise.all([open(user), open(user), open(user)]);
    const customers = new Set(made.map(({ customer_id }) => customer_id));
    expect([customers.size, customers.has(card.customer_id)]).toEqual([1, false]);
    const fresh = await bench.card('pm_card_mastercard', user);
    expect(customers).toContain(fresh.customer_id);
    // The old card is refused for good; the new one pays once.
    expect(await bench.again(owed, card)).toMatchObject({
      status: 'FAILED',
      attempts: [{}, { status: 'FAILED', decline: 'hard' }],
    });
    const paid = await bench.again(owed, fresh);
    expect(paid).toMatchObject({ status: 'SUCCEEDED', amount: 100 });
    expect(paid.provider.intent_id).not.toBe(owed.provider.intent_id);
  });

  it('may be followed by another loss', async () => {
    const user = await bench.user();
    const first = await bench.card('pm_card_visa', user);
    await lose(first.customer_id!);
    const second = await bench.card('pm_card_visa', user);
    bench.line.switched = null;
    await bench.sandbox.stripe.customers.del(second.customer_id!).catch(() => undefined);
    const third = await bench.card('pm_card_visa', user);
    const customers = new Set([first, second, third].map(({ customer_id }) => customer_id));
    expect(customers.size).toBe(3);
    expect(await bench.charged(third)).toMatchObject({ status: 'SUCCEEDED' });
  });

  it('is no reason to try again with a payment method opened before', async () => {
    const user = await bench.user();
    const empty = await open(user);
    await lose(empty.customer_id!);
    const update = bench.app
      .get(PaymentMethods)
      .update(bench.as(user), empty._id.toHexString(), { payment_method_id: 'pm_card_visa' });
    await expect(update).rejects.toMatchObject({ code: 'payment_method.state_conflict' });
  });
});

describe('another account that the key now belongs to', () => {
  afterEach(() => {
    bench.line.switched = null;
  });
  beforeEach(() => {
    bench.line.switched = null;
  });
  const toOther = (): void => {
    bench.line.switched = [bench.sandbox.key, OTHER];
  };

  it('refuses refunds for good: they stay owed', async () => {
    const card = await bench.card();
    const paid = await bench.charged(card);
    toOther();
    const id = paid._id.toHexString();
    const after = await bench.payments.refund(bench.admin, id, { amount: 30, reason: 'goodwill' });
    expect(after).toMatchObject({ refunds: [{ status: 'FAILED', code: 'resource_missing' }] });
  });

  it('does not decide a charge whose answer from the old account is missing', async () => {
    const user = await bench.user();
    const card = await bench.card('pm_card_visa', user);
    await bench.script(card, { 'next[0]': 'timeout_after_charge' });
    const asked = await bench.charged(card);
    expect(asked.status).toBe('UNKNOWN');
    toOther();
    expect(await bench.checked(asked)).toMatchObject({ status: 'UNKNOWN' });
    const link = await bench.app.get(PayLinks).urlOf(asked);
    const look = bench.app.get(PayPages).refresh(link.split('/').at(-1)!);
    await expect(look).rejects.toMatchObject({
      code: 'provider.refused',
      details: { reason: 'resource_missing' },
    });
    bench.line.switched = null;
    expect(await bench.checked(asked)).toMatchObject({ status: 'SUCCEEDED' });
    expect(await bench.ledger(card)).toMatchObject({ captured: 10_000, charges: 1 });
  });

  it('ends the authentication of a payment that it does not have', async () => {
    const card = await bench.card('pm_card_authenticationRequired');
    const asked = await bench.charged(card);
    expect(asked.status).toBe('REQUIRES_AUTH');
    toOther();
    const user = await bench.app.get(PaymentMethods).get(bench.admin, card._id.toHexString());
    const owner = { ...bench.admin, role: 'user' as const, user: user.user };
    const confirm = bench.payments.confirm(owner, asked._id.toHexString(), {
      payment_intent_id: asked.metadata.payment_intent_id!,
      payment_client_secret: asked.client_secret!,
    });
    expect(await confirm).toMatchObject({ status: 'REQUIRES_AUTH' });
  });
});
