import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePort, startRedisCluster, startWatchedRedis } from '@commerce/testing';
import { Redis } from 'ioredis';

export interface RedisServer {
  readonly port: number;
  readonly client: Redis;
}

/** Redis servers of one test file. */
export class RedisServers {
  private readonly dir = mkdtempSync(join(tmpdir(), 'commerce-redis-'));
  private readonly children = new Map<number, ChildProcess>();
  private readonly clients: Redis[] = [];

  /** One node, and a client of it that is there to look. */
  async node(...args: string[]): Promise<RedisServer> {
    const port = await freePort();
    const dir = join(this.dir, String(port));
    mkdirSync(dir);
    const own = ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, '--save', ''];
    this.start({ port, args: [...own, ...args] });
    const client = this.clientOf(port);
    await client.ping();
    return { port, client };
  }

  /** The ports of a cluster of three masters. */
  cluster(replicas = 0): Promise<number[]> {
    return startRedisCluster({ start: (server) => this.start(server), dataDir: this.dir, replicas });
  }

  /** The ports of a master with one replica, and of its Sentinels. */
  watched(): ReturnType<typeof startWatchedRedis> {
    return startWatchedRedis({ start: (server) => this.start(server), dataDir: this.dir, replicas: 1 });
  }

  clientOf(port: number): Redis {
    const client = new Redis(port, '127.0.0.1', { enableReadyCheck: false, protocol: 2 });
    client.on('error', () => undefined);
    this.clients.push(client);
    return client;
  }

  /** Kills a server, like a power cut. */
  async kill(port: number): Promise<void> {
    const child = this.children.get(port);
    if (child === undefined || child.exitCode !== null) return;
    this.children.delete(port);
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  async stop(): Promise<void> {
    for (const client of this.clients) client.disconnect();
    await Promise.all([...this.children.keys()].map((port) => this.kill(port)));
    rmSync(this.dir, { recursive: true, force: true });
  }

  private start({ port, args }: { readonly port: number; readonly args: readonly string[] }): void {
    this.children.set(port, spawn('redis-server', args, { stdio: 'ignore' }));
  }
}

/** The addresses as REDIS_URL lists them. */
export function redisUrl(...ports: readonly number[]): string {
  return ports.map((port) => `redis://127.0.0.1:${String(port)}`).join(',');
}
