import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Metrics } from '@commerce/platform';
import { mainOf } from '@commerce/stack';
import { eventually, freePort } from '@commerce/testing';
import { Redis } from 'ioredis';

import { World } from '../world.js';

interface Server {
  readonly port: number;
  readonly client: Redis;
  stop(): Promise<void>;
}

const running: Server[] = [];
afterAll(() => Promise.all(running.map((server) => server.stop())));

/** A Redis of this test alone. */
async function redisServer(...args: string[]): Promise<Server> {
  const port = await freePort();
  const dir = mkdtempSync(join(tmpdir(), 'commerce-redis-'));
  const own = ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, '--save', ''];
  const child: ChildProcess = spawn('redis-server', [...own, ...args], { stdio: 'ignore' });
  const client = new Redis(port, '127.0.0.1', { enableReadyCheck: false });
  client.on('error', () => undefined);
  await client.ping();
  const server = {
    port,
    client,
    stop: async (): Promise<void> => {
      client.disconnect();
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
      rmSync(dir, { recursive: true, force: true });
    },
  };
  running.push(server);
  return server;
}

describe('A Redis in cluster mode', () => {
  it.each(['api', 'worker'] as const)('stops the start of the %s with the setting to change', async (app) => {
    const { port } = await redisServer('--cluster-enabled', 'yes');
    const database = new URL(process.env['MONGODB_URI'] ?? '');
    const env = {
      PATH: process.env['PATH'],
      NODE_ENV: 'test',
      MONGODB_URI: database.href,
      REDIS_URL: `redis://127.0.0.1:${String(port)}/0`,
      STRIPE_SECRET_KEY: 'sk_test_none',
      STRIPE_WEBHOOK_SECRET: 'whsec_none',
    };
    const { status, stderr } = spawnSync(process.execPath, [mainOf(app)], {
      env,
      encoding: 'utf8',
      timeout: 60_000,
    });
    expect(status).toBe(1);
    expect(stderr).toContain('REDIS_URL: the Redis at redis://127.0.0.1:');
    expect(stderr).toContain('runs in cluster mode');
  });
});

/** An address that leads to one server, and after a failover to another, as that of a managed Redis does. */
class MovingAddress {
  private readonly server = createServer((socket) => this.accept(socket));
  private readonly sockets = new Set<Socket>();

  constructor(private target: number) {}

  async url(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `redis://127.0.0.1:${String((this.server.address() as AddressInfo).port)}/0`;
  }

  /** Connections that are open already stay with the old server. */
  leadTo(port: number): void {
    this.target = port;
  }

  close(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private accept(socket: Socket): void {
    const other = connect(this.target, '127.0.0.1');
    for (const [one, peer] of [
      [socket, other],
      [other, socket],
    ] as const) {
      this.sockets.add(one);
      one.on('error', () => undefined);
      one.on('close', () => {
        this.sockets.delete(one);
        peer.destroy();
      });
      one.pipe(peer);
    }
  }
}

describe('A Redis that becomes a replica', () => {
  it('is left by API and worker, whose queues continue at the new primary; errors of queues are counted', async () => {
    const [before, after] = [await redisServer(), await redisServer()];
    const address = new MovingAddress(before.port);
    const world = await World.start({ env: { REDIS_URL: await address.url() } });
    const connected = async ({ client }: Server): Promise<number> =>
      String(await client.client('LIST', 'TYPE', 'NORMAL'))
        .trim()
        .split('\n').length - 1;
    try {
      await eventually(
        () => connected(before),
        (count) => count > 5,
      );
      await before.client.replicaof('127.0.0.1', String(after.port));
      address.leadTo(after.port);
      const receiver = await world.receiver();
      await world.admin.made('/webhooks', { event_type: 'user.created', endpoint: receiver.url });
      // A connection notices at its first write; one of them writes nothing here.
      const stayed = async (): Promise<number> => {
        await world.user();
        return connected(before);
      };
      await eventually(stayed, (count) => count <= 1, 30_000);
      const sent = receiver.messages.length;
      await world.user();
      await receiver.until(() => receiver.messages.length > sent);
      expect(await after.client.keys('{commerce}:*')).not.toEqual([]);
      address.close();
      const metrics = world.worker?.get(Metrics).registry;
      await eventually(
        async () => (await metrics?.getSingleMetricAsString('queue_errors_total')) ?? '',
        (text) => /queue_errors_total\{queue="[\w-]+"\} \d+/.test(text),
      );
    } finally {
      await world.stop();
      address.close();
    }
  }, 90_000);
});
