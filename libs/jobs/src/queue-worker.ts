import { Worker, type Job, type Processor, type WorkerOptions } from 'bullmq';

import type { RedisConnection } from '@commerce/platform';

/** No loop of a worker repeats sooner what Redis has refused. */
const PAUSE_MS = 1000;

/** A BullMQ worker on a connection of its own, which waits for jobs, and for Redis, as long as it takes. */
export class QueueWorker extends Worker {
  private readonly own: RedisConnection;

  constructor(name: string, processor: Processor, options: WorkerOptions & { connection: RedisConnection }) {
    super(name, processor, { ...options, runRetryDelay: PAUSE_MS });
    this.own = options.connection;
  }

  /** Finishes the running jobs, then closes the connection, which BullMQ leaves to its creator. */
  override async close(force?: boolean): Promise<void> {
    // Without Redis no job can be given back, and BullMQ would wait until Redis returns.
    await super.close(force ?? this.own.status !== 'ready');
    this.own.disconnect();
  }

  /** BullMQ names no time after a refused wait for jobs, and would repeat it ten times a second. */
  override delay(milliseconds = PAUSE_MS, abort?: Parameters<Worker['delay']>[1]): Promise<void> {
    return super.delay(milliseconds, abort);
  }

  /** BullMQ would repeat a refused fetch at once. */
  protected override async moveToActive(token: string, name?: string): Promise<Job> {
    try {
      return await super.moveToActive(token, name);
    } catch (error) {
      if (this.closing === undefined) await this.delay();
      throw error;
    }
  }
}
