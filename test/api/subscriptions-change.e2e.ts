import { idIn, type Client } from '@commerce/testing';

import { Scenario, at } from '../flows/scenario.js';
import { World } from '../world.js';

let world: World;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

interface Subscriber {
  readonly scenario: Scenario;
  readonly client: Client;
  readonly id: string;
  readonly double: string;
}

/** A customer with 30.00 a month, charged in advance on 1 April, and a plan of 60.00 beside it. */
async function subscriber(plan: object = {}, card = 'visa'): Promise<Subscriber> {
  const clock = idIn(await world.admin.made('/test_clocks', { frozen_time: at('2026-04-01') }));
  const { id: user, client } = await world.user({ test_clock: clock });
  const scenario = Object.assign(Object.create(Scenario.prototype) as Scenario, { world, clock, user });
  const payment_method = await scenario.card(card);
  const id = await scenario.subscribed({ prepay: true, ...plan }, { payment_method });
  await scenario.settled(id);
  const double = await scenario.plan({ prepay: true, total_amount: 60 });
  await scenario.until('2026-04-16');
  return { scenario, client, id, double };
}

const amounts = (bill: [string, number, string][]): [string, number, string][] => bill;

describe('POST /subscriptions/<id>/change', () => {
  it('charges a user the difference before it takes effect', async () => {
    const { scenario, client, id, double } = await subscriber();
    const {
      charges: [first, may],
    } = await client.made(`/subscriptions/${id}/change/preview`, { plan: double, count: 2 });
    expect([first.amount, first.kind, may.amount]).toEqual([15, 'proration', 60]);
    const changed = await client.made(`/subscriptions/${id}/change`, { plan: double });
    expect(changed).toMatchObject({
      plan: { $oid: double },
      quantity: 1,
      pending_change: null,
      status: 'ACTIVE',
    });
    await scenario.until('2026-05-01');
    expect(amounts(await scenario.bill(id))).toEqual([
      ['2026-04-01', 30, 'SUCCEEDED'],
      ['2026-04-16', 15, 'SUCCEEDED'],
      ['2026-05-01', 60, 'SUCCEEDED'],
    ]);
    const updates = (await scenario.events(id)).filter(
      ({ previous_data }) => 'plan' in (previous_data ?? {}),
    );
    expect(updates).toHaveLength(1);
    expect(await scenario.ledger()).toMatchObject({ captured: 10_500, refunded: 0 });
  });

  it('changes nothing where the card is refused', async () => {
    const { scenario, client, id, double } = await subscriber();
    const before = await scenario.subscription(id);
    await scenario.bank('insufficient_funds');
    const { status, body } = await client.post(`/subscriptions/${id}/change`, { plan: double });
    expect([status, body.code]).toEqual([402, 'payment.declined']);
    expect(body).toMatchObject({
      subscription: { _id: { $oid: id }, pending_change: null },
      payment: { amount: 15 },
    });
    const unchanged = ['plan', 'quantity', 'status', 'active', 'outstanding_amount', 'next_billing_date'];
    const after = await scenario.subscription(id);
    for (const field of unchanged) expect(after[field]).toEqual(before[field]);
    await scenario.until('2026-05-01');
    expect((await scenario.bill(id)).map(([, amount, outcome]) => [amount, outcome])).toEqual([
      [30, 'SUCCEEDED'],
      [15, 'FAILED'],
      [30, 'SUCCEEDED'],
    ]);
  });

  it('waits for a customer who must authenticate, and takes effect with the confirmation', async () => {
    const { scenario, client, id, double } = await subscriber();
    await scenario.bank('authentication_required');
    const { status, body: payment } = await client.post(`/subscriptions/${id}/change`, { plan: double });
    expect([status, payment.status]).toEqual([422, 'REQUIRES_AUTH']);
    expect(await scenario.subscription(id)).toMatchObject({
      pending_change: {
        plan: { $oid: double },
        quantity: 1,
        state: 'AWAITING_PAYMENT',
        at: { $date: at('2026-04-16') },
      },
    });
    await scenario.authenticates(payment);
    const { payment_intent_id, intent_client_secret: payment_client_secret } = payment.metadata;
    const proof = { payment_intent_id, payment_client_secret };
    expect(await client.made(`/payments/${idIn(payment)}/confirm`, proof)).toMatchObject({
      status: 'SUCCEEDED',
    });
    expect(await scenario.subscription(id)).toMatchObject({ plan: { $oid: double }, pending_change: null });
    await scenario.until('2026-05-01');
    expect((await scenario.bill(id)).map(([, amount]) => amount)).toEqual([30, 15, 60]);
  });

  it('is dropped after 23 hours without authentication', async () => {
    const { scenario, client, id, double } = await subscriber();
    await scenario.bank('authentication_required');
    await client.post(`/subscriptions/${id}/change`, { plan: double });
    await scenario.until('2026-04-16T23:00');
    expect(await scenario.subscription(id)).toMatchObject({ pending_change: null, outstanding_amount: 0 });
    expect((await scenario.bill(id)).at(-1)).toEqual(['2026-04-16', 15, 'FAILED']);
    expect(await client.made(`/subscriptions/${id}/change`, { plan: double })).toMatchObject({
      plan: { $oid: double },
    });
  });

  it('ends with another change, which is never done unpaid', async () => {
    const { scenario, client, id } = await subscriber();
    await scenario.bank('authentication_required');
    const { status } = await client.post(`/subscriptions/${id}/change`, { quantity: 99 });
    expect(status).toBe(422);
    await scenario.bank('insufficient_funds');
    const declined = await client.post(`/subscriptions/${id}/change`, { quantity: 100 });
    expect([declined.status, declined.body.code]).toEqual([402, 'payment.declined']);
    expect(await scenario.subscription(id)).toMatchObject({ quantity: 1, pending_change: null });
    expect(await client.made(`/subscriptions/${id}/change`, { quantity: 100 })).toMatchObject({
      quantity: 100,
    });
    await scenario.settled(id);
    const bill: [string, number, string][] = await scenario.bill(id);
    expect(bill.slice(1)).toEqual([
      ['2026-04-16', 49 * 30, 'FAILED'],
      ['2026-04-16', 49.5 * 30, 'FAILED'],
      ['2026-04-16', 49.5 * 30, 'SUCCEEDED'],
    ]);
  });

  it('waits for the end of the period where a plan is not prorated, unless an admin asks for it', async () => {
    const { scenario, client, id } = await subscriber();
    const whole = await scenario.plan({ prepay: true, total_amount: 600, is_prorated: false });
    for (const when of ['now', at('2026-04-20'), at('2026-05-20')]) {
      const { status, body } = await client.post(`/subscriptions/${id}/change`, { plan: whole, at: when });
      expect([status, body.code, body.errors[0].path]).toEqual([422, 'plan.not_prorated', 'at']);
    }
    const later = await client.post(`/subscriptions/${id}/change`, { quantity: 2, collect: 'later' });
    expect([later.status, later.body.code]).toEqual([403, 'role.forbidden']);
    const {
      charges: [first],
    } = await client.made(`/subscriptions/${id}/change/preview`, { plan: whole, count: 1 });
    expect([first.date, first.amount]).toEqual([{ $date: at('2026-05-01') }, 600]);
    const changed = await client.made(`/subscriptions/${id}/change`, { plan: whole });
    expect(changed.pending_change).toMatchObject({ at: { $date: at('2026-05-01') }, state: 'SCHEDULED' });
    expect(
      await client.made(`/subscriptions/${id}/change`, { plan: whole, at: at('2026-06-01') }),
    ).toMatchObject({
      pending_change: { at: { $date: at('2026-06-01') } },
    });
    expect(await world.admin.made(`/subscriptions/${id}/change`, { plan: whole })).toMatchObject({
      plan: { $oid: whole },
    });
  });

  it('takes effect at once for an admin, and its charge is dunned', async () => {
    const { scenario, id, double } = await subscriber();
    await scenario.bank('generic_decline');
    const changed = await world.admin.made(`/subscriptions/${id}/change`, { plan: double, quantity: 2 });
    expect(changed).toMatchObject({ plan: { $oid: double }, quantity: 2 });
    await scenario.settled(id);
    expect(await scenario.subscription(id)).toMatchObject({ outstanding_amount: 45 });
  });

  it('gives the rest of a credit to the balance, which pays part of the next charge', async () => {
    const { scenario, client, id } = await subscriber({ total_amount: 60 });
    const lower = await scenario.plan({ prepay: true, total_amount: 30 });
    await client.made(`/subscriptions/${id}/change`, { plan: lower });
    await scenario.settled(id);
    expect(await world.admin.read(`/users/${scenario.user}`)).toMatchObject({ balance: { EUR: 15 } });
    await scenario.until('2026-05-01');
    expect((await scenario.bill(id)).map(([, amount]) => amount)).toEqual([60, 15]);
    expect(await scenario.ledger()).toMatchObject({ captured: 7500, refunded: 0 });
  });

  it('is scheduled, replaced and withdrawn', async () => {
    const { scenario, client, id, double } = await subscriber();
    const scheduled = await client.made(`/subscriptions/${id}/change`, { plan: double, at: 'period_end' });
    expect(scheduled.pending_change).toEqual({
      plan: { $oid: double },
      quantity: 1,
      at: { $date: at('2026-05-01') },
      state: 'SCHEDULED',
      set_by: 'USER',
    });
    await client.made(`/subscriptions/${id}/change`, { quantity: 3, at: at('2026-04-20') });
    expect((await scenario.subscription(id)).pending_change).toMatchObject({ quantity: 3 });
    const { status } = await client.delete(`/subscriptions/${id}/change`);
    expect(status).toBe(200);
    expect((await client.delete(`/subscriptions/${id}/change`)).status).toBe(409);
    await client.made(`/subscriptions/${id}/change`, { plan: double, at: 'period_end' });
    await scenario.until('2026-05-01');
    expect(await scenario.subscription(id)).toMatchObject({ plan: { $oid: double }, pending_change: null });
    expect((await scenario.bill(id)).map(([, amount]) => amount)).toEqual([30, 60]);
  });

  it('refuses what cannot be, naming the field', async () => {
    const { scenario, client, id } = await subscriber();
    const dollars = await scenario.plan({ currency: 'USD', total_amount: 60 });
    const refused = async (body: object, caller: Client = client, of = id): Promise<unknown[]> => {
      const { status, body: problem } = await caller.post(`/subscriptions/${of}/change`, body);
      return [status, problem.code, problem.errors?.[0]?.path];
    };
    expect(await refused({ plan: dollars })).toEqual([422, 'plan.currency_differs', 'plan']);
    expect(await refused({ plan: 'f'.repeat(24) })).toEqual([422, 'plan.unknown', 'plan']);
    expect(await refused({ at: at('2026-04-10') })).toEqual([422, 'value.invalid', 'at']);
    expect(await refused({ at: 'tomorrow' })).toEqual([422, 'value.invalid', 'at']);
    expect(await refused({ quantity: 0 })).toEqual([422, 'value.invalid', 'quantity']);
    expect(await refused({ quantity: 2, credit: 'refund' })).toEqual([403, 'role.forbidden', 'credit']);
    const dear = await scenario.plan({ prepay: true, total_amount: 1_000_000_000 });
    expect(await refused({ plan: dear, quantity: 1_000_000 })).toEqual([422, 'amount.invalid', 'quantity']);
    const large = { prepay: false, total_amount: 1_000_000_000 };
    const own = await scenario.subscribed(large, { payment_method: await scenario.card() });
    expect(await refused({ quantity: 1_000_000, at: 'period_end' }, client, own)).toEqual([
      422,
      'amount.invalid',
      'quantity',
    ]);
    await scenario.does(id, 'stop', {});
    expect(await refused({ quantity: 2 })).toEqual([409, 'subscription.state_conflict', undefined]);
    const { client: other } = await world.user();
    expect((await other.post(`/subscriptions/${id}/change`, { quantity: 2 })).status).toBe(404);
  });

  it('lets one of twenty at one instant charge, and nothing twice', async () => {
    const { scenario, client, id, double } = await subscriber();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => client.post(`/subscriptions/${id}/change`, { plan: double })),
    );
    const refused = answers.filter(({ status }) => status !== 200).map(({ body }) => body.code);
    expect(new Set(['subscription.state_conflict', ...refused]).size).toBe(1);
    await scenario.settled(id);
    expect((await scenario.bill(id)).map(([, amount]) => amount)).toEqual([30, 15]);
    expect(await scenario.ledger()).toMatchObject({ captured: 4500, refunded: 0 });
  });

  it('or a stop at one instant wins; money is owed by neither twice', async () => {
    const { scenario, client, id, double } = await subscriber();
    const [change, stop] = await Promise.all([
      client.post(`/subscriptions/${id}/change`, { plan: double }),
      world.admin.post(`/subscriptions/${id}/stop`, { ending_date: at('2026-05-01') }),
    ]);
    expect([200, 409]).toContain(change.status);
    expect([200, 409]).toContain(stop.status);
    await scenario.until('2026-05-02');
    const { captured, refunded } = await scenario.ledger();
    const { plan } = await scenario.subscription(id);
    const net = captured - refunded;
    expect(net).toBe(plan.$oid === double ? (stop.status === 200 ? 4500 : 10_500) : 3000);
  });
});
