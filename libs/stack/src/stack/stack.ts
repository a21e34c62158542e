import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { StartError } from '#scripts/system/errors.mjs';
import { identify } from '#scripts/system/identity.mjs';
import { claim } from '#scripts/system/lock.mjs';
import type { Log } from '#scripts/system/report.mjs';

import { startDatabases, type DatabaseUris } from '../databases/databases.js';
import type { Child } from '../processes/child.js';
import { freePorts, requireFreePorts } from '../processes/ports.js';
import type { Processes } from '../processes/processes.js';
import { byVariable, PORT_NAMES, portsFrom, providerSettings, type Ports } from '../settings.js';
import { startApp, type App } from './apps.js';
import { endLeftovers, readRecord, removeRecord, writeRecord, type StackRecord } from './record.js';

export interface StackOptions {
  /** Absolute; holds the data, the keys and the logs. */
  readonly dataDir: string;
  /** Must be free; any free ones when absent. */
  readonly ports?: Ports;
  /** The data folder is removed at the end; dead children stay dead. */
  readonly ephemeral?: boolean;
  /** The apps that run beside the databases; by default all three. */
  readonly processes?: readonly App[];
  /** By default process.env; its MONGODB_URI and REDIS_URL are used as they are. */
  readonly env?: NodeJS.ProcessEnv;
  readonly log: Log;
  /** Starts the children. */
  readonly owner: Processes;
}

export interface Stack {
  /** As the apps were given it: also right for further processes, tests or the CLI. */
  readonly env: NodeJS.ProcessEnv;
  readonly uris: DatabaseUris & { readonly api: string };
  readonly ports: Ports;
  /** Of those that were started. */
  readonly pids: Partial<Record<App | 'MongoDB' | 'Redis', number>>;
  /** One more process of that kind, or the same again after it was killed; `env` overrides the stack's. */
  start(app: App, env?: NodeJS.ProcessEnv): Promise<Child>;
  /** Ends everything that was started, apps first, databases last. */
  stop(): Promise<void>;
}

/**
 * Starts databases and apps and waits until each is ready. If that fails, everything that was started is ended again.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { dataDir, ephemeral = false, log, owner } = options;
  mkdirSync(dataDir, { recursive: true });
  if (ephemeral) owner.watch({ remove: dataDir });
  const lock = join(dataDir, 'lock');
  if (!claim(lock)) throw alreadyRunning(dataDir);
  const release = (): void => {
    removeRecord(dataDir);
    rmSync(ephemeral ? dataDir : lock, { recursive: true, force: true, maxRetries: 3 });
  };
  try {
    const left = readRecord(dataDir);
    if (left) await endLeftovers(left, (text) => log('Cleanup', text));
    if (options.ports) await requireFreePorts(byVariable(options.ports));
    return await start(options, release);
  } catch (error) {
    await owner.stop();
    release();
    throw error;
  }
}

async function start(options: StackOptions, release: () => void): Promise<Stack> {
  const { dataDir, ephemeral = false, owner, log, env = process.env } = options;
  const ports = options.ports ?? (await anyPorts());
  const provider = providerSettings(env, { dataDir, sandboxPort: ports.sandbox });
  const context = { dataDir, ephemeral, processes: owner, log };
  const uris = await startDatabases(context, env);
  const appEnv: NodeJS.ProcessEnv = {
    ...env,
    ...Object.fromEntries(Object.entries(byVariable(ports)).map(([name, port]) => [name, String(port)])),
    ...provider.env,
    DATA_DIR: dataDir,
    MONGODB_URI: uris.mongodb,
    REDIS_URL: uris.redis,
  };
  if (!env['WEBHOOK_ALLOW_PRIVATE'] && env['NODE_ENV'] !== 'production')
    appEnv['WEBHOOK_ALLOW_PRIVATE'] = 'true';
  const stack: Stack = {
    env: appEnv,
    uris: { ...uris, api: `http://127.0.0.1:${String(ports.api)}` },
    ports,
    get pids() {
      return Object.fromEntries(owner.children.map((child) => [child.name, child.pid]));
    },
    start: (app, extra = {}) =>
      startApp(app, { processes: owner, dataDir, env: { ...appEnv, ...extra }, log }),
    stop: () => owner.stop().then(release),
  };
  const record = (): void => writeRecord(dataDir, recordOf(stack, owner));
  owner.onRestart = record;
  record();
  const wanted = options.processes ?? ['sandbox', 'api', 'worker'];
  if (wanted.includes('sandbox') && provider.sandbox) await stack.start('sandbox');
  await Promise.all(wanted.filter((app) => app !== 'sandbox').map((app) => stack.start(app)));
  record();
  if (!ephemeral) for (const child of owner.children) child.supervise();
  return stack;
}

async function anyPorts(): Promise<Ports> {
  const free = await freePorts(PORT_NAMES.length);
  return portsFrom((_name, index) => free[index] ?? 0);
}

function recordOf({ uris, ports, env }: Stack, owner: Processes): StackRecord {
  const processes = owner.children.flatMap(({ name, pid, stage, alive }) =>
    alive && pid !== undefined ? [{ name, stage, ...identify(pid) }] : [],
  );
  const names = [...RECORDED, ...Object.keys(byVariable(ports))];
  const recorded = Object.fromEntries(names.map((name) => [name, env[name]]));
  return { owner: identify(process.pid), uris, ports, env: recorded, processes };
}

/** Another process needs these to speak to this stack as its own apps do. */
const RECORDED = [
  ...['MONGODB_URI', 'REDIS_URL', 'REDIS_MODE', 'REDIS_SENTINEL_MASTER', 'DATA_DIR', 'WEBHOOK_ALLOW_PRIVATE'],
  ...['STRIPE_SECRET_KEY', 'STRIPE_API_BASE', 'STRIPE_WEBHOOK_SECRET'],
  ...['STRIPE_TEST_SECRET_KEY', 'STRIPE_TEST_WEBHOOK_SECRET'],
];

function alreadyRunning(dataDir: string): StartError {
  const record = readRecord(dataDir);
  const where = record ? ` (pid ${String(record.owner.pid)}, ${record.uris.api})` : '';
  return new StartError(
    `The service runs already on the data in ${dataDir}${where}.\n` +
      'Stop it first, or set DATA_DIR (and PORT, API_MANAGEMENT_PORT, WORKER_MANAGEMENT_PORT, SANDBOX_PORT) to run another.',
  );
}
