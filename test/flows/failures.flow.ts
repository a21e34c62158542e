import { BillingProcessor, SubscriptionStore } from '@commerce/billing';
import { parseId, type Id } from '@commerce/records';

import { World } from '../world.js';
import { Story, at } from './story.js';

let world: World;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

const RETRYING = { should_retry_payments: true, max_payment_retries: 2, retry_payment_in_minutes: 720 };

describe('a weekly plan with two retries and two failures allowed', () => {
  it('tries each week three times, and is cancelled after the second', async () => {
    const story = await Story.begin(world, '2025-06-02');
    const plan = { interval_unit: 'WEEK', prepay: true, total_amount: 7, max_fail_attempts: 2, ...RETRYING };
    const id = await story.subscribed(plan, { payment_method: await story.card() });
    await story.settled(id);
    await story.bankAlways('insufficient_funds');

    await story.until('2025-06-09T00:00');
    expect(await story.subscription(id)).toMatchObject({
      collection_state: 'RETRYING',
      failed_attempts: 0,
      active: true,
    });
    await story.until('2025-06-09T23:59');
    expect(await story.subscription(id)).toMatchObject({ collection_state: 'RETRYING', failed_attempts: 0 });
    await story.until('2025-06-10');
    expect(await story.subscription(id)).toMatchObject({
      status: 'ACTIVE',
      collection_state: 'PAST_DUE',
      failed_attempts: 1,
      outstanding_amount: 7,
    });

    await story.until('2025-06-30');
    const payments = await story.payments(id);
    const tries = payments.map(({ attempts }) => attempts.map((one: any) => one.at.$date));
    expect(tries).toEqual([
      [at('2025-06-02')],
      [at('2025-06-09'), at('2025-06-09T12:00'), at('2025-06-10')],
      [at('2025-06-16'), at('2025-06-16T12:00'), at('2025-06-17')],
    ]);
    expect(await story.subscription(id)).toMatchObject({
      status: 'CANCELLED',
      active: false,
      reason: expect.any(String),
      failed_attempts: 2,
    });
    const cancelled = (await story.told(id)).filter(({ kind }) => kind === 'subscription.cancelled');
    expect(cancelled.map(({ created }) => created)).toEqual([at('2025-06-17')]);
    expect(await story.ledger()).toMatchObject({ captured: 700, charges: 1 });
  });

  it('forgets its failures with the first success', async () => {
    const story = await Story.begin(world, '2025-06-02');
    const plan = { interval_unit: 'WEEK', prepay: true, total_amount: 7, ...RETRYING };
    const id = await story.subscribed(plan, { payment_method: await story.card() });
    await story.settled(id);
    await story.bank('insufficient_funds', 'insufficient_funds', 'succeed');
    await story.until('2025-06-11');
    expect(await story.subscription(id)).toMatchObject({
      collection_state: 'OK',
      failed_attempts: 0,
      outstanding_amount: 0,
    });
    const [, renewal] = await story.payments(id);
    expect(renewal.attempts.map(({ status }: any) => status)).toEqual(['FAILED', 'FAILED', 'SUCCEEDED']);
  });

  it('is no failure of billing for a worker that is late to retry a payment that another one has collected', async () => {
    const story = await Story.begin(world, '2025-06-02');
    const plan = { interval_unit: 'WEEK', prepay: true, total_amount: 7, ...RETRYING };
    const id = await story.subscribed(plan, { payment_method: await story.card() });
    await story.settled(id);
    await story.bank('insufficient_funds', 'succeed');
    await story.until('2025-06-09T01:00');
    const subscriptions = world.get(SubscriptionStore).in(world.company);
    const before = await subscriptions.get(parseId(id) as Id);
    await story.until('2025-06-10');
    const late = { business: new Date('2025-06-09T12:00Z'), real: new Date() };
    const [result] = await world.get(BillingProcessor).runAbreast(world.company, [before], late);
    expect(before.open_payment).toMatchObject({ state: 'RETRYING' });
    expect(result).toMatchObject({ subscription: { _id: before._id, failures: 0 }, waits: false });
    expect((await subscriptions.get(before._id)).failures).toBe(0);
    expect(await story.ledger()).toMatchObject({ captured: 1400, charges: 2 });
  });

  it('is counted once: totals report the repeated failures, and the recovered payments', async () => {
    const story = await Story.begin(world, '2025-06-02');
    const plan = { interval_unit: 'WEEK', prepay: true, total_amount: 7, auto_bill_amount: true };
    const id = await story.subscribed(plan, { payment_method: await story.card() });
    await story.settled(id);
    await story.bank('insufficient_funds', 'insufficient_funds', 'succeed');
    await story.until('2025-06-24');
    expect((await story.payments(id)).map(({ amount }) => amount)).toEqual([7, 7, 14, 21]);
    const { totals } = await world.admin.read('/payments/totals', {
      ...{ from_date: at('2025-06-01'), to_date: at('2025-07-01') },
      test_clock: story.clock,
    });
    expect(totals).toMatchObject([{ collected: 28, recovered: 14, failed: 21, failed_again: 7 }]);
  });
});

describe('a lost card', () => {
  it('is not tried again; another card collects the debt immediately', async () => {
    const story = await Story.begin(world, '2025-06-01');
    const id = await story.subscribed({ prepay: true, ...RETRYING }, { payment_method: await story.card() });
    await story.settled(id);
    await story.bank('lost_card');
    await story.until('2025-07-10');
    const [, renewal] = await story.payments(id);
    expect(renewal.attempts).toHaveLength(1);
    expect(await story.subscription(id)).toMatchObject({
      collection_state: 'PAST_DUE',
      outstanding_amount: 30,
      failed_attempts: 1,
    });
    await story.changes(id, { payment_method: await story.card('mastercard') });
    await story.settled(id);
    expect(await story.subscription(id)).toMatchObject({
      collection_state: 'OK',
      outstanding_amount: 0,
      failed_attempts: 0,
    });
    expect(await story.ledger()).toMatchObject({ captured: 6000, charges: 2 });
    await story.until('2025-08-01');
    expect(await story.ledger()).toMatchObject({ captured: 9000 });
  });

  it('leaves payments being retried to the new card as well', async () => {
    const story = await Story.begin(world, '2025-06-01');
    const id = await story.subscribed({ prepay: true, ...RETRYING }, { payment_method: await story.card() });
    await story.settled(id);
    await story.bank('insufficient_funds');
    await story.until('2025-07-01T06:00');
    expect(await story.subscription(id)).toMatchObject({ collection_state: 'RETRYING' });
    await story.changes(id, { payment_method: await story.card('mastercard') });
    await story.settled(id);
    expect(await story.subscription(id)).toMatchObject({ collection_state: 'OK', outstanding_amount: 0 });
    await story.until('2025-07-20');
    expect(await story.ledger()).toMatchObject({ captured: 6000, charges: 2 });
  });
});

describe('a first payment that fails: a setup fee of 10.00 and a period of 30.00', () => {
  const plan = { prepay: true, setup_fee: 10 };

  async function failing(values: object): Promise<{ story: Story; id: string }> {
    const story = await Story.begin(world, '2025-06-01');
    const payment_method = await story.card();
    await story.bank('insufficient_funds');
    const id = await story.subscribed({ ...plan, ...values }, { payment_method });
    await story.settled(id);
    expect(await story.bill(id)).toEqual([['2025-06-01', 40, 'FAILED']]);
    return { story, id };
  }

  it('goes on under CONTINUE; the next period collects 70.00', async () => {
    const { story, id } = await failing({});
    expect(await story.subscription(id)).toMatchObject({
      status: 'ACTIVE',
      outstanding_amount: 40,
      collection_state: 'PAST_DUE',
    });
    await story.until('2025-07-02');
    expect((await story.bill(id)).at(-1)).toEqual(['2025-07-01', 70, 'SUCCEEDED']);
    expect(await story.subscription(id)).toMatchObject({ outstanding_amount: 0, collection_state: 'OK' });
  });

  it('collects 30.00 when outstanding amounts are not billed automatically', async () => {
    const { story, id } = await failing({ auto_bill_amount: false });
    await story.until('2025-07-02');
    expect((await story.bill(id)).at(-1)).toEqual(['2025-07-01', 30, 'SUCCEEDED']);
    expect(await story.subscription(id)).toMatchObject({ outstanding_amount: 40 });
  });

  it('cancels under CANCEL, and nothing is owed', async () => {
    const { story, id } = await failing({ initial_fail_amount_action: 'CANCEL' });
    expect(await story.subscription(id)).toMatchObject({
      status: 'CANCELLED',
      active: false,
      outstanding_amount: 0,
      reason: expect.any(String),
    });
    await story.until('2025-09-01');
    expect(await story.payments(id)).toHaveLength(1);
    expect(await story.ledger()).toMatchObject({ captured: 0 });
  });
});

describe('a subscription without a payment method', () => {
  it('owes each due period until it gets one', async () => {
    const story = await Story.begin(world, '2025-06-01');
    const id = await story.subscribed({ prepay: true });
    await story.does(id, 'start');
    await story.settled(id);
    expect(await story.subscription(id)).toMatchObject({
      status: 'ACTIVE',
      collection_state: 'PAST_DUE',
      outstanding_amount: 30,
    });
    const [payment] = await story.payments(id);
    expect(payment).toMatchObject({ status: 'FAILED', attempts: [{ code: 'payment_method.missing' }] });
    await story.changes(id, { payment_method: await story.card() });
    await story.settled(id);
    expect(await story.subscription(id)).toMatchObject({ collection_state: 'OK', outstanding_amount: 0 });
    expect(await story.ledger()).toMatchObject({ captured: 3000, charges: 1 });
  });
});
