import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { freePorts } from '@commerce/stack';
import { Redis } from 'ioredis';

import { eventually } from './eventually.js';

/** The name of the set that the Sentinels watch. */
export const SENTINEL_MASTER = 'commerce';

const MASTERS = 3;
const SENTINELS = 3;
const READY_MS = 30_000;
/** A server that is silent for so long is replaced. */
const DOWN_MS = '2000';

/** Runs redis-server with these arguments in this folder, on this port. */
export type StartRedis = (server: {
  readonly port: number;
  readonly dir: string;
  readonly args: readonly string[];
}) => void;

interface Options {
  readonly start: StartRedis;
  readonly dataDir: string;
  /** Of each master. */
  readonly replicas: number;
}

/** Starts a cluster of three masters. Resolves to the ports of all nodes once they agree. */
export async function startRedisCluster({ start, dataDir, replicas }: Options): Promise<number[]> {
  const ports = await freePorts(MASTERS * (1 + replicas));
  for (const port of ports) {
    const [bus = 0] = await freePorts(1);
    const cluster = ['--cluster-enabled', 'yes', '--cluster-port', String(bus)];
    startNode({ start, dataDir }, port, [...cluster, '--cluster-node-timeout', DOWN_MS]);
  }
  await Promise.all(ports.map(untilAnswered));
  const addresses = ports.map((port) => `127.0.0.1:${String(port)}`);
  const more = ['--cluster-replicas', String(replicas), '--cluster-yes'];
  await promisify(execFile)('redis-cli', ['--cluster', 'create', ...addresses, ...more]);
  await Promise.all(ports.map((port) => untilAgreed(port, replicas)));
  return ports;
}

/** Starts a master, its replicas and three Sentinels. Resolves to their ports, the master's first. */
export async function startWatchedRedis({ start, dataDir, replicas }: Options): Promise<{
  readonly nodes: readonly number[];
  readonly sentinels: readonly number[];
}> {
  const nodes = await freePorts(1 + replicas);
  const [master = 0] = nodes;
  for (const port of nodes) {
    const of = port === master ? [] : ['--replicaof', '127.0.0.1', String(master)];
    startNode({ start, dataDir }, port, [...of, '--repl-diskless-sync-delay', '0']);
  }
  await Promise.all(nodes.map(untilAnswered));
  const sentinels = await freePorts(SENTINELS);
  for (const port of sentinels) startSentinel({ start, dataDir }, port, master);
  await Promise.all(sentinels.map((port) => untilWatched(port, replicas)));
  return { nodes, sentinels };
}

type NodeOptions = Pick<Options, 'start' | 'dataDir'>;

function startNode({ start, dataDir }: NodeOptions, port: number, more: readonly string[]): void {
  const dir = folderOf(dataDir, port);
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, '--save', '', ...more];
  start({ port, dir, args });
}

/** A Sentinel keeps in its file what it learns. */
function startSentinel({ start, dataDir }: NodeOptions, port: number, master: number): void {
  const dir = folderOf(dataDir, port);
  const file = join(dir, 'sentinel.conf');
  const lines = [
    ...[`port ${String(port)}`, 'bind 127.0.0.1', `dir ${dir}`],
    `sentinel monitor ${SENTINEL_MASTER} 127.0.0.1 ${String(master)} 2`,
    `sentinel down-after-milliseconds ${SENTINEL_MASTER} ${DOWN_MS}`,
    `sentinel failover-timeout ${SENTINEL_MASTER} 10000`,
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
  start({ port, dir, args: [file, '--sentinel'] });
}

function folderOf(dataDir: string, port: number): string {
  const dir = join(dataDir, `redis-${String(port)}`);
  mkdirSync(dir, { recursive: true });
  return dir;
}

async function untilAnswered(port: number): Promise<void> {
  await until(port, 'answers', (redis) => redis.ping().then(Boolean));
}

/** A master without its replicas would not be replaced. */
async function untilAgreed(port: number, replicas: number): Promise<void> {
  await until(port, 'agrees with its cluster', async (redis) => {
    const replication = await redis.info('replication');
    const complete = /role:master/.test(replication)
      ? replication.includes(`connected_slaves:${String(replicas)}`)
      : replication.includes('master_link_status:up');
    return complete && (await redis.cluster('INFO')).includes('cluster_state:ok');
  });
}

/** Sentinels that do not know of each other replace nothing. */
async function untilWatched(port: number, replicas: number): Promise<void> {
  await until(port, 'knows its set', async (redis) => {
    const told = (await redis.call('SENTINEL', 'MASTER', SENTINEL_MASTER)) as string[];
    const value = (name: string): number => Number(told[told.indexOf(name) + 1]);
    return value('num-slaves') === replicas && value('num-other-sentinels') === SENTINELS - 1;
  });
}

async function until(port: number, what: string, holds: (redis: Redis) => Promise<boolean>): Promise<void> {
  const redis = new Redis(port, '127.0.0.1', { enableReadyCheck: false, protocol: 2 });
  redis.on('error', () => undefined);
  try {
    await eventually(() => holds(redis).catch(() => false), Boolean, READY_MS, {
      what: `the Redis on port ${String(port)} ${what}`,
    });
  } finally {
    redis.disconnect();
  }
}
