/** MongoDB nodes of our own, for tests of a change of the primary. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { freePorts, QUICK_END, untilDone, withMongo, type Child, type ToolContext } from '@commerce/stack';

const LIMIT_MS = 60_000;
const ANSWER_MS = 5_000;

export interface NodeOptions extends Pick<ToolContext, 'processes'> {
  /** The mongod to run. */
  readonly command: string;
  readonly dataDir: string;
  /** The name of the set. */
  readonly set: string;
  readonly nodes: number;
  /** Nodes of a higher stage end first. */
  readonly stage?: number;
  /** Further arguments of each node. */
  readonly args?: readonly string[];
}

/** A running set, whose nodes start again when they are killed. */
export interface ReplicaSet {
  readonly name: string;
  /** `127.0.0.1:1234,127.0.0.1:1235` */
  readonly hosts: string;
  readonly nodes: ReadonlyMap<string, Child>;
}

/** Resolves once there is a primary. */
export async function startReplicaSet({
  set: name,
  nodes: count,
  ...options
}: NodeOptions): Promise<ReplicaSet> {
  const ports = await freePorts(count);
  const nodes = new Map(
    ports.map((port, index) => [
      `127.0.0.1:${String(port)}`,
      startNode({ ...options, set: name }, port, `${name}-${String(index + 1)}`),
    ]),
  );
  const children = [...nodes.values()];
  const members = [...nodes.keys()].map((host, _id) => ({ _id, host }));
  const hosts = [...nodes.keys()].join(',');
  const done = () => true;
  const initiate = { replSetInitiate: { _id: name, members } };
  await untilDone(children, LIMIT_MS, () =>
    withMongo(`mongodb://${members[0]?.host ?? ''}/?directConnection=true`, ANSWER_MS, (admin) =>
      admin.command(initiate).then(done),
    ),
  );
  const started = { name, hosts, nodes };
  await untilDone(children, LIMIT_MS, () =>
    withMongo(uriOf(started), ANSWER_MS, (admin) => admin.command({ ping: 1 }).then(done)),
  );
  for (const child of children) child.supervise();
  return started;
}

/** The URI of a set, with a database. */
export function uriOf({ hosts, name }: ReplicaSet, database = ''): string {
  return `mongodb://${hosts}/${database}?replicaSet=${name}`;
}

/** Lets the primary step down; it refuses to be elected again for some seconds. */
export async function stepDown(set: ReplicaSet): Promise<void> {
  const command = { replSetStepDown: 20, secondaryCatchUpPeriodSecs: 10 };
  await withMongo(uriOf(set), ANSWER_MS, (admin) => admin.command(command));
}

/** Kills the primary by SIGKILL; it starts again after half a second, or more when it was killed before. */
export async function killPrimary(set: ReplicaSet): Promise<void> {
  const primary = await primaryOf(set);
  const pid = set.nodes.get(primary)?.pid;
  if (pid === undefined) throw new Error(`${primary} is no node of ${set.name}`);
  process.kill(pid, 'SIGKILL');
}

/** The address of the node that is the primary. */
export async function primaryOf(set: ReplicaSet): Promise<string> {
  const { primary } = await withMongo(uriOf(set), ANSWER_MS, (admin) => admin.command({ hello: 1 }));
  return String(primary);
}

function startNode(
  { command, dataDir, processes, set, stage = 0, args = [] }: Omit<NodeOptions, 'nodes'>,
  port: number,
  name: string,
): Child {
  const dir = join(dataDir, 'mongodb', name);
  mkdirSync(dir, { recursive: true });
  const more = [...QUICK_END, '--oplogSize', '128', '--wiredTigerCacheSizeGB', '0.25', ...args];
  return processes.start({
    name: `MongoDB ${name}`,
    stage,
    command,
    args: ['--port', String(port), '--bind_ip', '127.0.0.1', '--dbpath', dir, '--replSet', set, ...more],
    env: process.env,
    cwd: dir,
    logFile: join(dataDir, 'logs', `mongodb-${name}.log`),
  });
}
