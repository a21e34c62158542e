import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireMongo, startMongo } from './mongodb.mjs';
import { freePorts, isFree } from './ports.mjs';
import { startRedis } from './redis.mjs';

/**
 * @typedef {object} ServerContext what startMongo and startRedis work with
 * @property {import('./processes.mjs').Processes} processes
 * @property {import('./report.mjs').Log} log
 * @property {string} dataDir
 * @property {number} port proved free
 * @property {boolean} ephemeral data that nobody will miss: no syncing, small files
 */

/**
 * Uses the databases that MONGODB_URI and REDIS_URL name, and starts those that they do not.
 *
 * @param {Omit<ServerContext, 'port'> & {env: NodeJS.ProcessEnv}} context
 * @returns {Promise<{mongodb: string, redis: string}>}
 */
export async function startDatabases({ dataDir, ephemeral, processes, env, log }) {
  const ports = await databasePorts(dataDir, ephemeral);
  const context = { processes, log, dataDir, ephemeral };
  const mongodb = env.MONGODB_URI
    ? requireMongo(env.MONGODB_URI).then(() => env.MONGODB_URI)
    : startMongo({ ...context, port: ports.mongodb });
  const redis = env.REDIS_URL
    ? Promise.resolve(env.REDIS_URL)
    : startRedis({ ...context, port: ports.redis });
  if (env.MONGODB_URI) log('MongoDB', 'as MONGODB_URI says');
  if (env.REDIS_URL) log('Redis', 'as REDIS_URL says');
  // The first failure counts at once: the other may be a build of minutes, which the caller's stop() ends.
  const [first, second] = await Promise.all([mongodb, redis]);
  return { mongodb: first, redis: second };
}

/** The same ports at each start where they are free, so that a database tool stays connected. */
async function databasePorts(dataDir, ephemeral) {
  const file = join(dataDir, 'database-ports.json');
  if (existsSync(file)) {
    const kept = JSON.parse(readFileSync(file, 'utf8'));
    if ((await isFree(kept.mongodb)) && (await isFree(kept.redis))) return kept;
  }
  const [mongodb, redis] = await freePorts(2);
  if (!ephemeral) writeFileSync(file, JSON.stringify({ mongodb, redis }));
  return { mongodb, redis };
}
