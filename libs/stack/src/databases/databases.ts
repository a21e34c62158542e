import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { freePort, isFree } from '../processes/ports.js';
import { requireMongo, startMongo } from './mongodb.js';
import { startRedis } from './redis.js';
import type { DatabaseContext } from './server-context.js';

export type DatabaseUris = Record<'mongodb' | 'redis', string>;

/** Uses the databases that MONGODB_URI and REDIS_URL name, and starts those that they do not. */
export async function startDatabases(
  context: DatabaseContext,
  { MONGODB_URI, REDIS_URL }: NodeJS.ProcessEnv,
): Promise<DatabaseUris> {
  const { dataDir, ephemeral, log } = context;
  const ports = await databasePorts(dataDir, ephemeral);
  if (MONGODB_URI) log('MongoDB', 'as MONGODB_URI says');
  if (REDIS_URL) log('Redis', 'as REDIS_URL says');
  // The first failure counts at once: the other may be a build of several minutes, which the caller's stop() ends.
  const [mongodb, redis] = await Promise.all([
    MONGODB_URI ? requireMongo(MONGODB_URI) : startMongo({ ...context, port: ports.mongodb }),
    REDIS_URL || startRedis({ ...context, port: ports.redis }),
  ]);
  return { mongodb, redis };
}

/** The same ports at each start as long as they are free, so that a database tool stays connected. */
async function databasePorts(
  dataDir: string,
  ephemeral: boolean,
): Promise<Record<keyof DatabaseUris, number>> {
  const file = join(dataDir, 'database-ports.json');
  if (existsSync(file)) {
    const kept = JSON.parse(readFileSync(file, 'utf8')) as Record<keyof DatabaseUris, number>;
    if ((await isFree(kept.mongodb)) && (await isFree(kept.redis))) return kept;
  }
  const ports = { mongodb: await freePort(), redis: await freePort() };
  if (!ephemeral) writeFileSync(file, JSON.stringify(ports));
  return ports;
}
