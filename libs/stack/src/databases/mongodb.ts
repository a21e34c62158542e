import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { messageOf, StartError } from '#scripts/system/errors.mjs';
import { elapsed } from '#scripts/system/report.mjs';
import type { mongo } from 'mongoose';

import type { Child } from '../processes/child.js';
import { untilDone } from '../processes/until-done.js';
import { withMongo } from './mongo-client.js';
import { findMongoServer, type MongoServer } from './mongodb-choices.js';
import type { ServerContext } from './server-context.js';

const REPLICA_SET = 'commerce';
const DATABASE = 'commerce';
const LIMIT_MS = 60_000;
/** A server on a bare machine keeps this much in memory at most. */
const CACHE_MIB = 512;
/** Nobody reads the oplog of an embedded server, which has no secondary; writing it takes time. MongoDB's own has one. */
const WITHOUT_OPLOG = { SECANTUS_DISABLE_OPLOG: '1' };
/** Tests kill processes in the middle of a transaction, whose locks last this long, not a minute. */
const TEST_TRANSACTION_SECONDS = 10;

/** As docs/scaling.md has measured it; doctor reports a larger database. */
const EMBEDDED =
  'it is embedded, for development and small shops: up to 63,000 products and 100,000 subscriptions; beyond, set MONGODB_URI';

interface ServerOptions {
  readonly dir: string;
  readonly port: number;
  readonly ephemeral: boolean;
}

/**
 * Starts a MongoDB of our own, as a replica set of one node because the service commits in transactions. Resolves to
 * its URI.
 */
export async function startMongo(context: ServerContext): Promise<string> {
  const { processes, log, dataDir, port, ephemeral } = context;
  const say = (text: string): void => log('MongoDB', text);
  const server = await findMongoServer({ processes, say });
  const since = performance.now();
  // The servers' files differ, so each kind has a folder of its own.
  const dir = join(dataDir, 'mongodb', server.kind);
  if (!existsSync(dir)) warnOfOtherData(dataDir, server.kind, say);
  mkdirSync(dir, { recursive: true });
  say(`starting it on port ${String(port)}, data in ${dir}`);
  const child = processes.start({
    name: 'MongoDB',
    stage: 0,
    command: server.command,
    args: ARGUMENTS[server.kind]({ dir, port, ephemeral }),
    env: { ...process.env, ...WITHOUT_OPLOG },
    cwd: dir,
    logFile: join(dataDir, 'logs/mongodb.log'),
  });
  // directConnection: the one node is all there is, whichever address it has written into its set.
  const uri = `mongodb://127.0.0.1:${String(port)}/${DATABASE}?directConnection=true`;
  await untilDone([child], LIMIT_MS, () =>
    withMongo(uri, 1_000, (admin) => isOurPrimary(admin, child, port)),
  );
  if (ephemeral)
    await withMongo(uri, 10_000, (admin) =>
      admin.command({ setParameter: 1, transactionLifetimeLimitSeconds: TEST_TRANSACTION_SECONDS }),
    );
  say(`ready after ${elapsed(since)}`);
  if (server.kind !== 'mongod') say(EMBEDDED);
  return uri;
}

/** On SIGTERM a primary waits up to 15 s for a secondary to take over, and is killed by then. */
export const QUICK_END = ['--setParameter', 'shutdownTimeoutMillisForSignaledShutdown=100'];

const ARGUMENTS: Record<MongoServer['kind'], (options: ServerOptions) => string[]> = {
  mongod: ({ dir, port, ephemeral }) => [
    ...['--port', String(port), '--bind_ip', '127.0.0.1', '--dbpath', dir, '--replSet', REPLICA_SET],
    ...QUICK_END,
    ...(ephemeral ? ['--oplogSize', '128', '--wiredTigerCacheSizeGB', String(CACHE_MIB / 1024)] : []),
  ],
  'secantusd-rs': (options) => [
    ...secantus(options),
    ...(options.ephemeral ? ['--log-file-max', '32MB'] : []),
  ],
  'secantusd-py': secantus,
};

function secantus({ dir, port, ephemeral }: ServerOptions): string[] {
  // An empty file on purpose: otherwise the server reads the one in the user's home, if any.
  const config = join(dir, 'empty.toml');
  writeFileSync(config, '');
  return [
    ...['--config', config, '--host', '127.0.0.1', '--port', String(port)],
    ...['--storage-path', join(dir, 'data'), '--log-level', 'WARNING'],
    ...['--cache-size', `${String(CACHE_MIB)}M`],
    // Without it a power cut may lose a commit that was acknowledged.
    ...(ephemeral ? [] : ['--sync-on-commit']),
  ];
}

function warnOfOtherData(dataDir: string, kind: MongoServer['kind'], say: (text: string) => void): void {
  for (const other of Object.keys(ARGUMENTS)) {
    const dir = join(dataDir, 'mongodb', other);
    if (other !== kind && existsSync(dir))
      say(`note: ${dir} holds the data of earlier runs by ${other}; ${kind} starts with none`);
  }
}

/** Ready means that the process we started answers and takes writes, not merely that some server answers. */
async function isOurPrimary(admin: mongo.Db, child: Child, port: number): Promise<boolean> {
  const hello = await admin.command({ hello: 1 });
  if (hello['isWritablePrimary'] && hello['setName']) {
    const { pid } = (await admin.command({ serverStatus: 1 })) as { pid?: unknown };
    if (Number(pid) === child.pid) return true;
    throw new StartError(
      `Another MongoDB (pid ${String(pid)}) answers on port ${String(port)}; start again to use another port.`,
    );
  }
  await joinOwnSet(admin, `127.0.0.1:${String(port)}`);
  return false;
}

interface SetConfig {
  readonly version: number;
  readonly members: readonly [{ readonly host: string }];
}

/** A fresh mongod has no set yet; one whose port has changed does not find itself in the set that it has. */
async function joinOwnSet(admin: mongo.Db, host: string): Promise<void> {
  const config = await currentSet(admin);
  if (!config) {
    await admin.command({ replSetInitiate: { _id: REPLICA_SET, members: [{ _id: 0, host }] } });
  } else if (config.members[0].host !== host) {
    const moved = { ...config, version: config.version + 1, members: [{ ...config.members[0], host }] };
    await admin.command({ replSetReconfig: moved, force: true });
  }
}

async function currentSet(admin: mongo.Db): Promise<SetConfig | null> {
  try {
    const { config } = (await admin.command({ replSetGetConfig: 1 })) as unknown as { config: SetConfig };
    return config;
  } catch (error) {
    if (error instanceof Error && 'codeName' in error && error.codeName === 'NotYetInitialized') return null;
    throw error;
  }
}

/** Gives back a MONGODB_URI, or says in words why the service cannot use it. */
export async function requireMongo(uri: string): Promise<string> {
  const hello = await withMongo(uri, 10_000, (admin) => admin.command({ hello: 1 })).catch(
    (error: unknown) => {
      throw new StartError(`MONGODB_URI is set, but its server does not answer: ${messageOf(error)}`);
    },
  );
  if (hello['setName'] || hello['msg'] === 'isdbgrid') return uri;
  throw new StartError(
    'MONGODB_URI points to a single server; transactions need a replica set (one node is enough).',
  );
}
