import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, isFree } from '../processes/ports.mjs';
import { requireMongo, startMongo } from './mongodb.mjs';
import { startRedis } from './redis.mjs';

/**
 * @import { Processes } from '../processes/processes.mjs'
 * @import { Log } from '../system/report.mjs'
 */

/**
 * @typedef {object} ServerContext what startMongo and startRedis work with
 * @property {Processes} processes
 * @property {Log} log
 * @property {string} dataDir
 * @property {number} port known to be free
 * @property {number} [databaseCacheGb] the most that MongoDB keeps in memory
 * @property {boolean} ephemeral data that nobody will miss: no syncing, small files
 */

/**
 * Uses the databases that MONGODB_URI and REDIS_URL name, and starts those that they do not.
 *
 * @param {Omit<ServerContext, 'port'> & {env: NodeJS.ProcessEnv}} context
 * @returns {Promise<{mongodb: string, redis: string}>}
 */
export async function startDatabases({ dataDir, ephemeral, databaseCacheGb, processes, env, log }) {
  const ports = await databasePorts(dataDir, ephemeral);
  const context = { processes, log, dataDir, ephemeral, databaseCacheGb };
  const { MONGODB_URI, REDIS_URL } = env;
  const mongodb = MONGODB_URI
    ? requireMongo(MONGODB_URI).then(() => MONGODB_URI)
    : startMongo({ ...context, port: ports.mongodb });
  const redis = REDIS_URL ? Promise.resolve(REDIS_URL) : startRedis({ ...context, port: ports.redis });
  if (MONGODB_URI) log('MongoDB', 'as MONGODB_URI says');
  if (REDIS_URL) log('Redis', 'as REDIS_URL says');
  // The first failure counts at once: the other may be a build of several minutes, which the caller's stop() ends.
  const [first, second] = await Promise.all([mongodb, redis]);
  return { mongodb: first, redis: second };
}

/**
 * The same ports at each start as long as they are free, so that a database tool stays connected.
 *
 * @param {string} dataDir
 * @param {boolean} ephemeral
 * @returns {Promise<{mongodb: number, redis: number}>}
 */
async function databasePorts(dataDir, ephemeral) {
  const file = join(dataDir, 'database-ports.json');
  if (existsSync(file)) {
    const kept = JSON.parse(readFileSync(file, 'utf8'));
    if ((await isFree(kept.mongodb)) && (await isFree(kept.redis))) return kept;
  }
  const ports = { mongodb: await freePort(), redis: await freePort() };
  if (!ephemeral) writeFileSync(file, JSON.stringify(ports));
  return ports;
}
