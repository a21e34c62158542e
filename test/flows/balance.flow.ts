import { eventually, idIn } from '@commerce/testing';

import { World } from '../world.js';
import { Scenario } from './scenario.js';

let world: World;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

const MONTHLY = { total_amount: 30, prepay: true };

const granted = (scenario: Scenario, amount: number): Promise<any> =>
  world.admin.made(`/users/${scenario.user}/credits`, { amount, currency: 'EUR' });

const balance = async (scenario: Scenario): Promise<number> =>
  (await world.admin.read(`/users/${scenario.user}`)).balance.EUR ?? 0;

/** Kind, amount and balance of each entry, the oldest first. */
async function ledger(scenario: Scenario): Promise<[string, number, number][]> {
  const entries = await world.admin.read(`/users/${scenario.user}/credits`, { sort: 'number', size: 100 });
  return entries.map((one: any) => [one.kind, one.amount, one.balance]);
}

/** Amount, credit and status of each payment, the oldest first. */
async function paid(scenario: Scenario, id: string): Promise<[number, number, string][]> {
  return (await scenario.payments(id)).map((one) => [one.amount, one.credit_applied, one.status]);
}

async function explained(payment: any): Promise<any> {
  return world.admin.read(`/payments/${idIn(payment)}/explanation`);
}

describe('a balance', () => {
  it('pays the next charges before the card, whole ones without the provider', async () => {
    const scenario = await Scenario.begin(world, '2025-01-01');
    const payment_method = await scenario.card();
    await granted(scenario, 40);
    const id = await scenario.subscribed(MONTHLY, { payment_method });
    await scenario.settled(id);
    await scenario.until('2025-03-01');
    expect(await paid(scenario, id)).toEqual([
      [0, 30, 'SUCCEEDED'],
      [20, 10, 'SUCCEEDED'],
      [30, 0, 'SUCCEEDED'],
    ]);
    expect(await ledger(scenario)).toEqual([
      ['granted', 40, 40],
      ['applied', -30, 10],
      ['applied', -10, 0],
    ]);
    expect(await scenario.ledger()).toMatchObject({ charges: 2, captured: 5000 });
    expect(await scenario.subscription(id)).toMatchObject({ collection_state: 'OK', outstanding_amount: 0 });
    const [covered, partly] = await scenario.payments(id);
    expect(covered).toMatchObject({ attempts: [], provider: { intent_id: null } });
    for (const payment of [covered, partly]) {
      const { agrees, charged, lines } = await explained(payment);
      expect([agrees, charged.amount]).toEqual([true, payment.amount]);
      expect(lines.at(-1)).toMatchObject({
        label: 'Paid from the balance',
        amount: 0 - payment.credit_applied,
      });
    }
  });

  it('is in previews, upcoming charges and the forecast as it is in the later charges', async () => {
    const scenario = await Scenario.begin(world, '2025-04-01');
    const payment_method = await scenario.card();
    await granted(scenario, 40);
    const plan = await scenario.plan({ ...MONTHLY, total_amount: 60 });
    const half = await scenario.plan({ ...MONTHLY, total_amount: 15 });
    const shown = (charges: any[]): unknown[] =>
      charges.map(({ amount, credit_applied, breakdown }) => [amount, credit_applied, breakdown]);
    const before = await world.admin.made('/subscriptions/preview', { plan, user: scenario.user, count: 1 });
    const nobody = await world.admin.made('/subscriptions/preview', { plan, count: 1 });
    expect(nobody[0]).toMatchObject({ amount: 60, credit_applied: 0 });
    const body = { plan, user: scenario.user, payment_method, start_now: true };
    const id = idIn(await world.admin.made('/subscriptions', body));
    await scenario.settled(id);
    expect(shown(before)).toEqual(shown(await scenario.payments(id)));
    expect(before[0]).toMatchObject({ amount: 20, credit_applied: 40 });
    await scenario.until('2025-04-16');
    const change = { plan: half };
    const { charges: changed } = await world.admin.made(`/subscriptions/${id}/change/preview`, {
      ...change,
      count: 2,
    });
    await world.admin.made(`/subscriptions/${id}/change`, change);
    await scenario.settled(id);
    await eventually(
      () => balance(scenario),
      (sum) => sum === 22.5,
    );
    const upcoming = (await world.admin.read(`/subscriptions/${id}/preview`, { count: 2 })).charges;
    await scenario.until('2025-06-01');
    const later = (await scenario.payments(id)).slice(-2);
    expect(later.map(({ amount, credit_applied }) => [amount, credit_applied])).toEqual([
      [0, 15],
      [7.5, 7.5],
    ]);
    expect([shown(changed), shown(upcoming)]).toEqual([shown(later), shown(later)]);
  });

  it('is divided in the forecast among the subscriptions of its user', async () => {
    const scenario = await Scenario.begin(world, '2025-01-01');
    const payment_method = await scenario.card();
    const ids: string[] = [];
    for (const day of ['2025-01-05', '2025-01-10']) {
      const starting_date = Date.parse(day);
      const values = { payment_method, starting_date };
      ids.push(await scenario.subscribed(MONTHLY, values));
    }
    await granted(scenario, 70);
    const query = { test_clock: scenario.clock, months: 3 };
    const { amounts, subscriptions } = await world.admin.read('/forecast', query);
    expect(subscriptions).toBe(2);
    expect(amounts).toEqual([
      { month: '2025-01', currency: 'EUR', amount: 0, credit_applied: 60, charges: 2 },
      { month: '2025-02', currency: 'EUR', amount: 50, credit_applied: 10, charges: 2 },
      { month: '2025-03', currency: 'EUR', amount: 60, credit_applied: 0, charges: 2 },
    ]);
    await scenario.until('2025-03-15');
    const paying = await Promise.all(ids.map((id) => paid(scenario, id)));
    expect(paying).toEqual([
      [
        [0, 30, 'SUCCEEDED'],
        [20, 10, 'SUCCEEDED'],
        [30, 0, 'SUCCEEDED'],
      ],
      [
        [0, 30, 'SUCCEEDED'],
        [30, 0, 'SUCCEEDED'],
        [30, 0, 'SUCCEEDED'],
      ],
    ]);
  });

  it('that would leave less than the provider charges pays less, so that the card pays the minimum', async () => {
    const scenario = await Scenario.begin(world, '2025-01-01');
    const payment_method = await scenario.card();
    await granted(scenario, 29.8);
    const id = await scenario.subscribed(MONTHLY, { payment_method });
    await scenario.settled(id);
    expect(await balance(scenario)).toBe(0.3);
    expect(await scenario.subscription(id)).toMatchObject({ outstanding_amount: 0, failed_attempts: 0 });
    await scenario.until('2025-02-01');
    expect(await paid(scenario, id)).toEqual([
      [0.5, 29.5, 'SUCCEEDED'],
      [29.7, 0.3, 'SUCCEEDED'],
    ]);
    expect(await ledger(scenario)).toEqual([
      ['granted', 29.8, 29.8],
      ['applied', -29.5, 0.3],
      ['applied', -0.3, 0],
    ]);
  });

  it('stays reserved while a charge is retried', async () => {
    const scenario = await Scenario.begin(world, '2025-01-01');
    const payment_method = await scenario.card();
    await granted(scenario, 10);
    const retrying = { should_retry_payments: true, max_payment_retries: 2, retry_payment_in_minutes: 720 };
    await scenario.bank('insufficient_funds');
    const id = await scenario.subscribed({ ...MONTHLY, ...retrying }, { payment_method });
    await scenario.settled(id);
    expect(await paid(scenario, id)).toEqual([[20, 10, 'FAILED']]);
    expect(await balance(scenario)).toBe(0);
    await scenario.until('2025-01-02');
    expect(await paid(scenario, id)).toEqual([[20, 10, 'SUCCEEDED']]);
    expect(await scenario.ledger()).toMatchObject({ charges: 1, captured: 2000 });
  });

  it('gets its part back when a charge fails for good, and pays the debt with the next', async () => {
    const scenario = await Scenario.begin(world, '2025-01-01');
    const payment_method = await scenario.card();
    await granted(scenario, 10);
    await scenario.bank('insufficient_funds');
    const plan = { ...MONTHLY, should_retry_payments: false, auto_bill_amount: true };
    const id = await scenario.subscribed(plan, { payment_method });
    await scenario.settled(id);
    expect(await paid(scenario, id)).toEqual([[20, 0, 'FAILED']]);
    expect(await scenario.subscription(id)).toMatchObject({ outstanding_amount: 30 });
    expect(await balance(scenario)).toBe(10);
    await scenario.until('2025-02-01');
    expect(await paid(scenario, id)).toEqual([
      [20, 0, 'FAILED'],
      [50, 10, 'SUCCEEDED'],
    ]);
    expect(await ledger(scenario)).toEqual([
      ['granted', 10, 10],
      ['applied', -10, 0],
      ['returned', 10, 10],
      ['applied', -10, 0],
    ]);
    expect(await scenario.ledger()).toMatchObject({ charges: 1, captured: 5000 });
  });

  it('gets its part back when nobody authenticates', async () => {
    const scenario = await Scenario.begin(world, '2025-01-01');
    const payment_method = await scenario.card('authenticationRequired');
    await granted(scenario, 10);
    const id = await scenario.subscribed(MONTHLY, { payment_method });
    await scenario.settled(id);
    expect(await paid(scenario, id)).toEqual([[20, 10, 'REQUIRES_AUTH']]);
    await scenario.until('2025-01-03');
    expect(await paid(scenario, id)).toEqual([[20, 0, 'FAILED']]);
    expect(await balance(scenario)).toBe(10);
  });

  it('gets back what it paid of a period that is not used, once the card has its part', async () => {
    const scenario = await Scenario.begin(world, '2025-04-01');
    const payment_method = await scenario.card();
    await granted(scenario, 20);
    const id = await scenario.subscribed(MONTHLY, { payment_method });
    await scenario.settled(id);
    await scenario.until('2025-04-16');
    await scenario.does(id, 'pause');
    await scenario.settled(id);
    const [payment] = await eventually(
      () => scenario.payments(id),
      ([one]) => one.refunded_amount === 15,
    );
    expect(payment).toMatchObject({ amount: 10, credit_applied: 20 });
    expect(payment.refunds).toMatchObject([
      { to: 'card', amount: 10, status: 'SUCCEEDED' },
      { to: 'balance', amount: 5, status: 'SUCCEEDED' },
    ]);
    expect(await scenario.ledger()).toMatchObject({ captured: 1000, refunded: 1000 });
    expect((await ledger(scenario)).at(-1)).toEqual(['credited', 5, 5]);
  });

  it('is no part of the payment of an order', async () => {
    const { id: user } = await world.user();
    await world.admin.made(`/users/${user}/credits`, { amount: 40, currency: 'EUR' });
    const product = { name: 'Tea', price: 10, currency: 'EUR', active: true };
    const item = { product: idIn(await world.admin.made('/products', product)), quantity: 1 };
    const order = await world.admin.made('/orders', { user, items: [item] });
    expect(order).toMatchObject({ amount: 10, status: 'PENDING_PAYMENT' });
    expect(await world.admin.read(`/users/${user}`)).toMatchObject({ balance: { EUR: 40 } });
  });
});

describe('subscriptions of one customer that are due at once', () => {
  it('share a balance for three of twenty exactly', async () => {
    const scenario = await Scenario.begin(world, '2025-01-01');
    const { id: user } = await world.user();
    const empty = idIn(await world.admin.made('/payment_methods', { payment_method: 'stripe', user }));
    await world.admin.changed(`/payment_methods/${empty}`, { payment_method_id: 'pm_card_visa' });
    await world.admin.made(`/users/${user}/credits`, { amount: 90, currency: 'EUR' });
    const plan = await scenario.plan(MONTHLY);
    const body = { plan, user, payment_method: empty, start_now: true };
    await Promise.all(Array.from({ length: 20 }, () => world.admin.made('/subscriptions', body)));
    const payments = await eventually(
      () => world.admin.read('/payments', { user, size: 100, status: 'SUCCEEDED' }),
      ({ length }) => length === 20,
      60_000,
    );
    const sum = (of: (one: any) => number): number =>
      payments.reduce((all: number, one: any) => all + of(one), 0);
    expect(sum((one) => one.credit_applied)).toBe(90);
    expect(sum((one) => one.amount)).toBe(510);
    expect((await world.admin.read(`/users/${user}`)).balance).toEqual({});
    const entries = await world.admin.read(`/users/${user}/credits`, { size: 100 });
    expect(entries.reduce((all: number, one: { amount: number }) => all + one.amount, 0)).toBe(0);
  });
});
