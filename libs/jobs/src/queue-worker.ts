import { Worker, type Processor, type WorkerOptions } from 'bullmq';
import type { Redis } from 'ioredis';

import { reconnectDelay } from '@commerce/platform';

/** A BullMQ worker on a connection of its own, which waits for jobs, and for Redis, as long as it takes. */
export class QueueWorker extends Worker {
  private readonly own: Redis;

  constructor(name: string, processor: Processor, options: WorkerOptions & { connection: Redis }) {
    const connection = options.connection.duplicate({
      enableOfflineQueue: true,
      maxRetriesPerRequest: null,
      commandTimeout: undefined,
      retryStrategy: reconnectDelay,
    });
    connection.on('error', () => undefined);
    super(name, processor, { ...options, connection });
    this.own = connection;
  }

  /** Finishes the running jobs, then closes the connection, which BullMQ leaves to its creator. */
  override async close(force?: boolean): Promise<void> {
    // Without Redis no job can be given back, and BullMQ would wait until Redis returns.
    await super.close(force ?? this.own.status !== 'ready');
    this.own.disconnect();
  }
}
