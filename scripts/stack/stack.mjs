import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startApp } from './apps.mjs';
import { startDatabases } from './databases.mjs';
import { freePorts, requireFreePorts } from './ports.mjs';
import { Processes } from './processes.mjs';
import { claim, endLeftovers, identify, readRecord, removeRecord, writeRecord } from './record.mjs';
import { StartError } from './report.mjs';
import { PORT_VARIABLES, providerSettings } from './settings.mjs';

/**
 * @typedef {'sandbox' | 'api' | 'worker'} App
 *
 * @typedef {object} StackOptions
 * @property {string} dataDir absolute; holds the data, the keys and the logs
 * @property {Record<keyof typeof PORT_VARIABLES, number>} [ports] must be free; any free ones when absent
 * @property {boolean} [ephemeral] the data folder is removed at the end; dead children stay dead
 * @property {App[]} [processes] what runs beside the databases; default all three
 * @property {NodeJS.ProcessEnv} [env] default process.env; MONGODB_URI and REDIS_URL in it are used as they are
 * @property {import('./report.mjs').Log} [log]
 * @property {Processes} [owner] who starts the children; one of its own when absent
 * @property {(context: {processes: Processes, log: import('./report.mjs').Log}) => Promise<void>} [prepare]
 *   runs when the data folder is ours and the ports are free, before anything is started
 *
 * @typedef {object} Stack
 * @property {NodeJS.ProcessEnv} env what the apps were given: also right for more processes, tests or the CLI
 * @property {{mongodb: string, redis: string, api: string}} uris
 * @property {Record<keyof typeof PORT_VARIABLES, number>} ports
 * @property {Record<string, number>} pids by name: MongoDB, Redis, sandbox, api, worker (those that were started)
 * @property {(app: App, env?: NodeJS.ProcessEnv) => Promise<import('./child.mjs').Child>} start
 *   one more process of that kind, or the same again after it was killed; `env` is laid over the stack's
 * @property {() => Promise<void>} stop ends everything that was started, apps first, databases last
 */

/**
 * Starts databases and apps and waits until each is ready. On failure all that was started is ended again.
 *
 * @param {StackOptions} options
 * @returns {Promise<Stack>}
 */
export async function startStack(options) {
  const { dataDir, ephemeral = false, log = () => undefined, env = process.env } = options;
  const processes = options.owner ?? new Processes({ log });
  mkdirSync(dataDir, { recursive: true });
  if (ephemeral) processes.watch({ remove: dataDir });
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
    await options.prepare?.({ processes, log });
    return await start({ ...options, env, log, ephemeral, owner: processes, release });
  } catch (error) {
    await processes.stop();
    release();
    throw error;
  }
}

async function start({ dataDir, ephemeral, owner, env, log, release, ...options }) {
  const ports = options.ports ?? (await anyPorts());
  const provider = providerSettings(env, { dataDir, sandboxPort: ports.sandbox });
  const uris = await startDatabases({ dataDir, ephemeral, processes: owner, env, log });
  const appEnv = {
    ...env,
    ...Object.fromEntries(Object.entries(byVariable(ports)).map(([name, port]) => [name, String(port)])),
    ...provider.env,
    DATA_DIR: dataDir,
    MONGODB_URI: uris.mongodb,
    REDIS_URL: uris.redis,
  };
  if (!env.WEBHOOK_ALLOW_PRIVATE && env.NODE_ENV !== 'production') appEnv.WEBHOOK_ALLOW_PRIVATE = 'true';

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

function byVariable(ports) {
  return Object.fromEntries(Object.entries(ports).map(([name, port]) => [PORT_VARIABLES[name][0], port]));
}

async function anyPorts() {
  const names = Object.keys(PORT_VARIABLES);
  const ports = await freePorts(names.length);
  return Object.fromEntries(names.map((name, index) => [name, ports[index]]));
}

function recordOf(stack, processes) {
  const children = processes.children.filter((child) => child.alive);
  return {
    owner: identify(process.pid),
    uris: stack.uris,
    ports: stack.ports,
    env: pick(stack.env, RECORDED),
    processes: children.map(({ name, pid, stage }) => ({ name, stage, ...identify(pid) })),
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
  'WEBHOOK_ALLOW_PRIVATE',
  ...Object.values(PORT_VARIABLES).map(([variable]) => variable),
];

function pick(object, names) {
  return Object.fromEntries(
    names.filter((name) => object[name] !== undefined).map((name) => [name, object[name]]),
  );
}

function alreadyRunning(dataDir) {
  const record = readRecord(dataDir);
  const where = record ? ` (pid ${record.owner.pid}, ${record.uris.api})` : '';
  return new StartError(
    `The service runs already on the data in ${dataDir}${where}.\n` +
      'Stop it first, or set DATA_DIR (and PORT, API_MANAGEMENT_PORT, WORKER_MANAGEMENT_PORT, SANDBOX_PORT) to run another.',
  );
}
