/** Three MongoDB nodes of our own, for tests of what a change of the primary does. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from '../processes/ports.mjs';
import { messageOf, StartError } from '../system/errors.mjs';
import { QUICK_END } from './mongodb.mjs';

/**
 * @import { mongo } from 'mongoose'
 * @import { Processes } from '../processes/processes.mjs'
 * @import { Log } from '../system/report.mjs'
 */

const NODES = 3;
const SET = 'commerce';
const LIMIT_MS = 60_000;

/**
 * @param {{command: string, dataDir: string, processes: Processes, log: Log}} options `command`: the mongod to run
 * @returns {Promise<string>} the URI, once there is a primary
 */
export async function startReplicaSet({ command, dataDir, processes, log }) {
  const ports = await freePorts(NODES);
  const nodes = ports.map((port, index) => startNode({ command, dataDir, processes, port, index }));
  const members = ports.map((port, index) => ({ _id: index, host: `127.0.0.1:${port}` }));
  await untilDone(nodes, () =>
    onNode(ports[0] ?? 0, (admin) => admin.command({ replSetInitiate: { _id: SET, members } })),
  );
  const hosts = members.map(({ host }) => host).join(',');
  const uri = `mongodb://${hosts}/commerce?replicaSet=${SET}`;
  await untilDone(nodes, () => withClient(uri, (client) => client.db('admin').command({ ping: 1 })));
  log('MongoDB', `a replica set of ${NODES} nodes on the ports ${ports.join(', ')}`);
  return uri;
}

/**
 * Lets the primary step down; it refuses to be elected again for some seconds.
 *
 * @param {string} uri
 */
export async function stepDown(uri) {
  await withClient(uri, async (client) => {
    const command = { replSetStepDown: 20, secondaryCatchUpPeriodSecs: 10 };
    await client.db('admin').command(command);
  });
}

/**
 * The address of the node that is the primary.
 *
 * @param {string} uri
 * @returns {Promise<string>}
 */
export function primaryOf(uri) {
  return withClient(uri, async (client) => (await client.db('admin').command({ hello: 1 })).primary);
}

/** @param {{command: string, dataDir: string, processes: Processes, port: number, index: number}} options */
function startNode({ command, dataDir, processes, port, index }) {
  const name = `MongoDB ${index + 1}`;
  const dir = join(dataDir, 'mongodb', String(index + 1));
  mkdirSync(dir, { recursive: true });
  const more = [...QUICK_END, '--oplogSize', '128', '--wiredTigerCacheSizeGB', '0.25'];
  return processes.start({
    name,
    stage: 0,
    command,
    args: ['--port', String(port), '--bind_ip', '127.0.0.1', '--dbpath', dir, '--replSet', SET, ...more],
    env: process.env,
    cwd: dir,
    logFile: join(dataDir, 'logs', `mongodb-${index + 1}.log`),
  });
}

/**
 * @param {readonly import('../processes/child.mjs').Child[]} nodes
 * @param {() => Promise<unknown>} work
 */
async function untilDone(nodes, work) {
  let last = 'it did not answer in time';
  for (const end = performance.now() + LIMIT_MS; performance.now() < end; await sleep(200)) {
    const dead = nodes.find((node) => !node.alive);
    if (dead) throw new StartError(`${dead.name} has ended:\n${dead.lastLines()}`);
    try {
      await work();
      return;
    } catch (error) {
      last = messageOf(error);
    }
  }
  throw new StartError(`The replica set did not start: ${last}`);
}

/**
 * @template T
 * @param {number} port
 * @param {(admin: mongo.Db) => Promise<T>} work
 */
function onNode(port, work) {
  const uri = `mongodb://127.0.0.1:${port}/?directConnection=true`;
  return withClient(uri, (client) => work(client.db('admin')));
}

/**
 * @template T
 * @param {string} uri
 * @param {(client: mongo.MongoClient) => Promise<T>} work
 */
async function withClient(uri, work) {
  // Not imported above: node_modules may not have been there when the script began.
  const { default: mongoose } = await import('mongoose');
  const client = new mongoose.mongo.MongoClient(uri, { serverSelectionTimeoutMS: 5_000 });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}
