import { BillingProcessor, SubscriptionStore } from '@commerce/billing';
import { parseId, type Id } from '@commerce/records';

import { World } from '../world.js';
import { Scenario, at } from './scenario.js';

let world: World;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

const RETRYING = { should_retry_payments: true, max_payment_retries: 2, retry_payment_in_minutes: 720 };

describe('a weekly plan with two retries and two failures allowed', () => {
  it('tries each week three times, and is cancelled after the second', async () => {
    const scenario = await Scenario.begin(world, '2025-06-02');
    const plan = { interval_unit: 'WEEK', prepay: true, total_amount: 7, max_fail_attempts: 2, ...RETRYING };
    const id = await scenario.subscribed(plan, { payment_method: await scenario.card() });
    await scenario.settled(id);
    await scenario.bankAlways('insufficient_funds');

    await scenario.until('2025-06-09T00:00');
    expect(await scenario.subscription(id)).toMatchObject({
      collection_state: 'RETRYING',
      failed_attempts: 0,
      active: true,
      outstanding_amount: 0,
      awaiting_amount: 7,
    });
    await scenario.until('2025-06-09T23:59');
    expect(await scenario.subscription(id)).toMatchObject({
      collection_state: 'RETRYING',
      failed_attempts: 0,
    });
    await scenario.until('2025-06-10');
    expect(await scenario.subscription(id)).toMatchObject({
      status: 'ACTIVE',
      collection_state: 'PAST_DUE',
      failed_attempts: 1,
      outstanding_amount: 7,
      awaiting_amount: 0,
    });
    // The next charge includes the debt, which is not counted twice.
    await scenario.until('2025-06-16');
    expect(await scenario.subscription(id)).toMatchObject({
      collection_state: 'RETRYING',
      outstanding_amount: 7,
      awaiting_amount: 7,
    });
    const updated = (await scenario.events(id)).findLast(({ kind }) => kind === 'subscription.updated');
    expect(updated).toMatchObject({ object: { awaiting_amount: 7 } });

    await scenario.until('2025-06-30');
    const payments = await scenario.payments(id);
    const tries = payments.map(({ attempts }) => attempts.map((one: any) => one.at.$date));
    expect(tries).toEqual([
      [at('2025-06-02')],
      [at('2025-06-09'), at('2025-06-09T12:00'), at('2025-06-10')],
      [at('2025-06-16'), at('2025-06-16T12:00'), at('2025-06-17')],
    ]);
    expect(await scenario.subscription(id)).toMatchObject({
      status: 'CANCELLED',
      active: false,
      reason: expect.any(String),
      failed_attempts: 2,
    });
    const cancelled = (await scenario.events(id)).filter(({ kind }) => kind === 'subscription.cancelled');
    expect(cancelled.map(({ created }) => created)).toEqual([at('2025-06-17')]);
    expect(await scenario.ledger()).toMatchObject({ captured: 700, charges: 1 });
  });

  it('forgets its failures with the first success', async () => {
    const scenario = await Scenario.begin(world, '2025-06-02');
    const plan = { interval_unit: 'WEEK', prepay: true, total_amount: 7, ...RETRYING };
    const id = await scenario.subscribed(plan, { payment_method: await scenario.card() });
    await scenario.settled(id);
    await scenario.bank('insufficient_funds', 'insufficient_funds', 'succeed');
    await scenario.until('2025-06-11');
    expect(await scenario.subscription(id)).toMatchObject({
      collection_state: 'OK',
      failed_attempts: 0,
      outstanding_amount: 0,
    });
    const [, renewal] = await scenario.payments(id);
    expect(renewal.attempts.map(({ status }: any) => status)).toEqual(['FAILED', 'FAILED', 'SUCCEEDED']);
  });

  it('is no failure of billing for a worker that is late to retry a payment that another one has collected', async () => {
    const scenario = await Scenario.begin(world, '2025-06-02');
    const plan = { interval_unit: 'WEEK', prepay: true, total_amount: 7, ...RETRYING };
    const id = await scenario.subscribed(plan, { payment_method: await scenario.card() });
    await scenario.settled(id);
    await scenario.bank('insufficient_funds', 'succeed');
    await scenario.until('2025-06-09T01:00');
    const subscriptions = world.get(SubscriptionStore).in(world.company);
    const before = await subscriptions.get(parseId(id) as Id);
    await scenario.until('2025-06-10');
    const late = { business: new Date('2025-06-09T12:00Z'), real: new Date() };
    const [result] = await world.get(BillingProcessor).runConcurrently(world.company, [before], late);
    expect(before.open_payments).toMatchObject([{ state: 'RETRYING' }]);
    expect(result).toMatchObject({ subscription: { _id: before._id, failures: 0 }, waits: false });
    expect((await subscriptions.get(before._id)).failures).toBe(0);
    expect(await scenario.ledger()).toMatchObject({ captured: 1400, charges: 2 });
  });

  it('is counted once: totals report the repeated failures, and the recovered payments', async () => {
    const scenario = await Scenario.begin(world, '2025-06-02');
    const plan = { interval_unit: 'WEEK', prepay: true, total_amount: 7, auto_bill_amount: true };
    const id = await scenario.subscribed(plan, { payment_method: await scenario.card() });
    await scenario.settled(id);
    await scenario.bank('insufficient_funds', 'insufficient_funds', 'succeed');
    await scenario.until('2025-06-24');
    expect((await scenario.payments(id)).map(({ amount }) => amount)).toEqual([7, 7, 14, 21]);
    const { totals } = await world.admin.read('/payments/totals', {
      ...{ from_date: at('2025-06-01'), to_date: at('2025-07-01') },
      test_clock: scenario.clock,
    });
    expect(totals).toMatchObject([{ collected: 28, recovered: 14, failed: 21, failed_again: 7 }]);
  });
});

describe('a lost card', () => {
  it('is not tried again; another card collects the debt immediately', async () => {
    const scenario = await Scenario.begin(world, '2025-06-01');
    const id = await scenario.subscribed(
      { prepay: true, ...RETRYING },
      { payment_method: await scenario.card() },
    );
    await scenario.settled(id);
    await scenario.bank('lost_card');
    await scenario.until('2025-07-10');
    const [, renewal] = await scenario.payments(id);
    expect(renewal.attempts).toHaveLength(1);
    expect(await scenario.subscription(id)).toMatchObject({
      collection_state: 'PAST_DUE',
      outstanding_amount: 30,
      failed_attempts: 1,
    });
    await scenario.changes(id, { payment_method: await scenario.card('mastercard') });
    await scenario.settled(id);
    expect(await scenario.subscription(id)).toMatchObject({
      collection_state: 'OK',
      outstanding_amount: 0,
      failed_attempts: 0,
    });
    expect(await scenario.ledger()).toMatchObject({ captured: 6000, charges: 2 });
    await scenario.until('2025-08-01');
    expect(await scenario.ledger()).toMatchObject({ captured: 9000 });
  });

  it('leaves payments being retried to the new card as well', async () => {
    const scenario = await Scenario.begin(world, '2025-06-01');
    const id = await scenario.subscribed(
      { prepay: true, ...RETRYING },
      { payment_method: await scenario.card() },
    );
    await scenario.settled(id);
    await scenario.bank('insufficient_funds');
    await scenario.until('2025-07-01T06:00');
    expect(await scenario.subscription(id)).toMatchObject({ collection_state: 'RETRYING' });
    await scenario.changes(id, { payment_method: await scenario.card('mastercard') });
    await scenario.settled(id);
    expect(await scenario.subscription(id)).toMatchObject({ collection_state: 'OK', outstanding_amount: 0 });
    await scenario.until('2025-07-20');
    expect(await scenario.ledger()).toMatchObject({ captured: 6000, charges: 2 });
  });
});

describe('a first payment that fails: a setup fee of 10.00 and a period of 30.00', () => {
  const plan = { prepay: true, setup_fee: 10 };

  async function failing(values: object): Promise<{ scenario: Scenario; id: string }> {
    const scenario = await Scenario.begin(world, '2025-06-01');
    const payment_method = await scenario.card();
    await scenario.bank('insufficient_funds');
    const id = await scenario.subscribed({ ...plan, ...values }, { payment_method });
    await scenario.settled(id);
    expect(await scenario.bill(id)).toEqual([['2025-06-01', 40, 'FAILED']]);
    return { scenario, id };
  }

  it('goes on under CONTINUE; the next period collects 70.00', async () => {
    const { scenario, id } = await failing({});
    expect(await scenario.subscription(id)).toMatchObject({
      status: 'ACTIVE',
      outstanding_amount: 40,
      collection_state: 'PAST_DUE',
    });
    await scenario.until('2025-07-02');
    expect((await scenario.bill(id)).at(-1)).toEqual(['2025-07-01', 70, 'SUCCEEDED']);
    expect(await scenario.subscription(id)).toMatchObject({ outstanding_amount: 0, collection_state: 'OK' });
  });

  it('collects 30.00 when outstanding amounts are not billed automatically', async () => {
    const { scenario, id } = await failing({ auto_bill_amount: false });
    await scenario.until('2025-07-02');
    expect((await scenario.bill(id)).at(-1)).toEqual(['2025-07-01', 30, 'SUCCEEDED']);
    expect(await scenario.subscription(id)).toMatchObject({ outstanding_amount: 40 });
  });

  it('cancels under CANCEL, and nothing is owed', async () => {
    const { scenario, id } = await failing({ initial_fail_amount_action: 'CANCEL' });
    expect(await scenario.subscription(id)).toMatchObject({
      status: 'CANCELLED',
      active: false,
      outstanding_amount: 0,
      reason: expect.any(String),
    });
    await scenario.until('2025-09-01');
    expect(await scenario.payments(id)).toHaveLength(1);
    expect(await scenario.ledger()).toMatchObject({ captured: 0 });
  });
});

describe('a subscription without a payment method', () => {
  it('owes each due period until it gets one', async () => {
    const scenario = await Scenario.begin(world, '2025-06-01');
    const id = await scenario.subscribed({ prepay: true });
    await scenario.does(id, 'start');
    await scenario.settled(id);
    expect(await scenario.subscription(id)).toMatchObject({
      status: 'ACTIVE',
      collection_state: 'PAST_DUE',
      outstanding_amount: 30,
    });
    const [payment] = await scenario.payments(id);
    expect(payment).toMatchObject({ status: 'FAILED', attempts: [{ code: 'payment_method.missing' }] });
    await scenario.changes(id, { payment_method: await scenario.card() });
    await scenario.settled(id);
    expect(await scenario.subscription(id)).toMatchObject({ collection_state: 'OK', outstanding_amount: 0 });
    expect(await scenario.ledger()).toMatchObject({ captured: 3000, charges: 1 });
  });
});
