import { randomBytes } from 'node:crypto';

import { eventually, idIn, type Client } from '@commerce/testing';

import type { World } from '../world.js';
import type { MongoProxy } from './mongo-proxy.js';
import { ProxiedWorld } from './proxied-world.js';

let proxied: ProxiedWorld;
let proxy: MongoProxy;
let world: World;
beforeAll(async () => {
  proxied = await ProxiedWorld.start();
  ({ proxy, world } = proxied);
}, 60_000);
afterEach(() => proxy.comeBack());
afterAll(() => proxied.stop(), 120_000);

const user = (): ReturnType<Client['get']> => world.admin.post('/users', { name: 'Ada' });

async function timed(
  ask: () => ReturnType<Client['get']>,
): Promise<{ status: number; code: unknown; ms: number }> {
  const started = performance.now();
  const { status, body } = await ask();
  return { status, code: body.code, ms: performance.now() - started };
}

const together = (ask: () => ReturnType<Client['get']>, times: number): ReturnType<typeof timed>[] =>
  Array.from({ length: times }, () => timed(ask));

/** The longest of that many concurrent requests: on a busy machine they wait for each other. */
async function usualMs(ask: () => ReturnType<Client['get']>, times: number): Promise<number> {
  return Math.max(...(await Promise.all(together(ask, times))).map(({ ms }) => ms));
}

/** Sends `times` concurrent requests, each of which must be refused in time, beside what they usually take. */
async function refusedInTime(ask: () => ReturnType<Client['get']>, times = 1, besideMs = 0): Promise<void> {
  for (const { status, code, ms } of await Promise.all(together(ask, times))) {
    expect([status, code]).toEqual([503, 'service.unavailable']);
    expect(ms).toBeLessThan(3000 + besideMs);
  }
}

const WRITES = new Set(['insert', 'update', 'delete', 'findAndModify', 'bulkWrite']);

describe('The API replies with 503 in under three seconds', () => {
  it.each<[string, (command: string) => boolean]>([
    ['commits, as without a majority', (command) => command === 'commitTransaction'],
    ['writes', (command) => WRITES.has(command)],
    ['writes and what ends a transaction', (command) => WRITES.has(command) || /Transaction$/.test(command)],
  ])('to a database that does not acknowledge %s', async (_what, hangs) => {
    proxy.treats((command) => (hangs(command) ? 'swallow' : 'pass'));
    await refusedInTime(user);
    await refusedInTime(() =>
      world.admin.with({ 'Idempotency-Key': randomBytes(8).toString('hex') }).post('/users', { name: 'Ada' }),
    );
    // Requests that only read still succeed.
    expect((await world.admin.get('/plans')).status).toBe(200);
  });

  it('to a database that swallows every reply, and connections do not run out', async () => {
    const usual = await usualMs(user, 120);
    proxy.swallowsEverything();
    await refusedInTime(user, 120, usual);
    await refusedInTime(user, 120, usual);
    // The connections of two processes, with at most fifty each, and the monitoring ones.
    expect(proxy.connected).toBeLessThanOrEqual(2 * 50 + 10);
  });

  it('to an unreachable database', async () => {
    const usual = await usualMs(user, 120);
    proxy.goAway();
    await refusedInTime(user, 120, usual);
    await refusedInTime(() => world.admin.get('/plans'), 20);
  });
});

describe('A list', () => {
  it.each(['cut_before', 'cut_after'] as const)(
    'is read although a connection breaks once (%s)',
    async (how) => {
      let asked = 0;
      proxy.treats((command) => {
        if (command === 'aggregate') asked += 1;
        return command === 'aggregate' && asked === 1 ? how : 'pass';
      });
      expect((await world.admin.get('/plans')).status).toBe(200);
      expect(asked).toBeGreaterThan(1);
    },
  );
});

describe('After a database that did not reply', () => {
  it('API, sweeps and jobs continue by themselves', async () => {
    const { receiver } = await world.listening('user.created');
    for (const fails of [() => proxy.swallowsEverything(), () => proxy.goAway()]) {
      fails();
      await refusedInTime(user, 20);
      await new Promise((resolve) => setTimeout(resolve, 1000));
      proxy.comeBack();
      const made = await eventually(user, ({ status }) => status === 200, 20_000);
      await receiver.until(
        () => receiver.messages.some(({ json }) => json.object._id === idIn(made.body)),
        40_000,
      );
    }
  }, 120_000);
});
