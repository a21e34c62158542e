import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { StartError } from '#scripts/system/errors.mjs';
import { elapsed } from '#scripts/system/report.mjs';
import { Redis } from 'ioredis';

import type { Child } from '../processes/child.js';
import { untilDone } from '../processes/until-done.js';
import { onPath } from '../programs.js';
import type { ServerContext } from './server-context.js';

const LIMIT_MS = 30_000;

/** Starts a Redis of our own on a port known to be free. Resolves to its URL. */
export async function startRedis(context: ServerContext): Promise<string> {
  const { processes, log, dataDir, port, ephemeral } = context;
  const since = performance.now();
  const command = onPath('redis-server') ?? (await installRedis(context));
  const dir = join(dataDir, 'redis');
  mkdirSync(dir, { recursive: true });
  log('Redis', `starting ${command} on port ${String(port)}, data in ${dir}`);
  const child = processes.start({
    name: 'Redis',
    stage: 0,
    command,
    args: [
      ...['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, '--daemonize', 'no'],
      // Nothing here is the truth, but an evicted key may be a job's lock: never evict.
      ...['--maxmemory-policy', 'noeviction', '--save', ''],
      ...(ephemeral ? ['--appendonly', 'no'] : ['--appendonly', 'yes', '--appendfsync', 'everysec']),
    ],
    env: process.env,
    cwd: dir,
    logFile: join(dataDir, 'logs/redis.log'),
  });
  await untilDone([child], LIMIT_MS, () => isOurRedis(child, port));
  log('Redis', `ready after ${elapsed(since)}`);
  return `redis://127.0.0.1:${String(port)}/0`;
}

/** Resolves to the path of the program. */
async function installRedis({ processes, log }: ServerContext): Promise<string> {
  if (process.getuid?.() !== 0 || onPath('apt-get') === null || !existsSync('/etc/debian_version')) {
    throw new StartError(
      'No Redis was found. Either\n' +
        '  - set REDIS_URL to a running one (maxmemory-policy noeviction), or\n' +
        '  - put redis-server on the PATH (Debian and Ubuntu: apt-get install redis-server).',
    );
  }
  log('Redis', 'no redis-server on the PATH: installing it with apt-get (half a minute)');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const onLine = (line: string): void => {
    if (/^(Get|Setting up|E:|Err)/.test(line)) log('Redis', line);
  };
  const update = await processes.run('apt-get', ['update', '-q'], { env, onLine });
  const args = ['install', '-y', '-q', '--no-install-recommends', 'redis-server'];
  const { code, output } = await processes.run('apt-get', args, { env, onLine });
  const command = onPath('redis-server');
  if (code !== 0 || command === null) {
    const reason = `${update.output}\n${output}`.trim().split('\n').slice(-5).join('\n');
    throw new StartError(`${reason}\n\napt-get could not install redis-server. Set REDIS_URL instead.`);
  }
  return command;
}

/** Ready means that the process we started answers, not merely that some server does. */
async function isOurRedis(child: Child, port: number): Promise<boolean> {
  const options = {
    lazyConnect: true,
    enableReadyCheck: false,
    connectTimeout: 2_000,
    commandTimeout: 2_000,
  };
  const redis = new Redis(port, '127.0.0.1', { ...options, retryStrategy: () => null });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    const info = await redis.info();
    const pid = Number(/^process_id:(\d+)/m.exec(info)?.[1]);
    if (pid !== child.pid)
      throw new StartError(
        `Another Redis (pid ${String(pid)}) answers on port ${String(port)}; start again to use another port.`,
      );
    return !/^loading:1/m.test(info);
  } finally {
    redis.disconnect();
  }
}
