import type { Client } from '@commerce/testing';

import { Scenario } from '../flows/scenario.js';
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
  ] as const)('of %s: each is done or refused as a move that the subscription has not', async (role, how) => {
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
  });
});
