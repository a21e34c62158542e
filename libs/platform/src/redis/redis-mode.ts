import { Redis } from 'ioredis';

import type { RedisSettings } from '../config/config.js';
import { ConfigError } from '../config/read-config.js';
import { nodeAt, withoutPassword } from './redis-address.js';

/** A start on a busy machine must not take a slow Redis for one that is away, and skip the check. */
const ANSWER_MS = 10_000;

/** How a server calls the way in which it runs. */
type Role = 'standalone' | 'sentinel' | 'cluster';

const EXPECTED: Record<RedisSettings['mode'], { readonly role: Role; readonly name: string }> = {
  single: { role: 'standalone', name: 'a single node or the primary of a set of replicas' },
  sentinel: { role: 'sentinel', name: 'the Sentinels' },
  cluster: { role: 'cluster', name: 'nodes of a cluster' },
};

const SETTINGS: Record<Role, string> = {
  standalone: 'REDIS_MODE=single',
  sentinel: 'REDIS_MODE=sentinel and REDIS_SENTINEL_MASTER',
  cluster: 'REDIS_MODE=cluster',
};

/**
 * Compares the servers at the addresses with REDIS_MODE and REDIS_SENTINEL_MASTER. One that is away does not stop the
 * start.
 * @throws ConfigError with a line for each server that is of another kind
 */
export async function checkRedisMode(settings: RedisSettings): Promise<void> {
  const checks = settings.addresses.map((address) => problemAt(address, settings));
  const problems = (await Promise.all(checks)).filter((problem) => problem !== null);
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
}

async function problemAt(address: string, { mode, sentinelMaster }: RedisSettings): Promise<string | null> {
  const { host, port, username, password, tls } = nodeAt(address, mode);
  const redis = new Redis({
    ...{ host, port, username, password, tls, lazyConnect: true, enableReadyCheck: false },
    ...{ connectTimeout: ANSWER_MS, commandTimeout: ANSWER_MS, retryStrategy: () => null },
  });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    // Valkey has another name for the field.
    const role = /^(?:redis|server)_mode:(\w+)/m.exec(await redis.info('server'))?.[1];
    const at = withoutPassword(address);
    const { role: expected, name } = EXPECTED[mode];
    if (isRole(role) && role !== expected)
      return `REDIS_URL: the Redis at ${at} runs in ${role} mode; set ${SETTINGS[role]}, or name ${name}`;
    if (
      sentinelMaster === null ||
      (await redis.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', sentinelMaster)) !== null
    )
      return null;
    return `REDIS_SENTINEL_MASTER: the Sentinel at ${at} watches no set of the name ${sentinelMaster}`;
  } catch {
    return null;
  } finally {
    redis.disconnect();
  }
}

function isRole(text: string | undefined): text is Role {
  return text !== undefined && text in SETTINGS;
}
