import { randomBytes } from 'node:crypto';
import { StartError } from '../scripts/stack/report.mjs';

/**
 * The environment of a run: of the settings in the caller's shell only the databases count, and of a MongoDB that
 * is given only the server: the run has a database of its own there.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv}
 */
export function benchEnv(env) {
  const decided =
    /^(.*PORT|DATA_DIR|STRIPE_.*|SANDBOX_.*|WEBHOOK_.*|RATE_LIMIT_.*|AUTH_FAILURES_.*|SWEEP_.*)$/;
  const kept = Object.fromEntries(Object.entries(env).filter(([name]) => !decided.test(name)));
  if (kept.MONGODB_URI) {
    const uri = new URL(kept.MONGODB_URI);
    uri.pathname = `/bench_${randomBytes(6).toString('hex')}`;
    kept.MONGODB_URI = uri.href;
  }
  return {
    ...kept,
    NODE_ENV: 'development',
    LOG_LEVEL: 'warn',
    RATE_LIMIT_PER_SECOND: '0',
    AUTH_FAILURES_PER_MINUTE: '0',
  };
}

/**
 * Opens the run's databases.
 *
 * @param {import('../scripts/stack/stack.mjs').Stack} stack
 * @param {NodeJS.ProcessEnv} env as benchEnv made it
 * @returns {Promise<{db: import('mongoose').mongo.Db, redis: import('ioredis').Redis, close: () => Promise<void>}>}
 *   `close` also removes what the run has left in databases that it did not start itself
 */
export async function openDatabases(stack, env) {
  // Imported here: node_modules may not have been there when the script began.
  const { default: mongoose } = await import('mongoose');
  const { Redis } = await import('ioredis');
  const client = await new mongoose.mongo.MongoClient(stack.uris.mongodb).connect();
  const redis = new Redis(stack.uris.redis, { lazyConnect: true });
  redis.on('error', () => undefined);
  const db = client.db();
  const close = async () => {
    if (env.MONGODB_URI) await db.dropDatabase();
    if (env.REDIS_URL) await redis.flushdb();
    redis.disconnect();
    await client.close();
  };
  return { db, redis, close };
}

/**
 * Another service's jobs would be taken by ours, and ours by its workers.
 *
 * @param {string | undefined} url
 */
export async function requireEmptyRedis(url) {
  if (!url) return;
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, { lazyConnect: true, maxRetriesPerRequest: 1 });
  redis.on('error', () => undefined);
  const keys = await redis.dbsize().finally(() => redis.disconnect());
  if (keys > 0)
    throw new StartError(
      `REDIS_URL holds ${keys} keys. Name an empty database of that server (redis://…/15), or unset it.`,
    );
}
