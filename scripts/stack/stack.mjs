import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startDatabases } from '../databases/databases.mjs';
import { identify } from '../processes/identity.mjs';
import { claim } from '../processes/lock.mjs';
import { freePorts, requireFreePorts } from '../processes/ports.mjs';
import { Processes } from '../processes/processes.mjs';
import { StartError } from '../system/errors.mjs';
import { silent } from '../system/report.mjs';
import { byVariable, PORT_VARIABLES, portsFrom, providerSettings } from '../system/settings.mjs';
import { startApp } from './apps.mjs';
import { endLeftovers, readRecord, removeRecord, writeRecord } from './record.mjs';

/**
 * @import { Child } from '../processes/child.mjs'
 * @import { Log } from '../system/report.mjs'
 * @import { Ports } from '../system/settings.mjs'
 * @import { App } from './apps.mjs'
 * @import { StackRecord } from './record.mjs'
 *
 * @typedef {object} StackOptions
 * @property {string} dataDir absolute; holds the data, the keys and the logs
 * @property {Ports} [ports] must be free; any free ones when absent
 * @property {boolean} [ephemeral] the data folder is removed at the end; dead children stay dead
 * @property {number} [databaseCacheGb] the most that a MongoDB of our own keeps in memory; half a GiB when absent
 * @property {App[]} [processes] what runs beside the databases; by default all three
 * @property {NodeJS.ProcessEnv} [env] by default process.env; its MONGODB_URI and REDIS_URL are used as they are
 * @property {Log} [log]
 * @property {Processes} [owner] who starts the children; one of its own when absent
 * @property {(context: {processes: Processes, log: Log}) => Promise<void>} [prepare]
 *   runs when the data folder is ours and the ports are free, before anything is started
 *
 * @typedef {object} Stack
 * @property {NodeJS.ProcessEnv} env what the apps were given: also right for further processes, tests or the CLI
 * @property {{mongodb: string, redis: string, api: string}} uris
 * @property {Ports} ports
 * @property {Partial<Record<App | 'MongoDB' | 'Redis', number>>} pids of those that were started
 * @property {(app: App, env?: NodeJS.ProcessEnv) => Promise<Child>} start
 *   one more process of that kind, or the same again after it was killed; `env` overrides the stack's
 * @property {() => Promise<void>} stop ends everything that was started, apps first, databases last
 */

/**
 * Starts databases and apps and waits until each is ready. If that fails, everything that was started is ended again.
 *
 * @param {StackOptions} options
 * @returns {Promise<Stack>}
 */
export async function startStack(options) {
  const { dataDir, ephemeral = false, log = silent, env = process.env } = options;
  const owner = options.owner ?? new Processes({ log });
  mkdirSync(dataDir, { recursive: true });
  if (ephemeral) owner.watch({ remove: dataDir });
  const lock = join(dataDir, 'lock');
  if (!claim(lock)) throw alreadyRunning(dataDir);
  const release = () => {
    removeRecord(dataDir);
    rmSync(ephemeral ? dataDir : lock, { recursive: true, force: true, maxRetries: 3 });
  };
  try {
    const left = readRecord(dataDir);
    if (left) await endLeftovers(left, (text) => log('Cleanup', text));
    if (options.ports) await requireFreePorts(byVariable(options.ports));
    await options.prepare?.({ processes: owner, log });
    return await start({ ...options, env, log, ephemeral, owner }, release);
  } catch (error) {
    await owner.stop();
    release();
    throw error;
  }
}

/**
 * @param {StackOptions & Required<Pick<StackOptions, 'env' | 'log' | 'ephemeral' | 'owner'>>} options
 * @param {() => void} release
 * @returns {Promise<Stack>}
 */
async function start({ dataDir, ephemeral, owner, env, log, ...options }, release) {
  const ports = options.ports ?? (await anyPorts());
  const provider = providerSettings(env, { dataDir, sandboxPort: ports.sandbox });
  const { databaseCacheGb } = options;
  const uris = await startDatabases({ dataDir, ephemeral, databaseCacheGb, processes: owner, env, log });
  /** @type {NodeJS.ProcessEnv} */
  const appEnv = {
    ...env,
    ...Object.fromEntries(Object.entries(byVariable(ports)).map(([name, port]) => [name, String(port)])),
    ...provider.env,
    DATA_DIR: dataDir,
    MONGODB_URI: uris.mongodb,
    REDIS_URL: uris.redis,
  };
  if (!env.WEBHOOK_ALLOW_PRIVATE && env.NODE_ENV !== 'production') appEnv.WEBHOOK_ALLOW_PRIVATE = 'true';

  /** @type {Stack} */
  const stack = {
    env: appEnv,
    uris: { ...uris, api: `http://127.0.0.1:${ports.api}` },
    ports,
    get pids() {
      return Object.fromEntries(owner.children.map((child) => [child.name, child.pid]));
    },
    start: (app, extra = {}) =>
      startApp(app, { processes: owner, dataDir, env: { ...appEnv, ...extra }, log }),
    stop: () => owner.stop().then(release),
  };
  const record = () => writeRecord(dataDir, recordOf(stack, owner));
  owner.onRestart = record;
  record();
  const wanted = options.processes ?? ['sandbox', 'api', 'worker'];
  if (wanted.includes('sandbox') && provider.sandbox) await stack.start('sandbox');
  await Promise.all(wanted.filter((app) => app !== 'sandbox').map((app) => stack.start(app)));
  record();
  if (!ephemeral) for (const child of owner.children) child.supervise();
  return stack;
}

async function anyPorts() {
  const free = await freePorts(Object.keys(PORT_VARIABLES).length);
  return portsFrom((_name, index) => free[index] ?? 0);
}

/**
 * @param {Stack} stack
 * @param {Processes} processes
 * @returns {StackRecord}
 */
function recordOf(stack, processes) {
  const children = processes.children.flatMap(({ name, pid, stage, alive }) =>
    alive && pid !== undefined ? [{ name, stage, ...identify(pid) }] : [],
  );
  return {
    owner: identify(process.pid),
    uris: stack.uris,
    ports: stack.ports,
    env: Object.fromEntries(RECORDED.map((name) => [name, stack.env[name]])),
    processes: children,
  };
}

/** What another process needs to speak to this stack as its own apps do. */
const RECORDED = [
  'MONGODB_URI',
  'REDIS_URL',
  'DATA_DIR',
  'STRIPE_SECRET_KEY',
  'STRIPE_API_BASE',
  'STRIPE_WEBHOOK_SECRET',
  'STRIPE_TEST_SECRET_KEY',
  'STRIPE_TEST_WEBHOOK_SECRET',
  'WEBHOOK_ALLOW_PRIVATE',
  ...Object.values(PORT_VARIABLES).map(([variable]) => variable),
];

/** @param {string} dataDir */
function alreadyRunning(dataDir) {
  const record = readRecord(dataDir);
  const where = record ? ` (pid ${record.owner.pid}, ${record.uris.api})` : '';
  return new StartError(
    `The service runs already on the data in ${dataDir}${where}.\n` +
      'Stop it first, or set DATA_DIR (and PORT, API_MANAGEMENT_PORT, WORKER_MANAGEMENT_PORT, SANDBOX_PORT) to run another.',
  );
}
