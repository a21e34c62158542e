/** A sharded MongoDB of our own: a config server, two shards of three nodes, and two mongos. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { freePorts, untilDone, withMongo, type Child, type ToolContext } from '@commerce/stack';

import { startReplicaSet, type ReplicaSet } from './replica-set.js';

const DATABASE = 'commerce';
const SHARDS = ['shard1', 'shard2'] as const;
const ROUTERS = 2;
/** The order in which the processes end: mongos, shards, config server. */
const [CONFIG_STAGE, SHARD_STAGE, ROUTER_STAGE] = [-2, -1, 0];
/** By default a chunk cannot return to a shard for a quarter of an hour. */
const SHARD_ARGS = ['--shardsvr', '--setParameter', 'orphanCleanupDelaySecs=1'];
/** On SIGTERM a mongos waits up to 15 s for its transactions. */
const QUICK_ROUTER_END = ['--setParameter', 'mongosShutdownTimeoutMillisForSignaledShutdown=100'];
const LIMIT_MS = 60_000;
const ANSWER_MS = 10_000;

export interface Cluster {
  /** Names all mongos. */
  readonly uri: string;
  readonly shards: readonly ReplicaSet[];
  /** The mongos, by address. */
  readonly routers: ReadonlyMap<string, Child>;
}

/** The part of a mongos' serverStatus that counts its transactions. */
interface RouterStatus {
  readonly transactions: {
    readonly commitTypes: Readonly<Record<string, { readonly successful: number }>>;
  };
}

interface Options extends Pick<ToolContext, 'processes'> {
  readonly mongod: string;
  readonly mongos: string;
  readonly dataDir: string;
}

/** Resolves once both shards belong to the cluster. */
export async function startCluster({
  mongod: command,
  mongos,
  dataDir,
  processes,
}: Options): Promise<Cluster> {
  const common = { command, dataDir, processes };
  const config = await startReplicaSet({
    ...common,
    set: 'config',
    nodes: 1,
    stage: CONFIG_STAGE,
    args: ['--configsvr'],
  });
  const shards: ReplicaSet[] = [];
  for (const set of SHARDS)
    shards.push(await startReplicaSet({ ...common, set, nodes: 3, stage: SHARD_STAGE, args: SHARD_ARGS }));
  const ports = await freePorts(ROUTERS);
  const configdb = `${config.name}/${config.hosts}`;
  const routers = new Map(
    ports.map((port, index) => [
      `127.0.0.1:${String(port)}`,
      startRouter({ mongos, dataDir, processes }, configdb, port, `mongos-${String(index + 1)}`),
    ]),
  );
  for (const [host, router] of routers) {
    await untilDone([router], LIMIT_MS, () =>
      withMongo(`mongodb://${host}/`, ANSWER_MS, (admin) => admin.command({ ping: 1 }).then(() => true)),
    );
    router.supervise();
  }
  const uri = `mongodb://${[...routers.keys()].join(',')}/${DATABASE}`;
  await withMongo(uri, ANSWER_MS, async (admin) => {
    for (const { name, hosts: nodes } of shards) await admin.command({ addShard: `${name}/${nodes}` });
  });
  return { uri, shards, routers };
}

/** Lets any shard hold any company, so that the load may move them. */
export async function openZones({ uri, shards }: Cluster): Promise<void> {
  await withMongo(uri, ANSWER_MS, async (admin) => {
    const tags = await admin.client.db('config').collection('tags').distinct('tag');
    for (const zone of tags as string[])
      for (const { name } of shards) await admin.command({ addShardToZone: name, zone });
  });
}

/** The sharded collections of the database whose shard key is the company. */
export async function collectionsByCompany({ uri }: Cluster): Promise<string[]> {
  return withMongo(uri, ANSWER_MS, async (admin) => {
    const config = admin.client.db('config');
    const found = await config
      .collection<{ _id: string }>('collections')
      .find({ _id: { $regex: `^${DATABASE}\\.` }, key: { company: 1 } })
      .toArray();
    return found.map(({ _id }) => _id);
  });
}

/** How many transactions the mongos have committed, by the kind of their commit. */
export async function commitsOf({ routers }: Cluster): Promise<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const host of routers.keys()) {
    const { transactions } = (await withMongo(`mongodb://${host}/`, ANSWER_MS, (admin) =>
      admin.command({ serverStatus: 1 }),
    )) as unknown as RouterStatus;
    for (const [kind, { successful }] of Object.entries(transactions.commitTypes))
      sums[kind] = (sums[kind] ?? 0) + successful;
  }
  return sums;
}

interface RouterOptions extends Pick<ToolContext, 'processes'> {
  readonly mongos: string;
  readonly dataDir: string;
}

function startRouter(
  { mongos, dataDir, processes }: RouterOptions,
  configdb: string,
  port: number,
  name: string,
): Child {
  mkdirSync(dataDir, { recursive: true });
  return processes.start({
    name,
    stage: ROUTER_STAGE,
    command: mongos,
    args: ['--port', String(port), '--bind_ip', '127.0.0.1', '--configdb', configdb, ...QUICK_ROUTER_END],
    env: process.env,
    cwd: dataDir,
    logFile: join(dataDir, 'logs', `${name}.log`),
  });
}
