import { existsSync, mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../system/errors.mjs';
import { onPath } from '../system/programs.mjs';
import { elapsed } from '../system/report.mjs';

/**
 * @import { Child } from '../processes/child.mjs'
 * @import { ServerContext } from './databases.mjs'
 */

const LIMIT_MS = 30_000;

/**
 * Starts a Redis of our own on a port known to be free.
 *
 * @param {ServerContext} context
 * @returns {Promise<string>} its URL
 */
export async function startRedis(context) {
  const { processes, log, dataDir, port, ephemeral } = context;
  const since = performance.now();
  const command = onPath('redis-server') ?? (await installRedis(context));
  const dir = join(dataDir, 'redis');
  mkdirSync(dir, { recursive: true });
  log('Redis', `starting ${command} on port ${port}, data in ${dir}`);
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
  await waitForRedis(child, port);
  log('Redis', `ready after ${elapsed(since)}`);
  return `redis://127.0.0.1:${port}/0`;
}

/**
 * @param {ServerContext} context
 * @returns {Promise<string>} its path
 */
async function installRedis({ processes, log }) {
  if (process.getuid?.() !== 0 || !onPath('apt-get') || !existsSync('/etc/debian_version')) {
    throw new StartError(
      'No Redis was found. Either\n' +
        '  - set REDIS_URL to a running one (maxmemory-policy noeviction), or\n' +
        '  - put redis-server on the PATH (Debian and Ubuntu: apt-get install redis-server).',
    );
  }
  log('Redis', 'no redis-server on the PATH: installing it with apt-get (half a minute)');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  /** @param {string} line */
  const onLine = (line) => {
    if (/^(Get|Setting up|E:|Err)/.test(line)) log('Redis', line);
  };
  const update = await processes.run('apt-get', ['update', '-q'], { env, onLine });
  const args = ['install', '-y', '-q', '--no-install-recommends', 'redis-server'];
  const { code, output } = await processes.run('apt-get', args, { env, onLine });
  const command = onPath('redis-server');
  if (code !== 0 || !command) {
    const reason = `${update.output}\n${output}`.trim().split('\n').slice(-5).join('\n');
    throw new StartError(`${reason}\n\napt-get could not install redis-server. Set REDIS_URL instead.`);
  }
  return command;
}

/**
 * Ready means that the process we started answers, not merely that some server does.
 *
 * @param {Child} child
 * @param {number} port
 */
async function waitForRedis(child, port) {
  for (const end = performance.now() + LIMIT_MS; child.alive && performance.now() < end; await sleep(50)) {
    const info = await askInfo(port).catch(() => '');
    const pid = Number(/^process_id:(\d+)/m.exec(info)?.[1]);
    if (!pid || /^loading:1/m.test(info)) continue;
    if (pid === child.pid) return;
    throw new StartError(
      `Another Redis (pid ${pid}) answers on port ${port}; start again to use another port.`,
    );
  }
  throw new StartError(`Redis did not start:\n${child.lastLines()}`);
}

/**
 * INFO over a bare socket, which needs nothing from node_modules.
 *
 * @param {number} port
 * @returns {Promise<string>}
 */
function askInfo(port) {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write('INFO\r\nQUIT\r\n'));
    /** @type {Buffer[]} */
    const chunks = [];
    socket.setTimeout(2_000, () => socket.destroy(new Error('no answer')));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.once('error', reject);
    socket.once('close', () => resolve(Buffer.concat(chunks).toString('utf8')));
  });
}
