import { randomBytes } from 'node:crypto';

import { StartError } from '#scripts/system/errors.mjs';
import type { Stack } from '@commerce/stack';
import { Redis } from 'ioredis';
import mongoose, { type mongo } from 'mongoose';

/**
 * The environment of a run: of the settings in the caller's shell only the databases count, and of a given MongoDB
 * only the server: the run has a database of its own there.
 */
export function benchEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const decided =
    /^(.*PORT|DATA_DIR|STRIPE_.*|SANDBOX_.*|WEBHOOK_.*|RATE_LIMIT_.*|AUTH_FAILURES_.*|SWEEP_.*|PROVIDER_RATE_.*|CHARGES_AT_ONCE)$/;
  const kept = Object.fromEntries(Object.entries(env).filter(([name]) => !decided.test(name)));
  return {
    ...kept,
    ...(kept['MONGODB_URI'] ? { MONGODB_URI: ownDatabase(kept['MONGODB_URI']) } : {}),
    NODE_ENV: 'development',
    LOG_LEVEL: 'warn',
    RATE_LIMIT_PER_SECOND: '0',
    USER_RATE_LIMIT_PER_SECOND: '0',
    ADDRESS_RATE_LIMIT_PER_SECOND: '0',
    CARD_ATTEMPTS_PER_HOUR: '0',
    VERIFIES_PER_MINUTE_AND_HOST: '0',
    AUTH_FAILURES_PER_MINUTE: '0',
  };
}

function ownDatabase(uri: string): string {
  const own = new URL(uri);
  own.pathname = `/bench_${randomBytes(6).toString('hex')}`;
  return own.href;
}

/** `close` also removes what the run has left in databases that it did not start itself. */
export interface Databases {
  readonly db: mongo.Db;
  readonly redis: Redis;
  readonly close: () => Promise<void>;
}

/** Opens the run's databases; `env` is what benchEnv made. */
export async function openDatabases(stack: Stack, env: NodeJS.ProcessEnv): Promise<Databases> {
  const client = await new mongoose.mongo.MongoClient(stack.uris.mongodb).connect();
  const redis = new Redis(stack.uris.redis, { lazyConnect: true });
  redis.on('error', () => undefined);
  const db = client.db();
  const close = async (): Promise<void> => {
    if (env['MONGODB_URI']) await db.dropDatabase();
    if (env['REDIS_URL']) await redis.flushdb();
    redis.disconnect();
    await client.close();
  };
  return { db, redis, close };
}

/** Our worker would take another service's jobs, and its workers ours. */
export async function requireEmptyRedis(url: string | undefined): Promise<void> {
  if (!url) return;
  const redis = new Redis(url, { lazyConnect: true, maxRetriesPerRequest: 1 });
  redis.on('error', () => undefined);
  const keys = await redis.dbsize().finally(() => redis.disconnect());
  if (keys > 0)
    throw new StartError(
      `REDIS_URL holds ${String(keys)} keys. Name an empty database of that server (redis://…/15), or unset it.`,
    );
}
