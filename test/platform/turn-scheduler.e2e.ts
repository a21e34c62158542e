import { RateLimiter, RedisClient, TurnScheduler, type ReservedTurns } from '@commerce/platform';

import { World } from '../world.js';

let world: World;
beforeAll(async () => {
  world = await World.start({ worker: false });
  await world.get(RedisClient).untilReady();
});
afterAll(async () => {
  await world.stop();
});

/** Turns a second apart, so that none comes during a test's requests. */
const SLOW = { perSecond: 1, share: 'background', ahead: 5 };

/** The schedulers of two processes. */
const processes = (): [TurnScheduler, TurnScheduler] => {
  const client = world.get(RedisClient);
  return [new TurnScheduler(client), new TurnScheduler(client)];
};

const seconds = ({ waits }: ReservedTurns): number[] => waits.map((ms) => Math.round(ms / 1000));

describe('Turns', () => {
  it('follow one another across processes, as many as the share may have ahead beside a current one', async () => {
    const [one, other] = processes();
    expect(seconds(await one.reserve('{follow}', SLOW, 3))).toEqual([0, 1, 2]);
    expect(seconds(await other.reserve('{follow}', SLOW, 9))).toEqual([3, 4, 5]);
    const { waits, retryAfterMs } = await one.reserve('{follow}', SLOW, 1);
    expect(waits).toEqual([]);
    // The time until half of the permitted queue is free again.
    expect(retryAfterMs).toBeGreaterThan(1000);
    expect(retryAfterMs).toBeLessThanOrEqual(3000);
  });

  it('of one share leave room for those of another, which come after them', async () => {
    const [one, other] = processes();
    const requests = { ...SLOW, share: 'requests' };
    expect(seconds(await one.reserve('{shares}', SLOW, 9))).toEqual([0, 1, 2, 3, 4, 5]);
    expect(seconds(await other.reserve('{shares}', requests, 2))).toEqual([6, 7]);
  });

  it('are not handed out in a pause of any process', async () => {
    const [one] = processes();
    await world.get(RateLimiter).pause('{paused}', 60_000);
    const { waits, pausedMs } = await one.reserve('{paused}', SLOW, 1);
    expect(waits).toEqual([]);
    expect(pausedMs).toBeGreaterThan(30_000);
  });

  it('restart when the clock of Redis was set back', async () => {
    const [one] = processes();
    const inAnHour = String(performance.timeOrigin + 3_600_000);
    const { redis } = world.get(RedisClient);
    await redis.hset('turns:{clock}', { next: inAnHour, 'background:0': inAnHour });
    expect(seconds(await one.reserve('{clock}', SLOW, 2))).toEqual([0, 1]);
  });

  it('are kept by each process for itself while Redis is unreachable', async () => {
    const [one, other] = processes();
    world.get(RedisClient).redis.disconnect();
    expect(seconds(await one.reserve('{alone}', SLOW, 9))).toEqual([0, 1, 2, 3, 4, 5]);
    expect((await one.reserve('{alone}', SLOW, 1)).waits).toEqual([]);
    expect(seconds(await other.reserve('{alone}', SLOW, 1))).toEqual([0]);
  });
});
