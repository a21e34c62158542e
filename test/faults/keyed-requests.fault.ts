import { eventually } from '@commerce/testing';

import type { World } from '../world.js';
import type { MongoProxy, Treatment } from './mongo-proxy.js';
import { ProxiedWorld } from './proxied-world.js';

/** One more than a request with a key sends. */
const COMMANDS = 4;

let proxied: ProxiedWorld;
let proxy: MongoProxy;
let world: World;
beforeAll(async () => {
  proxied = await ProxiedWorld.start({ worker: false });
  ({ proxy, world } = proxied);
}, 60_000);
afterEach(() => proxy.comeBack());
afterAll(() => proxied.stop(), 120_000);

const cases = Array.from({ length: COMMANDS }, (_, index) => index + 1).flatMap((at) =>
  (['cut_before', 'cut_after'] as const).map((how): [Treatment, number] => [how, at]),
);

describe('A request under a key that is repeated until it succeeds', () => {
  it.each(cases)(
    'takes effect once when the connection is %s command %i',
    async (how, at) => {
      const name = `${how}-${String(at)}`;
      const caller = world.admin.with({ 'Idempotency-Key': name });
      let left = at;
      proxy.treats(() => {
        left -= 1;
        return left === 0 ? how : 'pass';
      });
      const { status, body } = await eventually(
        () => caller.post('/users', { name, email: `${name}@example.com` }),
        (answer) => answer.status !== 503 && answer.status !== 409,
        60_000,
      );
      proxy.comeBack();
      expect([status, body.name]).toEqual([200, name]);
      const named = (await world.admin.read('/users', { size: 100 })).filter(
        (user: any) => user.name === name,
      );
      expect(named).toEqual([body]);
      const again = await caller.post('/users', { name, email: `${name}@example.com` });
      expect([again.headers['idempotent-replayed'], again.body]).toEqual(['true', body]);
    },
    90_000,
  );
});
