import { idIn } from '@commerce/testing';

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

/** Kind, amount and balance of each entry, the oldest first. */
async function ledger(scenario: Scenario): Promise<[string, number, number][]> {
  const entries = await world.admin.read(`/users/${scenario.user}/credits`, { sort: 'number', size: 100 });
  return entries.map((one: any) => [one.kind, one.amount, one.balance]);
}

/** Amount, credit and status of each payment, the oldest first. */
async function paid(scenario: Scenario, id: string): Promise<[number, number, string][]> {
  return (await scenario.payments(id)).map((one) => [one.amount, one.credit_applied, one.status]);
}

/** A subscription that was started without a card. */
async function withoutCard(scenario: Scenario, plan: object): Promise<string> {
  const id = await scenario.subscribed(plan);
  await scenario.does(id, 'start');
  return id;
}

describe('a trial without a card', () => {
  it('ends where the balance covers the first charge, as the preview says', async () => {
    const scenario = await Scenario.begin(world, '2025-01-01');
    await granted(scenario, 40);
    const id = await withoutCard(scenario, { ...MONTHLY, trial_days: 14 });
    const { charges } = await world.admin.read(`/subscriptions/${id}/preview`, { count: 1 });
    expect(charges).toMatchObject([
      { amount: 0, credit_applied: 30, date: { $date: Date.parse('2025-01-15') } },
    ]);
    await scenario.until('2025-01-16');
    expect(await paid(scenario, id)).toEqual([[0, 30, 'SUCCEEDED']]);
    expect(await scenario.subscription(id)).toMatchObject({ status: 'ACTIVE', in_trial: false });
    expect(await ledger(scenario)).toEqual([
      ['granted', 40, 40],
      ['applied', -30, 10],
    ]);
  });

  it('pauses where a cent is lacking, and the balance stays', async () => {
    const scenario = await Scenario.begin(world, '2025-01-01');
    await granted(scenario, 29.99);
    const id = await withoutCard(scenario, { ...MONTHLY, trial_days: 14 });
    expect((await world.admin.read(`/subscriptions/${id}/preview`)).charges).toEqual([]);
    await scenario.until('2025-01-16');
    expect(await scenario.subscription(id)).toMatchObject({ status: 'PAUSED', active: false });
    expect(await paid(scenario, id)).toEqual([]);
    expect(await ledger(scenario)).toEqual([['granted', 29.99, 29.99]]);
  });
});

describe('a subscription without a card', () => {
  it('is paid by the balance for as long as that covers the whole charge', async () => {
    const scenario = await Scenario.begin(world, '2025-01-01');
    await granted(scenario, 70);
    const id = await withoutCard(scenario, { ...MONTHLY, should_retry_payments: false });
    await scenario.settled(id);
    await scenario.until('2025-03-01');
    expect(await paid(scenario, id)).toEqual([
      [0, 30, 'SUCCEEDED'],
      [0, 30, 'SUCCEEDED'],
      [30, 0, 'FAILED'],
    ]);
    const [, , last] = await scenario.payments(id);
    expect(last.attempts).toMatchObject([{ code: 'payment_method.missing' }]);
    expect(await scenario.subscription(id)).toMatchObject({ outstanding_amount: 30 });
    expect((await ledger(scenario)).at(-1)).toEqual(['applied', -30, 10]);
  });

  it('whose card was removed renews from the balance', async () => {
    const scenario = await Scenario.begin(world, '2025-01-01');
    const payment_method = await scenario.card();
    const id = await scenario.subscribed(MONTHLY, { payment_method });
    await scenario.settled(id);
    await granted(scenario, 30);
    await scenario.changes(id, { payment_method: null });
    await scenario.until('2025-02-01');
    expect(await paid(scenario, id)).toEqual([
      [30, 0, 'SUCCEEDED'],
      [0, 30, 'SUCCEEDED'],
    ]);
    expect(await scenario.ledger()).toMatchObject({ charges: 1, captured: 3000 });
  });
});

describe('a balance that leaves a part to the card', () => {
  it('is a line of the page on which the customer pays that part', async () => {
    const scenario = await Scenario.begin(world, '2025-01-01');
    const payment_method = await scenario.card('authenticationRequired');
    await granted(scenario, 10);
    const id = await scenario.subscribed(MONTHLY, { payment_method });
    await scenario.settled(id);
    const [waiting] = await scenario.payments(id);
    const { status, pay_url } = await world.admin.read(`/payments/${idIn(waiting)}`);
    expect(status).toBe('REQUIRES_AUTH');
    const page = await fetch(world.baseUrl + new URL(pay_url).pathname);
    const text = (await page.text()).replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
    expect(text).toContain('€20.00');
    expect(text).toContain('Paid from the balance −€10.00');
  });
});

describe('the balance of a deleted user', () => {
  it('pays the last charge, and what is left stays in the ledger', async () => {
    const scenario = await Scenario.begin(world, '2025-04-01');
    await granted(scenario, 40);
    const id = await withoutCard(scenario, { ...MONTHLY, prepay: false });
    await scenario.until('2025-04-16');
    const { access_token } = await world.admin.made(`/users/${scenario.user}/tokens`);
    const { status } = await world.admin.delete(`/users/${scenario.user}?stop=true`);
    expect(status).toBe(200);
    await scenario.until('2025-07-01');
    expect(await paid(scenario, id)).toEqual([[0, 15, 'SUCCEEDED']]);
    expect(await scenario.subscription(id)).toMatchObject({ status: 'CANCELLED', outstanding_amount: 0 });
    expect(await ledger(scenario)).toEqual([
      ['granted', 40, 40],
      ['applied', -15, 25],
    ]);
    expect(await world.admin.read(`/users/${scenario.user}`)).toMatchObject({
      deleted: true,
      balance: { EUR: 25 },
    });
    const path = `/users/${scenario.user}/credits`;
    expect((await world.admin.as(access_token).get(path)).status).toBe(401);
    for (const amount of [-25, 5])
      expect((await world.admin.post(path, { amount, currency: 'EUR' })).status).toBe(404);
    expect((await world.admin.read('/payments', { user: scenario.user })).map(idIn)).toHaveLength(1);
  });
});
