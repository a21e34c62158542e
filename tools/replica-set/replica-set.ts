/** Three MongoDB nodes of our own, for tests of a change of the primary. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { freePorts, QUICK_END, untilDone, withMongo, type Child, type ToolContext } from '@commerce/stack';

const NODES = 3;
const SET = 'commerce';
const LIMIT_MS = 60_000;
const ANSWER_MS = 5_000;

interface NodeOptions extends Pick<ToolContext, 'processes'> {
  /** The mongod to run. */
  readonly command: string;
  readonly dataDir: string;
}

/** Resolves to the URI, once there is a primary. */
export async function startReplicaSet({
  log,
  ...options
}: NodeOptions & Pick<ToolContext, 'log'>): Promise<string> {
  const ports = await freePorts(NODES);
  const nodes = ports.map((port, index) => startNode(options, port, index));
  const members = ports.map((port, index) => ({ _id: index, host: `127.0.0.1:${String(port)}` }));
  const [first = { host: '' }] = members;
  const done = () => true;
  await untilDone(nodes, LIMIT_MS, () =>
    withMongo(`mongodb://${first.host}/?directConnection=true`, ANSWER_MS, (admin) =>
      admin.command({ replSetInitiate: { _id: SET, members } }).then(done),
    ),
  );
  const hosts = members.map(({ host }) => host).join(',');
  const uri = `mongodb://${hosts}/commerce?replicaSet=${SET}`;
  await untilDone(nodes, LIMIT_MS, () =>
    withMongo(uri, ANSWER_MS, (admin) => admin.command({ ping: 1 }).then(done)),
  );
  log('MongoDB', `a replica set of ${String(NODES)} nodes on the ports ${ports.join(', ')}`);
  return uri;
}

/** Lets the primary step down; it refuses to be elected again for some seconds. */
export async function stepDown(uri: string): Promise<void> {
  const command = { replSetStepDown: 20, secondaryCatchUpPeriodSecs: 10 };
  await withMongo(uri, ANSWER_MS, (admin) => admin.command(command));
}

/** The address of the node that is the primary. */
export async function primaryOf(uri: string): Promise<string> {
  const { primary } = await withMongo(uri, ANSWER_MS, (admin) => admin.command({ hello: 1 }));
  return String(primary);
}

function startNode({ command, dataDir, processes }: NodeOptions, port: number, index: number): Child {
  const number = String(index + 1);
  const dir = join(dataDir, 'mongodb', number);
  mkdirSync(dir, { recursive: true });
  const more = [...QUICK_END, '--oplogSize', '128', '--wiredTigerCacheSizeGB', '0.25'];
  return processes.start({
    name: `MongoDB ${number}`,
    stage: 0,
    command,
    args: ['--port', String(port), '--bind_ip', '127.0.0.1', '--dbpath', dir, '--replSet', SET, ...more],
    env: process.env,
    cwd: dir,
    logFile: join(dataDir, 'logs', `mongodb-${number}.log`),
  });
}
