import { execFileSync } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem, type } from 'node:os';
import { basename } from 'node:path';

import type { Stack } from '@commerce/stack';
import type { Redis } from 'ioredis';
import type { mongo } from 'mongoose';

/** What the numbers were measured on: without it they say nothing. */
export async function describeMachine(
  db: mongo.Db,
  redis: Redis,
  stack: Stack,
  load: number,
): Promise<Record<string, string>> {
  const { version } = await db.admin().buildInfo();
  const info = await redis.info('server');
  const cores = `${cpus()[0]?.model ?? 'unknown'}, ${String(availableParallelism())} cores`;
  const memory = `${(totalmem() / 2 ** 30).toFixed(1)} GiB`;
  return {
    Date: `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    Machine: `${cores}, ${memory}, ${type()} ${release()}`,
    'Load at the start': `${load.toFixed(2)} (anything well above 0 was other work on the same cores)`,
    Database: `${databaseName(stack.pids.MongoDB)}, which calls itself MongoDB ${String(version)}`,
    Redis: /^redis_version:(\S+)/m.exec(info)?.[1] ?? 'unknown',
    Node: process.version,
  };
}

/** The program behind the database, with its own version: it need not be MongoDB's own server. */
function databaseName(pid: number | undefined): string {
  if (pid === undefined) return 'the server of MONGODB_URI';
  try {
    const program = readlinkSync(`/proc/${String(pid)}/exe`);
    const [told = ''] = execFileSync(program, ['--version'], { encoding: 'utf8' }).split('\n');
    const name = basename(program);
    return told.includes(name) ? told.trim() : `${name} (${told.trim()})`;
  } catch {
    return 'a server of this run';
  }
}
