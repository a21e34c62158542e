import { spawnSync } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';

import { Metrics, RedisClient } from '@commerce/platform';
import { mainOf } from '@commerce/stack';
import { eventually } from '@commerce/testing';
import { Queue } from 'bullmq';

import { QueueWorker } from '../../libs/jobs/src/queue-worker.js';
import { patientRedis } from '../../libs/platform/src/redis/redis-connection.js';
import { RedisServers, type RedisServer } from '../redis-servers.js';
import { World } from '../world.js';

const servers = new RedisServers();
afterAll(() => servers.stop());

describe('A Redis in cluster mode', () => {
  it.each(['api', 'worker'] as const)('stops the start of the %s with the setting to change', async (app) => {
    const { port } = await servers.node('--cluster-enabled', 'yes');
    const env = {
      PATH: process.env['PATH'],
      NODE_ENV: 'test',
      MONGODB_URI: process.env['MONGODB_URI'],
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

/** The number of connections to a server beside that of this test. */
async function connected({ client }: RedisServer): Promise<number> {
  const list = String(await client.client('LIST', 'TYPE', 'NORMAL'));
  return list.trim().split('\n').length - 1;
}

describe('A Redis that becomes a replica', () => {
  it('is left by API and worker, whose queues continue at the new primary; errors of queues are counted', async () => {
    const [before, after] = [await servers.node(), await servers.node()];
    const address = new MovingAddress(before.port);
    const world = await World.start({ env: { REDIS_URL: await address.url() } });
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

  it('is left by a connection that sends nothing', async () => {
    const [before, after] = [await servers.node(), await servers.node()];
    const address = new MovingAddress(before.port);
    const world = await World.start({ worker: false, env: { REDIS_URL: await address.url() } });
    try {
      await eventually(
        () => connected(before),
        (count) => count > 0,
      );
      await before.client.replicaof('127.0.0.1', String(after.port));
      address.leadTo(after.port);
      await eventually(
        () => connected(before),
        (count) => count === 0,
      );
      await world.get(RedisClient).untilReady();
    } finally {
      await world.stop();
      address.close();
    }
  });
});

describe('A Redis that goes away while a worker waits for its last job', () => {
  it('does not keep the worker from closing', async () => {
    const { port } = await servers.node();
    const address = new MovingAddress(port);
    const redis = { mode: 'single', addresses: [await address.url()], sentinelMaster: null } as const;
    const queue = new Queue('jobs', { connection: servers.clientOf(port) });
    const job = new EventEmitter();
    const run = async (): Promise<void> => {
      const ended = once(job, 'ended');
      job.emit('began');
      await ended;
    };
    const connections = { connection: patientRedis(redis), blocking: patientRedis(redis) };
    const worker = new QueueWorker('jobs', run, connections);
    worker.on('error', () => undefined);
    const began = once(job, 'began');
    await queue.add('one', {});
    await began;

    let isClosed = false;
    const closed = worker.close().then(() => (isClosed = true));
    await setTimeout(200);
    expect(isClosed).toBe(false);
    address.close();
    // The job ends, but its end can no longer be reported.
    job.emit('ended');
    await closed;
    expect(isClosed).toBe(true);
  });
});
