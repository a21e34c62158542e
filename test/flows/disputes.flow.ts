import { eventually, idIn } from '@commerce/testing';
import Stripe from 'stripe';
import supertest from 'supertest';

import { World } from '../world.js';
import { Scenario } from './scenario.js';

let world: World;
let stripe: Stripe;

beforeAll(async () => {
  world = await World.start();
  const { hostname: host, port } = new URL(world.sandbox.url);
  stripe = new Stripe('sk_test_world', { host, port, protocol: 'http', maxNetworkRetries: 0 });
});
afterAll(() => world.stop());

interface Disputed {
  readonly scenario: Scenario;
  readonly id: string;
  /** What the service says of the disputed payment. */
  readonly payment: () => Promise<any>;
  /** The dispute ends. */
  readonly ends: (evidence: 'winning_evidence' | 'losing_evidence') => Promise<void>;
}

/** Delivers a webhook of the provider. */
async function told(type: string, object: object): Promise<void> {
  const payload = JSON.stringify({ id: `evt_${Date.now()}`, object: 'event', type, data: { object } });
  const signature = stripe.webhooks.generateTestHeaderString({ payload, secret: 'whsec_world' });
  const { status } = await supertest(world.baseUrl)
    .post('/provider_notices/stripe')
    .set('Content-Type', 'application/json')
    .set('Stripe-Signature', signature)
    .send(payload);
  expect(status).toBe(200);
}

/** 30.00 on 1 April in advance, disputed. */
async function disputed(): Promise<Disputed> {
  const scenario = await Scenario.begin(world, '2026-04-01');
  const payment_method = await scenario.card('createDispute');
  const id = await scenario.subscribed({ prepay: true }, { payment_method });
  await scenario.settled(id);
  const [first] = await scenario.payments(id);
  const payment = (): Promise<any> => world.admin.read(`/payments/${idIn(first)}`);
  await scenario.providerHurries();
  const { data } = await stripe.disputes.list({ payment_intent: first.provider.intent_id });
  const dispute = data[0]!;
  await told('charge.dispute.created', dispute);
  await eventually(payment, ({ status }) => status === 'DISPUTED');
  return {
    scenario,
    id,
    payment,
    ends: async (evidence) => {
      await stripe.disputes.update(dispute.id, { evidence: { uncategorized_text: evidence }, submit: true });
      await scenario.providerHurries();
      await told('charge.dispute.closed', dispute);
    },
  };
}

describe('a stop on 16 April after a disputed payment of 30.00', () => {
  it('owes 15.00, which are given back once the dispute is won', async () => {
    const { scenario, id, payment, ends } = await disputed();
    await scenario.until('2026-04-16');
    await scenario.does(id, 'stop');
    await scenario.until('2026-05-02');
    expect(await scenario.subscription(id)).toMatchObject({ status: 'CANCELLED', outstanding_amount: 0 });
    expect(await payment()).toMatchObject({ status: 'DISPUTED', owed_amount: 15, refunded_amount: 0 });
    await ends('winning_evidence');
    expect(await eventually(payment, ({ refunded_amount }) => refunded_amount > 0)).toMatchObject({
      ...{ status: 'PARTIALLY_REFUNDED', owed_amount: 0, refunded_amount: 15 },
      refunds: [
        { status: 'FAILED', owed: 0 },
        { status: 'SUCCEEDED', amount: 15, reason: 'stop' },
      ],
    });
  });

  it('owes nothing once the dispute is lost: the bank has given it back', async () => {
    const { scenario, id, payment, ends } = await disputed();
    await scenario.until('2026-04-16');
    await scenario.does(id, 'stop');
    await scenario.until('2026-05-02');
    await ends('losing_evidence');
    expect(await eventually(payment, ({ owed_amount }) => owed_amount === 0)).toMatchObject({
      ...{ status: 'DISPUTED', refunded_amount: 0 },
    });
    expect(await scenario.ledger()).toMatchObject({ refunded: 0 });
  });
});

describe('a change on 16 April after a disputed payment of 30.00', () => {
  it('to 60.00 charges the difference of 15.00, and owes nothing', async () => {
    const { scenario, id, payment } = await disputed();
    await scenario.until('2026-04-16');
    const plan = await scenario.plan({ prepay: true, total_amount: 60 });
    await world.admin.made(`/subscriptions/${id}/change`, { plan, collect: 'later' });
    await scenario.settled(id);
    const [, second] = await scenario.payments(id);
    expect(second).toMatchObject({ amount: 15 });
    expect(await payment()).toMatchObject({ status: 'DISPUTED', owed_amount: 0 });
  });

  it('to 10.00 owes the 10.00 that April costs less, until the dispute is won', async () => {
    const { scenario, id, payment, ends } = await disputed();
    await scenario.until('2026-04-16');
    const plan = await scenario.plan({ prepay: true, total_amount: 10 });
    await world.admin.made(`/subscriptions/${id}/change`, { plan, credit: 'refund' });
    await scenario.settled(id);
    expect(await scenario.payments(id)).toHaveLength(1);
    expect(await payment()).toMatchObject({ status: 'DISPUTED', owed_amount: 10 });
    await ends('winning_evidence');
    await eventually(payment, ({ refunded_amount }) => refunded_amount === 10);
  });
});
