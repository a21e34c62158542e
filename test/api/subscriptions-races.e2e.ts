import type { Client, Reply } from '@commerce/testing';

import { Scenario, at } from '../flows/scenario.js';
import { World } from '../world.js';

let world: World;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

/** Requests that are sent at one time. */
const CALLERS = 20;

/** A loser must meet a second winner, which does not happen in every race. */
const RACES = 6;

interface Subscriber {
  readonly scenario: Scenario;
  readonly client: Client;
  readonly id: string;
}

/** A customer in the middle of a month of 30.00 that is paid. */
async function subscriber(): Promise<Subscriber> {
  const scenario = await Scenario.begin(world, '2026-04-01');
  const { access_token: token } = await world.admin.made(`/users/${scenario.user}/tokens`);
  const client = world.anonymous.as(token);
  const id = await scenario.subscribed({ prepay: true }, { payment_method: await scenario.card() });
  await scenario.settled(id);
  await scenario.until('2026-04-16');
  return { scenario, client, id };
}

describe('Twenty changes at one time, each collected first', () => {
  it.each([
    ['a user', {}],
    ['an admin', { collect: 'first' }],
  ] as const)(
    'of %s: each is done or refused as a move that the subscription has not',
    async (role, how) => {
      for (let race = 0; race < RACES; race += 1) {
        const { scenario, client, id } = await subscriber();
        const caller = role === 'a user' ? client : world.admin;
        const answers = await Promise.all(
          Array.from({ length: CALLERS }, (_, index) =>
            caller.post(`/subscriptions/${id}/change`, { quantity: index + 2, ...how }),
          ),
        );
        const done = answers.filter(({ status }) => status === 200);
        expect(done).not.toHaveLength(0);
        for (const { status, body } of answers) {
          expect([status, body.code]).toEqual(
            status === 200 ? [200, undefined] : [409, 'subscription.state_conflict'],
          );
        }
        await scenario.settled(id);
        const { quantity, pending_change } = await scenario.subscription(id);
        expect(pending_change).toBeNull();
        expect(done.map(({ body }) => body.quantity)).toContain(quantity);
      }
    },
    180_000,
  );
});

describe('Twenty requests of all kinds for one subscription at one time', () => {
  /** What a request that lost a race may be told. */
  const TOLD = new Set([
    undefined,
    'amount.below_minimum',
    'payment.open',
    'subscription.changed_too_often',
    'subscription.state_conflict',
    'value.invalid',
  ]);

  it('are each done or refused in words that the caller can use, and the books are sound', async () => {
    const { scenario, client, id } = await subscriber();
    const cheaper = await scenario.plan({ prepay: true, total_amount: 20 });
    const path = `/subscriptions/${id}`;
    const requests: (() => Promise<Reply>)[] = [
      () => client.post(`${path}/change`, { quantity: 2 }),
      () => client.post(`${path}/change`, { plan: cheaper }),
      () => client.post(`${path}/change`, { quantity: 3, at: 'period_end' }),
      () => client.delete(`${path}/change`),
      () => client.post(`${path}/pause`, {}),
      () => client.post(`${path}/start`, {}),
      () => client.post(`${path}/stop`, { ending_date: at('2026-04-25') }),
      () => client.put(path, { note: 'Raced' }),
      () => client.put(path, { ending_date: at('2026-06-20') }),
      () => client.post(`${path}/change/preview`, { quantity: 4 }),
    ];
    for (let race = 0; race < RACES; race += 1) {
      const answers = await Promise.all([...requests, ...requests].map((request) => request()));
      for (const { status, body } of answers) {
        expect([status < 500, TOLD.has(body.code) ? 'told' : body.code]).toEqual([true, 'told']);
      }
      await scenario.settled(id);
    }
    const { outstanding_amount, awaiting_amount } = await scenario.subscription(id);
    expect([outstanding_amount, awaiting_amount]).toEqual([0, 0]);
    const charged = (await scenario.bill(id)).filter(([, , status]) => status !== 'FAILED');
    const cents = charged.reduce((sum, [, amount]) => sum + Math.round(amount * 100), 0);
    expect((await scenario.ledger()).captured).toBe(cents);
  }, 180_000);
});
