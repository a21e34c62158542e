import { execFileSync } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';
import { basename } from 'node:path';

/**
 * What the numbers were measured on: without it they say nothing.
 *
 * @param {import('mongoose').mongo.Db} db
 * @param {import('ioredis').Redis} redis
 * @param {import('../../scripts/stack/stack.mjs').Stack} stack
 * @returns {Promise<Record<string, string>>}
 */
export async function describeMachine(db, redis, stack) {
  const { version } = await db.admin().buildInfo();
  const info = await redis.info('server');
  const [load] = loadavg();
  return {
    Date: new Date().toISOString().slice(0, 16).replace('T', ' ') + ' UTC',
    Machine: `${cpus()[0]?.model ?? 'unknown'}, ${availableParallelism()} cores, ${(totalmem() / 2 ** 30).toFixed(1)} GiB, ${type()} ${release()}`,
    'Load at the start': `${load.toFixed(2)} (anything well above 0 was other work on the same cores)`,
    Database: `${databaseName(stack.pids.MongoDB)}, which calls itself MongoDB ${version}`,
    Redis: /^redis_version:(\S+)/m.exec(info)?.[1] ?? 'unknown',
    Node: process.version,
  };
}

/** The program behind the database, with its own version: it need not be MongoDB's own server. */
function databaseName(pid) {
  if (pid === undefined) return 'the server of MONGODB_URI';
  try {
    const program = readlinkSync(`/proc/${pid}/exe`);
    const told = execFileSync(program, ['--version'], { encoding: 'utf8' }).split('\n')[0].trim();
    const name = basename(program);
    return told.includes(name) ? told : `${name} (${told})`;
  } catch {
    return 'a server of this run';
  }
}
