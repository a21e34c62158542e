import { BullModule } from '@nestjs/bullmq';
import { Queue, Worker, type Processor, type QueueOptions, type WorkerOptions } from 'bullmq';
import { Redis } from 'ioredis';

import type { Config } from '../config/config.js';

/** Braces keep all keys of a queue in one slot of a Redis cluster. */
export const QUEUE_PREFIX = '{commerce}';

const reconnect = (times: number): number => Math.min(times * 200, 2000);

/** A connection that fails at once while Redis is away, instead of making a request wait for it. */
export function impatientRedis(config: Config): Redis {
  const redis = new Redis(config.redisUrl, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    connectTimeout: 2000,
    commandTimeout: 2000,
    retryStrategy: reconnect,
  });
  // Without a listener an error event would end the process.
  redis.on('error', () => undefined);
  return redis;
}

/** A worker on a connection of its own that waits for jobs, and for Redis, for as long as it takes. */
export class PatientWorker extends Worker {
  private readonly own: Redis;

  constructor(name: string, processor: Processor, options: WorkerOptions) {
    const connection = (options.connection as Redis).duplicate({
      enableOfflineQueue: true,
      maxRetriesPerRequest: null,
      commandTimeout: undefined,
      retryStrategy: reconnect,
    });
    connection.on('error', () => undefined);
    super(name, processor, { ...options, connection });
    this.own = connection;
    this.on('error', () => undefined);
  }

  /** Finishes the running jobs, then lets its connection go, which BullMQ leaves to whoever made it. */
  override async close(force?: boolean): Promise<void> {
    // Without Redis nothing can be handed back, and BullMQ would wait for it to return.
    await super.close(force ?? this.own.status !== 'ready');
    this.own.disconnect();
  }
}

/** A queue that leaves it to JobQueue to say that Redis is away; BullMQ would print every failed try. */
class QuietQueue extends Queue {
  constructor(name: string, options: QueueOptions) {
    super(name, options);
    this.on('error', () => undefined);
  }
}

BullModule.queueClass = QuietQueue;
