import { join } from 'node:path';

import type { Child, ToolContext } from '@commerce/stack';
import {
  eventually,
  SENTINEL_MASTER,
  startRedisCluster as startCluster,
  startWatchedRedis as startWatched,
  type StartRedis,
} from '@commerce/testing';
import { Redis } from 'ioredis';

/** All keys of the queues lie in the slot of this one. */
const QUEUES = '{commerce}';

const FAILOVER_MS = 60_000;
/** Longer than it takes to notice a silent server, and to replace it. */
const FROZEN_MS = 12_000;

/** The replicas of the watched master: one is left when another has taken over. */
const REPLICAS = 2;

/** Redis servers of which one has the queues, until it fails and another takes over. */
export class RedisSet {
  constructor(
    /** Of the service. */
    readonly settings: NodeJS.ProcessEnv,
    private readonly nodes: Nodes,
    /** The port of the master that has the queues, by the word of the server on the given port. */
    private readonly masterBy: (redis: Redis) => Promise<number>,
    /** The ports of the servers to ask for it. */
    private readonly witnesses: readonly number[],
  ) {}

  /** Kills the master and, once another has taken over, starts it anew as a replica. */
  async kill(): Promise<void> {
    const before = await this.master();
    this.nodes.signal(before, 'SIGKILL');
    await this.untilReplaced(before, 'was killed');
    this.nodes.restart(before);
  }

  /** Stops the master without closing its connections, and lets it continue once another has taken over. */
  async freeze(): Promise<void> {
    const before = await this.master();
    const resumed = new Promise((resolve) => setTimeout(resolve, FROZEN_MS));
    this.nodes.signal(before, 'SIGSTOP');
    try {
      await this.untilReplaced(before, 'was stopped');
      await resumed;
    } finally {
      this.nodes.signal(before, 'SIGCONT');
    }
  }

  private async untilReplaced(before: number, how: string): Promise<void> {
    const since = performance.now();
    const after = await eventually(
      () => this.master(before).catch(() => before),
      (master) => master !== before,
      FAILOVER_MS,
      { what: 'another master' },
    );
    const seconds = ((performance.now() - since) / 1000).toFixed(1);
    this.nodes.log(
      `the master on port ${String(before)} ${how}; ${String(after)} took over after ${seconds} s`,
    );
  }

  private async master(except = 0): Promise<number> {
    const [witness = 0] = this.witnesses.filter((port) => port !== except);
    const redis = new Redis(witness, '127.0.0.1', {
      enableReadyCheck: false,
      protocol: 2,
      commandTimeout: 2000,
    });
    redis.on('error', () => undefined);
    try {
      return await this.masterBy(redis);
    } finally {
      redis.disconnect();
    }
  }
}

export async function startRedisCluster(dataDir: string, context: ToolContext): Promise<RedisSet> {
  const nodes = new Nodes(dataDir, context);
  const ports = await startCluster({ start: nodes.start, dataDir, replicas: 1 });
  const masterBy = async (redis: Redis): Promise<number> => {
    const slot = await redis.cluster('KEYSLOT', QUEUES);
    const slots = await redis.cluster('SLOTS');
    const [, , [, port = 0] = []] = slots.find(([from, to]) => from <= slot && slot <= to) ?? [];
    return port;
  };
  const settings = { REDIS_MODE: 'cluster', REDIS_URL: urlOf(ports) };
  return new RedisSet(settings, nodes, masterBy, ports);
}

export async function startWatchedRedis(dataDir: string, context: ToolContext): Promise<RedisSet> {
  const nodes = new Nodes(dataDir, context);
  const { sentinels } = await startWatched({ start: nodes.start, dataDir, replicas: REPLICAS });
  const masterBy = async (redis: Redis): Promise<number> => {
    const answer = (await redis.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', SENTINEL_MASTER)) as string[];
    return Number(answer[1]);
  };
  const settings = {
    REDIS_MODE: 'sentinel',
    REDIS_URL: urlOf(sentinels),
    REDIS_SENTINEL_MASTER: SENTINEL_MASTER,
  };
  return new RedisSet(settings, nodes, masterBy, sentinels);
}

function urlOf(ports: readonly number[]): string {
  return ports.map((port) => `redis://127.0.0.1:${String(port)}`).join(',');
}

/** The processes of a set, by their ports. */
class Nodes {
  private readonly children = new Map<number, { readonly child: Child; readonly again: () => void }>();

  constructor(
    private readonly dataDir: string,
    private readonly context: ToolContext,
  ) {}

  readonly start: StartRedis = (server) => {
    const { port, dir, args } = server;
    const child = this.context.processes.start({
      name: `Redis ${String(port)}`,
      stage: 0,
      command: 'redis-server',
      args,
      env: process.env,
      cwd: dir,
      logFile: join(this.dataDir, 'logs', `redis-${String(port)}.log`),
    });
    this.children.set(port, { child, again: () => this.start(server) });
  };

  signal(port: number, signal: NodeJS.Signals): void {
    const pid = this.children.get(port)?.child.pid;
    if (pid !== undefined) process.kill(pid, signal);
  }

  restart(port: number): void {
    this.children.get(port)?.again();
  }

  log(text: string): void {
    this.context.log('Redis', text);
  }
}
