import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, StartError } from '../system/errors.mjs';
import { elapsed } from '../system/report.mjs';
import { findMongoServer } from './mongodb-choices.mjs';

/**
 * @import { mongo } from 'mongoose'
 * @import { Child } from '../processes/child.mjs'
 * @import { ServerContext } from './databases.mjs'
 * @import { MongoServer } from './mongodb-choices.mjs'
 *
 * @typedef {{dir: string, port: number, ephemeral: boolean, cacheGb: number}} ServerOptions
 */

const REPLICA_SET = 'commerce';
const DATABASE = 'commerce';
const LIMIT_MS = 60_000;
/** What a server on a bare machine keeps in memory at most, unless told otherwise. */
const CACHE_GB = 0.5;
/** Nobody reads the oplog of an embedded server, which has no secondary; writing it takes time. MongoDB's own has one. */
const WITHOUT_OPLOG = { SECANTUS_DISABLE_OPLOG: '1' };
/** Tests kill processes in the middle of a transaction; whoever comes next waits this long for its locks, not a minute. */
const TEST_TRANSACTION_SECONDS = 10;

/**
 * Starts a MongoDB of our own, as a replica set of one node because the service commits in transactions.
 *
 * @param {ServerContext} context
 * @returns {Promise<string>} its URI
 */
export async function startMongo({
  processes,
  log,
  dataDir,
  port,
  ephemeral,
  databaseCacheGb: cacheGb = CACHE_GB,
}) {
  /** @param {string} text */
  const say = (text) => log('MongoDB', text);
  const server = await findMongoServer({ processes, say });
  const since = performance.now();
  // The servers' files differ, so each kind has a folder of its own.
  const dir = join(dataDir, 'mongodb', server.kind);
  if (!existsSync(dir)) warnOfOtherData(dataDir, server.kind, say);
  mkdirSync(dir, { recursive: true });
  say(`starting it on port ${port}, data in ${dir}`);
  const child = processes.start({
    name: 'MongoDB',
    stage: 0,
    command: server.command,
    args: ARGUMENTS[server.kind]({ dir, port, ephemeral, cacheGb }),
    env: { ...process.env, ...WITHOUT_OPLOG },
    cwd: dir,
    logFile: join(dataDir, 'logs/mongodb.log'),
  });
  await waitForPrimary(child, port);
  // directConnection: the one node is all there is, whatever address it has written into its set.
  const uri = `mongodb://127.0.0.1:${port}/${DATABASE}?directConnection=true`;
  if (ephemeral) await limitTransactions(uri, TEST_TRANSACTION_SECONDS);
  say(`ready after ${elapsed(since)}`);
  return uri;
}

/** On SIGTERM a primary waits up to 15 s for a secondary to take over, and is killed by then. */
export const QUICK_END = ['--setParameter', 'shutdownTimeoutMillisForSignaledShutdown=100'];

/** @type {Record<MongoServer['kind'], (options: ServerOptions) => string[]>} */
const ARGUMENTS = {
  mongod: ({ dir, port, ephemeral, cacheGb }) => [
    ...['--port', String(port), '--bind_ip', '127.0.0.1', '--dbpath', dir, '--replSet', REPLICA_SET],
    ...QUICK_END,
    ...(ephemeral ? ['--oplogSize', '128', '--wiredTigerCacheSizeGB', cacheGb.toFixed(2)] : []),
  ],
  'secantusd-rs': (options) => [
    ...secantus(options),
    ...(options.ephemeral ? ['--log-file-max', '32MB'] : []),
  ],
  'secantusd-py': secantus,
};

/**
 * @param {ServerOptions} options
 * @returns {string[]}
 */
function secantus({ dir, port, ephemeral, cacheGb }) {
  // An empty file on purpose: otherwise the server reads the one in the user's home, if any.
  const config = join(dir, 'empty.toml');
  writeFileSync(config, '');
  return [
    ...['--config', config, '--host', '127.0.0.1', '--port', String(port)],
    ...['--storage-path', join(dir, 'data'), '--log-level', 'WARNING'],
    ...['--cache-size', `${String(Math.round(cacheGb * 1024))}M`],
    // Without it a power cut may lose a commit that was acknowledged.
    ...(ephemeral ? [] : ['--sync-on-commit']),
  ];
}

/**
 * @param {string} dataDir
 * @param {MongoServer['kind']} kind
 * @param {(text: string) => void} say
 */
function warnOfOtherData(dataDir, kind, say) {
  for (const other of Object.keys(ARGUMENTS)) {
    const dir = join(dataDir, 'mongodb', other);
    if (other !== kind && existsSync(dir))
      say(`note: ${dir} holds the data of earlier runs by ${other}; ${kind} starts with none`);
  }
}

/**
 * Ready means that the process we started answers and takes writes, not merely that some server answers.
 *
 * @param {Child} child
 * @param {number} port
 */
async function waitForPrimary(child, port) {
  let last = 'it did not answer in time';
  for (const end = performance.now() + LIMIT_MS; child.alive && performance.now() < end; await sleep(50)) {
    try {
      const uri = `mongodb://127.0.0.1:${port}/?directConnection=true`;
      if (await withClient(uri, 1_000, (client) => isOurPrimary(client.db('admin'), child, port))) return;
    } catch (error) {
      if (error instanceof StartError) throw error;
      last = messageOf(error);
    }
  }
  throw new StartError(`MongoDB did not start (${last}):\n${child.lastLines()}`);
}

/**
 * @param {string} uri
 * @param {number} transactionLifetimeLimitSeconds
 */
async function limitTransactions(uri, transactionLifetimeLimitSeconds) {
  const command = { setParameter: 1, transactionLifetimeLimitSeconds };
  await withClient(uri, 10_000, (client) => client.db('admin').command(command));
}

/**
 * With a client of its own for each attempt: one whose first connection has failed never works again.
 *
 * @template T
 * @param {string} uri
 * @param {number} timeout
 * @param {(client: mongo.MongoClient) => Promise<T>} work
 */
async function withClient(uri, timeout, work) {
  // Not imported above: node_modules may not have been there when the script began.
  const { default: mongoose } = await import('mongoose');
  const client = new mongoose.mongo.MongoClient(uri, { serverSelectionTimeoutMS: timeout });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

/**
 * @param {mongo.Db} admin
 * @param {Child} child
 * @param {number} port
 */
async function isOurPrimary(admin, child, port) {
  const hello = await admin.command({ hello: 1 });
  if (hello.isWritablePrimary && hello.setName) {
    const { pid } = await admin.command({ serverStatus: 1 });
    if (Number(pid) === child.pid) return true;
    throw new StartError(
      `Another MongoDB (pid ${pid}) answers on port ${port}; start again to use another port.`,
    );
  }
  await joinOwnSet(admin, `127.0.0.1:${port}`);
  return false;
}

/**
 * A fresh mongod has no set yet; one whose port has changed does not find itself in the set that it has.
 *
 * @param {mongo.Db} admin
 * @param {string} host
 */
async function joinOwnSet(admin, host) {
  const config = await currentSet(admin);
  if (!config) {
    await admin.command({ replSetInitiate: { _id: REPLICA_SET, members: [{ _id: 0, host }] } });
  } else if (config.members[0].host !== host) {
    const moved = { ...config, version: config.version + 1, members: [{ ...config.members[0], host }] };
    await admin.command({ replSetReconfig: moved, force: true });
  }
}

/** @param {mongo.Db} admin */
async function currentSet(admin) {
  try {
    return (await admin.command({ replSetGetConfig: 1 })).config;
  } catch (error) {
    if (error instanceof Error && 'codeName' in error && error.codeName === 'NotYetInitialized') return null;
    throw error;
  }
}

/**
 * Says in words what is wrong with a given MONGODB_URI.
 *
 * @param {string} uri
 */
export async function requireMongo(uri) {
  const hello = await withClient(uri, 10_000, (client) => client.db('admin').command({ hello: 1 })).catch(
    (error) => {
      throw new StartError(`MONGODB_URI is set, but its server does not answer: ${messageOf(error)}`);
    },
  );
  if (hello.setName || hello.msg === 'isdbgrid') return;
  throw new StartError(
    'MONGODB_URI points to a single server; transactions need a replica set (one node is enough).',
  );
}
