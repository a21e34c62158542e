import { idIn } from '@commerce/testing';

import { World } from '../world.js';
import { Scenario, at } from './scenario.js';

let world: World;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

/** Amount, credit and breakdown of charges or payments. */
const shown = (charges: any[]): unknown[] =>
  charges.map(({ amount, credit_applied, breakdown }) => [amount, credit_applied, breakdown]);

interface Changing {
  readonly scenario: Scenario;
  readonly id: string;
}

/** 30.00 on 1 April in advance, of which the balance pays `credit`; another price from 16 April on. */
async function changing(total_amount: number, credit: number, more: object): Promise<Changing> {
  const scenario = await Scenario.begin(world, '2026-04-01');
  const payment_method = await scenario.card();
  if (credit > 0)
    await world.admin.made(`/users/${scenario.user}/credits`, { amount: credit, currency: 'EUR' });
  const id = await scenario.subscribed({ prepay: true }, { payment_method });
  await scenario.settled(id);
  const plan = await scenario.plan({ prepay: true, total_amount });
  await world.admin.made(`/subscriptions/${id}/change`, { plan, at: at('2026-04-16'), ...more });
  return { scenario, id };
}

/** A person gives back part of the first payment. */
async function givesBack({ scenario, id }: Changing, amount: number): Promise<void> {
  const [first] = await scenario.payments(id);
  await world.admin.made(`/payments/${idIn(first)}/refunds`, { amount });
}

/** The next charges and the forecast of two months, and the payments that follow on the same dates. */
async function expectSameAhead({ scenario, id }: Changing, amounts: [number, number][]): Promise<void> {
  const { charges } = await world.admin.read(`/subscriptions/${id}/preview`, { count: amounts.length });
  const query = { test_clock: scenario.clock, months: 2 };
  const forecast = await world.admin.read('/forecast', query);
  const before = (await scenario.payments(id)).length;
  await scenario.until('2026-05-31');
  const later = (await scenario.payments(id)).slice(before);
  expect(later.map(({ amount, credit_applied }) => [amount, credit_applied])).toEqual(amounts);
  expect(shown(charges)).toEqual(shown(later));
  const sum = (all: readonly number[]): number => all.reduce((a, b) => a + b, 0);
  expect([
    sum(forecast.amounts.map(({ amount }: any) => amount)),
    sum(forecast.amounts.map(({ credit_applied }: any) => credit_applied)),
  ]).toEqual([sum(amounts.map(([amount]) => amount)), sum(amounts.map(([, credit]) => credit))]);
}

describe('the charges ahead of a change, after a person has given money back', () => {
  it('are the difference, whatever is left of the payment', async () => {
    const one = await changing(60, 0, {});
    await givesBack(one, 25);
    await expectSameAhead(one, [
      [15, 0],
      [60, 0],
    ]);
  });

  it('give back to the balance what the card has got back already', async () => {
    const one = await changing(10, 20, { credit: 'refund' });
    await givesBack(one, 10);
    // The balance paid the 20.00 that are left: of 15.00 unused, 5.00 pay for the rest of April, 10.00 come back to it.
    await expectSameAhead(one, [[0, 10]]);
  });
});
