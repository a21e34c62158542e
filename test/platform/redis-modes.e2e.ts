import { spawnSync } from 'node:child_process';

import { QueueReader } from '@commerce/jobs';
import { RateLimiter, RedisClient, TurnScheduler } from '@commerce/platform';
import { mainOf } from '@commerce/stack';
import { SENTINEL_MASTER } from '@commerce/testing';
import { Cluster } from 'ioredis';

import { RedisServers, redisUrl } from '../redis-servers.js';
import { World } from '../world.js';

type Settings = Readonly<Record<string, string>>;

const servers = new RedisServers();
/** The addresses of each kind of Redis. */
let single: string;
let cluster: string;
let sentinels: string;

beforeAll(async () => {
  single = redisUrl((await servers.node()).port);
  cluster = redisUrl(...(await servers.cluster()));
  sentinels = redisUrl(...(await servers.watched()).sentinels);
});
afterAll(() => servers.stop());

// A world leaves its settings behind.
const { REDIS_URL } = process.env;
beforeEach(() => {
  Object.assign(process.env, { REDIS_URL, REDIS_MODE: '', REDIS_SENTINEL_MASTER: '' });
});

describe.each([
  ['single', () => ({ REDIS_MODE: '', REDIS_URL: single })],
  ['sentinel', () => sentinelSettings(sentinels)],
  ['cluster', () => ({ REDIS_MODE: 'cluster', REDIS_URL: cluster })],
])('With REDIS_MODE %s', (_, settings: () => Settings) => {
  it('the service queues, limits and schedules through Redis', async () => {
    const world = await World.start({ env: settings() });
    try {
      await world.get(RedisClient).checkMode();
      await world.get(RedisClient).untilReady();
      const { receiver } = await world.listening('user.created');
      const { id } = await world.user();
      await receiver.until(() => receiver.messages.some(({ json }) => json.object._id === id));
      const { redis } = world.get(RedisClient);
      const nodes = redis instanceof Cluster ? redis.nodes('master') : [redis];
      const keys = await Promise.all(nodes.map((node) => node.keys('{commerce}:*')));
      expect(keys.flat()).not.toEqual([]);
      expect(await world.get(QueueReader).standings()).not.toBeNull();
      const rule = { perSecond: 0.001, burst: 1 };
      const limiter = world.get(RateLimiter);
      expect((await limiter.take('modes', rule)).allowed).toBe(true);
      expect((await new RateLimiter(world.get(RedisClient)).take('modes', rule)).allowed).toBe(false);
      await limiter.pause('{modes}', 10_000);
      const turns = world.get(TurnScheduler).reserve('{modes}', { perSecond: 1, share: 'a', ahead: 1 }, 1);
      expect((await turns).pausedMs).toBeGreaterThan(0);
    } finally {
      await world.stop();
    }
  });
});

function sentinelSettings(addresses: string, master = SENTINEL_MASTER): Settings {
  return { REDIS_MODE: 'sentinel', REDIS_URL: addresses, REDIS_SENTINEL_MASTER: master };
}

describe('The worker', () => {
  /** The lines with which it refuses to start. */
  const refusal = (settings: Settings): string[] => {
    const env = {
      PATH: process.env['PATH'],
      NODE_ENV: 'test',
      MONGODB_URI: process.env['MONGODB_URI'],
      STRIPE_SECRET_KEY: 'sk_test_none',
      STRIPE_WEBHOOK_SECRET: 'whsec_none',
      ...settings,
    };
    const options = { env, encoding: 'utf8', timeout: 60_000 } as const;
    const { status, stderr } = spawnSync(process.execPath, [mainOf('worker')], options);
    const [headline, ...lines] = stderr.trimEnd().split('\n');
    expect([status, headline]).toEqual([1, 'The worker cannot start:']);
    return lines;
  };

  it.each([
    [
      'without a mode for nodes of a cluster',
      () => ({ REDIS_URL: cluster.split(',')[0] ?? '' }),
      /^REDIS_URL: the Redis at redis:\/\/127.0.0.1:\d+ runs in cluster mode; set REDIS_MODE=cluster, or name a single node/,
    ],
    [
      'without a mode for a Sentinel',
      () => ({ REDIS_URL: sentinels.split(',')[0] ?? '' }),
      /runs in sentinel mode; set REDIS_MODE=sentinel and REDIS_SENTINEL_MASTER, or name a single node/,
    ],
    [
      'in cluster mode for a plain node',
      () => ({ REDIS_MODE: 'cluster', REDIS_URL: single }),
      /runs in standalone mode; set REDIS_MODE=single, or name nodes of a cluster$/,
    ],
    [
      'in sentinel mode for a plain node',
      () => sentinelSettings(single),
      /runs in standalone mode; set REDIS_MODE=single, or name the Sentinels$/,
    ],
    [
      'with the name of a set that no Sentinel watches',
      () => sentinelSettings(sentinels, 'other'),
      /^REDIS_SENTINEL_MASTER: the Sentinel at redis:\/\/127.0.0.1:\d+ watches no set of the name other$/,
    ],
  ])('does not start %s', (_title, settings: () => Settings, words) => {
    const lines = refusal(settings());
    expect(lines).not.toEqual([]);
    for (const line of lines) expect(line).toMatch(words);
  });
});
