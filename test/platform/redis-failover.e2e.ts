import { setTimeout as pause } from 'node:timers/promises';

import { JobWorkers, QueueReader } from '@commerce/jobs';
import { SENTINEL_MASTER, eventually } from '@commerce/testing';

import { RedisServers, redisUrl } from '../redis-servers.js';
import { World } from '../world.js';

const servers = new RedisServers();
afterAll(() => servers.stop());

// A world leaves its settings behind.
const { REDIS_URL } = process.env;
beforeEach(() => {
  Object.assign(process.env, { REDIS_URL, REDIS_MODE: '', REDIS_SENTINEL_MASTER: '' });
});

interface Watched {
  readonly env: Readonly<Record<string, string>>;
  /** The port of the master that has the queues. */
  readonly master: number;
}

async function cluster(): Promise<Watched> {
  const ports = await servers.cluster(1);
  const redis = servers.clientOf(ports[0] ?? 0);
  const slot = await redis.cluster('KEYSLOT', '{commerce}');
  const ranges = await redis.cluster('SLOTS');
  const [, , [, master = 0] = []] = ranges.find(([from, to]) => from <= slot && slot <= to) ?? [];
  return { env: { REDIS_MODE: 'cluster', REDIS_URL: redisUrl(...ports) }, master };
}

async function sentinels(): Promise<Watched> {
  const { nodes, sentinels: ports } = await servers.watched();
  const env = {
    REDIS_MODE: 'sentinel',
    REDIS_URL: redisUrl(...ports),
    REDIS_SENTINEL_MASTER: SENTINEL_MASTER,
  };
  return { env, master: nodes[0] ?? 0 };
}

describe.each([
  ['cluster', cluster],
  ['set that Sentinels watch', sentinels],
])('A %s whose master is killed', (_, start) => {
  it('is used again by API and worker, which end quickly afterwards', async () => {
    const { env, master } = await start();
    const world = await World.start({ env });
    try {
      const { receiver } = await world.listening('user.created');
      await servers.kill(master);
      // Longer than the waits for jobs that were interrupted.
      await pause(8000);
      await eventually(
        () => world.get(QueueReader).standings(),
        (standings) => standings !== null,
        30_000,
      );
      const { id } = await world.user();
      await receiver.until(() => receiver.messages.some(({ json }) => json.object._id === id));
      const since = performance.now();
      const workers = world.worker?.get(JobWorkers);
      await workers?.onModuleDestroy();
      await workers?.onApplicationShutdown();
      expect(performance.now() - since).toBeLessThan(8000);
    } finally {
      await world.stop();
    }
  }, 120_000);
});
