import Stripe from 'stripe';
import { eventually } from '@commerce/testing';
import { idOf, refusalOf, type Sandbox, sandboxInProcess, savedCard } from './sandbox-harness.js';

let sandbox: Sandbox;
let stripe: Stripe;

beforeAll(async () => {
  sandbox = await sandboxInProcess();
  stripe = sandbox.stripe;
});
afterAll(() => sandbox.close());

async function paid(name = 'pm_card_visa', amount = 10_000) {
  const card = await savedCard(sandbox, name);
  const intent = await stripe.paymentIntents.create({ amount, currency: 'eur', ...card, confirm: true });
  return { id: intent.id, customer: card.customer, charge: idOf(intent.latest_charge) };
}
const ledgerOf = async (customer: string) =>
  (await sandbox.raw('GET', '/sandbox/ledger', { customer })).body.currencies;

describe('refunds', () => {
  it('refund a part, then the rest, and no more', async () => {
    const { id, customer, charge } = await paid();
    const part = await stripe.refunds.create({
      payment_intent: id,
      amount: 3_000,
      reason: 'requested_by_customer',
    });
    expect(part).toMatchObject({
      object: 'refund',
      amount: 3_000,
      status: 'succeeded',
      charge,
      payment_intent: id,
    });
    expect(await stripe.charges.retrieve(charge)).toMatchObject({ amount_refunded: 3_000, refunded: false });
    expect((await stripe.refunds.create({ charge })).amount).toBe(7_000);
    expect(await refusalOf(stripe.refunds.create({ charge }))).toMatchObject({
      code: 'charge_already_refunded',
    });
    const shown = await stripe.charges.retrieve(charge, { expand: ['refunds'] });
    expect(shown).toMatchObject({ amount_refunded: 10_000, refunded: true });
    expect(shown.refunds?.data.map(({ amount }) => amount)).toEqual([7_000, 3_000]);
    expect((await stripe.refunds.list({ charge })).data).toHaveLength(2);
    expect(await ledgerOf(customer)).toEqual({
      eur: { captured: 10_000, refunded: 10_000, net: 0, charges: 1, declined: 0, pending: 0 },
    });
  });

  it('never exceed the charge, with concurrent requests too', async () => {
    const { charge } = await paid();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () => stripe.refunds.create({ charge, amount: 1_500 })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(6);
    expect((await stripe.charges.retrieve(charge)).amount_refunded).toBe(9_000);
    expect(await refusalOf(stripe.refunds.create({ charge, amount: 1_001 }))).toMatchObject({
      param: 'amount',
    });
    expect((await stripe.refunds.create({ charge, amount: 1_000 })).status).toBe('succeeded');
  });

  it('need a charge that went through', async () => {
    const open = await stripe.paymentIntents.create({ amount: 100, currency: 'eur' });
    expect(await refusalOf(stripe.refunds.create({ payment_intent: open.id }))).toMatchObject({
      statusCode: 400,
    });
    expect(await refusalOf(stripe.refunds.create({ charge: 'ch_none' }))).toMatchObject({
      code: 'resource_missing',
    });
    expect(await refusalOf(stripe.refunds.create({}))).toMatchObject({ code: 'parameter_missing' });
  });

  it('may stay pending for a while', async () => {
    const { charge } = await paid('pm_card_pendingRefund');
    const { id, status } = await stripe.refunds.create({ charge });
    expect(status).toBe('pending');
    expect(await refusalOf(stripe.refunds.create({ charge, amount: 1 }))).toMatchObject({ statusCode: 400 });
    await eventually(async () => (await stripe.refunds.retrieve(id)).status === 'succeeded');
  });

  it('may fail later, and the money can be refunded again', async () => {
    const { charge } = await paid('pm_card_refundFail');
    const { id } = await stripe.refunds.create({ charge, amount: 4_000 });
    await eventually(async () => (await stripe.refunds.retrieve(id)).status === 'failed');
    expect((await stripe.charges.retrieve(charge)).amount_refunded).toBe(0);
  });

  it('fail on their way when scripted', async () => {
    const { charge, customer } = await paid();
    await sandbox.raw('POST', `/sandbox/customers/${customer}/behaviour`, {
      next_refunds: 'reset_after_charge',
    });
    const params = { charge, amount: 2_000 };
    const key = { idempotencyKey: 'refund-once' };
    // The SDK retries by itself after a reset: the same key returns the stored reply.
    expect((await stripe.refunds.create(params, key)).amount).toBe(2_000);
    expect((await stripe.charges.retrieve(charge)).amount_refunded).toBe(2_000);
  });
});

describe('disputes', () => {
  it('are opened after the charge and end by the evidence', async () => {
    const { id, charge } = await paid('pm_card_createDispute');
    await eventually(async () => (await stripe.disputes.list({ payment_intent: id })).data.length === 1);
    const [dispute] = (await stripe.disputes.list({ charge })).data;
    expect(dispute).toMatchObject({ reason: 'fraudulent', status: 'needs_response', amount: 10_000, charge });
    expect((await stripe.charges.retrieve(charge)).disputed).toBe(true);
    expect(await refusalOf(stripe.refunds.create({ charge }))).toMatchObject({ code: 'charge_disputed' });
    const evidence = { uncategorized_text: 'winning_evidence' };
    expect((await stripe.disputes.update(dispute!.id, { evidence })).status).toBe('won');
  });
});

describe('GET /v1/balance', () => {
  it('is the sum of charges minus the sum of refunds', async () => {
    const own = await sandboxInProcess();
    const card = await savedCard(own, 'pm_card_visa');
    const intent = await own.stripe.paymentIntents.create({
      amount: 900,
      currency: 'usd',
      ...card,
      confirm: true,
    });
    await own.stripe.refunds.create({ payment_intent: intent.id, amount: 250 });
    const { available } = await own.stripe.balance.retrieve();
    expect(available).toEqual([{ amount: 650, currency: 'usd', source_types: { card: 650 } }]);
    await own.close();
  });
});
