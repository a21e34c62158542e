import { existsSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { adminCommand, findMongod, onPath, withMongo, type Stack, type ToolContext } from '@commerce/stack';
import type { Client } from '@commerce/testing';
import { mongo } from 'mongoose';

import { killPrimary, type ReplicaSet } from './replica-set.js';
import { foundCompany, underLoad } from './under-load.js';
import { collectionsByCompany, commitsOf, openZones, startCluster, type Cluster } from './cluster.js';

/** Chunks are moved one after the other, with this pause. */
const MOVE_PAUSE_MS = 200;
const ANSWER_MS = 30_000;

/**
 * `npm run test:cluster`: on a sharded MongoDB with companies on two shards, primaries and a mongos are killed under
 * load, while companies move between the shards. Nothing may be lost or done twice, no request may fail finally.
 * Without mongod and mongos it says so and exits with 0.
 */
export async function tryCluster(context: ToolContext): Promise<number> {
  const { processes, log } = context;
  const mongod = findMongod();
  const mongos = mongod === null ? null : findMongos(mongod);
  if (mongod === null || mongos === null) {
    log('Skipped', `there is no ${mongod === null ? 'mongod' : 'mongos'} on the PATH`);
    return 0;
  }
  const dataDir = mkdtempSync(join(realpathSync(tmpdir()), 'commerce-cluster-'));
  processes.watch({ remove: dataDir });
  const cluster = await startCluster({ mongod, mongos, dataDir, processes });
  log('MongoDB', `a cluster of two shards with three nodes each: ${cluster.uri}`);
  const [first, second] = cluster.shards as [ReplicaSet, ReplicaSet];
  const mover = new Mover(cluster);
  const kill = (shard: ReplicaSet) => async (): Promise<void> => {
    await killPrimary(shard);
    log('MongoDB', `the primary of ${shard.name} was killed`);
  };
  const killRouter = (): Promise<void> => {
    const [router] = cluster.routers.values();
    const pid = router?.pid;
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
    log('MongoDB', 'a mongos was killed');
    return Promise.resolve();
  };
  const disturbed = (stack: Stack) => prepare(context, cluster, stack);
  const wrong = await underLoad(context, {
    dataDir: join(dataDir, 'service'),
    env: { MONGODB_URI: cluster.uri },
    prepare: disturbed,
    disturbances: [
      () => reportCommits(cluster, log),
      () => mover.start(),
      kill(first),
      kill(second),
      killRouter,
      kill(first),
      kill(second),
      () => mover.stop(),
    ],
  });
  log('MongoDB', `${String(mover.moved)} chunks were moved meanwhile, ${String(mover.refused)} moves failed`);
  for (const line of wrong) log('Wrong', line);
  if (wrong.length === 0) log('Done', 'nothing was lost, nothing was charged twice');
  return wrong.length === 0 ? 0 : 1;
}

/** The mongos of the PATH, or the one beside mongod. */
function findMongos(mongod: string): string | null {
  const beside = join(dirname(mongod), 'mongos');
  return onPath('mongos') ?? (existsSync(beside) ? beside : null);
}

/** Shards the database, and founds companies until both shards have one. */
async function prepare(
  { processes, log }: ToolContext,
  { uri }: Cluster,
  stack: Stack,
): Promise<readonly Client[]> {
  const command = { processes, env: stack.env };
  const sharded = (await adminCommand(
    command,
    ['database:shard'],
    'The database could not be sharded',
  )) as Sharded;
  log('MongoDB', `${String(sharded.collections.length)} collections are sharded`);
  const again = (await adminCommand(command, ['database:shard'], 'A repetition failed')) as Sharded;
  const left = again.collections.filter(({ steps }) => steps.length > 0);
  if (left.length > 0) throw new Error(`a repetition would do more: ${JSON.stringify(left)}`);
  // The load moves companies itself.
  await withMongo(uri, ANSWER_MS, (admin) => admin.command({ balancerStop: 1 }));
  const boundary = sharded.shards[1]?.from ?? '';
  const founded = new Map<boolean, Client>();
  while (founded.size < 2) {
    const { company, api } = await foundCompany(stack, { processes });
    founded.set(company < boundary, api);
  }
  return [...founded.values()];
}

/** The output of `database:shard --json`. */
interface Sharded {
  readonly shards: readonly { readonly shard: string; readonly from: string | null }[];
  readonly collections: readonly { readonly name: string; readonly steps: readonly string[] }[];
}

async function reportCommits(cluster: Cluster, log: ToolContext['log']): Promise<void> {
  const commits = await commitsOf(cluster);
  const counts = Object.entries(commits).map(([kind, count]) => `${kind} ${String(count)}`);
  log('MongoDB', `transactions by the kind of their commit: ${counts.join(', ')}`);
}

/** Moves the chunks of the collections between the two shards, one after the other, without end. */
class Mover {
  moved = 0;
  refused = 0;
  private running: Promise<void> | null = null;
  private stopped = false;

  constructor(private readonly cluster: Cluster) {}

  async start(): Promise<void> {
    await openZones(this.cluster);
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
  }

  private async run(): Promise<void> {
    const [first, second] = this.cluster.shards as [ReplicaSet, ReplicaSet];
    const collections = await collectionsByCompany(this.cluster);
    for (let round = 0; !this.stopped; round += 1) {
      const namespace = collections[round % collections.length] ?? '';
      const to = Math.floor(round / collections.length) % 2 === 0 ? second : first;
      const half = round % 2 === 0 ? new mongo.ObjectId('0'.repeat(24)) : new mongo.ObjectId('f'.repeat(24));
      const move = { moveChunk: namespace, find: { company: half }, to: to.name };
      try {
        await withMongo(this.cluster.uri, ANSWER_MS, (admin) => admin.command(move));
        this.moved += 1;
      } catch {
        // A primary may be away, or the chunk may be where it is to go.
        this.refused += 1;
      }
      await pause(MOVE_PAUSE_MS);
    }
  }
}
