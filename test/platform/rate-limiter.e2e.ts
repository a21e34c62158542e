import { RateLimiter, RedisClient } from '@commerce/platform';
import type { Redis } from 'ioredis';

import { World } from '../world.js';

let world: World;
beforeAll(async () => {
  world = await World.start({ worker: false });
  await world.get(RedisClient).untilReady();
});
afterAll(async () => {
  await world.stop();
});

const RULE = { perSecond: 10, burst: 20 };

/** The number of tries that got a token, and the result of the last one. */
async function take(
  limiter: RateLimiter,
  key: string,
  tries: number,
  rule = RULE,
): Promise<{ taken: number; remaining: number; retryAfterMs: number }> {
  let taken = 0;
  let last = { remaining: 0, retryAfterMs: 0 };
  for (let index = 0; index < tries; index += 1) {
    const decision = await limiter.take(key, rule);
    if (decision.allowed) taken += 1;
    last = decision;
  }
  return { taken, remaining: last.remaining, retryAfterMs: last.retryAfterMs };
}

describe('A bucket', () => {
  it('gives its burst immediately, then reports the wait for the next token', async () => {
    const limiter = world.get(RateLimiter);
    expect(await take(limiter, 'burst', 15)).toMatchObject({ taken: 15, retryAfterMs: 0 });
    const { taken, retryAfterMs } = await take(limiter, 'burst', 25);
    // A token comes every 100 ms, and these tries themselves take time.
    expect(taken).toBeGreaterThanOrEqual(5);
    expect(taken).toBeLessThan(15);
    expect(retryAfterMs).toBeGreaterThan(0);
    expect(retryAfterMs).toBeLessThanOrEqual(100);
  });

  it('counts down the remaining tokens', async () => {
    expect(await take(world.get(RateLimiter), 'remaining', 1)).toMatchObject({ remaining: 19 });
  });

  it('fills evenly, not all together at the end of a window', async () => {
    const limiter = world.get(RateLimiter);
    await take(limiter, 'fills', 25);
    await new Promise((resolve) => setTimeout(resolve, 600));
    const { taken } = await take(limiter, 'fills', 25);
    expect(taken).toBeGreaterThanOrEqual(5);
    expect(taken).toBeLessThan(20);
  });

  it('is shared by all processes', async () => {
    const other = new RateLimiter(world.get(RedisClient));
    const both = await Promise.all([
      take(world.get(RateLimiter), 'shared', 30, { perSecond: 0.1, burst: 30 }),
      take(other, 'shared', 30, { perSecond: 0.1, burst: 30 }),
    ]);
    expect(both[0].taken + both[1].taken).toBe(30);
  });

  it('may be smaller than its gain in a second', async () => {
    const { taken } = await take(world.get(RateLimiter), 'small', 10, { perSecond: 5, burst: 2 });
    expect(taken).toBeGreaterThanOrEqual(2);
    expect(taken).toBeLessThan(5);
  });

  it('is not asked when there is no limit', async () => {
    const rule = { perSecond: 0, burst: 20 };
    expect(await take(world.get(RateLimiter), 'none', 50, rule)).toMatchObject({ taken: 50, remaining: 20 });
  });
});

describe('Without Redis', () => {
  it('each process continues to limit by itself, without waiting', async () => {
    const away = (world.get(RedisClient).redis as Redis).duplicate({ lazyConnect: true });
    const limiter = new RateLimiter({ redis: away } as RedisClient);
    const started = performance.now();
    const { taken, retryAfterMs } = await take(limiter, 'away', 30);
    expect(taken).toBe(20);
    expect(retryAfterMs).toBeGreaterThan(0);
    expect(performance.now() - started).toBeLessThan(1000);
  });
});
