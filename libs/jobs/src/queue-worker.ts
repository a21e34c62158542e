import { setImmediate } from 'node:timers/promises';

import {
  createRedisBackend,
  Worker,
  type BackendFactory,
  type Job,
  type Processor,
  type RedisQueueBackend,
  type WorkerOptions,
} from 'bullmq';

import type { RedisConnection } from '@commerce/platform';

/** No loop of a worker repeats sooner what Redis has refused. */
const PAUSE_MS = 1000;

/** The connections of one worker, which wait for Redis as long as it takes. */
interface Connections {
  readonly connection: RedisConnection;
  /** Waits for jobs, and does nothing else. */
  readonly blocking: RedisConnection;
}

type Options = Omit<WorkerOptions, 'connection'> & Connections;

/** A BullMQ worker on connections of its own. */
export class QueueWorker extends Worker {
  private readonly connections: Connections;
  /** Fetches of jobs, and jobs. */
  private readonly busy = new Set<Promise<unknown>>();

  constructor(name: string, processor: Processor, { blocking, ...options }: Options) {
    super(name, processor, { ...options, runRetryDelay: PAUSE_MS }, waitingOn(blocking));
    this.connections = { connection: options.connection, blocking };
  }

  /** Finishes the running jobs, then closes the connections. */
  override async close(force = false): Promise<void> {
    if (!force) await this.untilIdle();
    // BullMQ would wait for events of its connections that a cluster does not always send.
    await super.close(true);
    this.connections.connection.disconnect();
    this.connections.blocking.disconnect();
  }

  /** Waits while Redis is there: without it no job can be given back, and a fetch would wait for it without an end. */
  private async untilIdle(): Promise<void> {
    const { connection } = this.connections;
    let isLost = connection.status !== 'ready';
    const lost = new Promise<void>((resolve) => {
      connection.once('close', () => {
        isLost = true;
        resolve();
      });
    });
    while (!isLost && this.busy.size > 0) {
      await Promise.race([Promise.allSettled(this.busy), lost]);
      // A fetched job begins in this turn.
      await setImmediate();
    }
  }

  /** BullMQ names no time after a refused wait for jobs, and would repeat it ten times a second. */
  override delay(milliseconds = PAUSE_MS, abort?: Parameters<Worker['delay']>[1]): Promise<void> {
    return super.delay(milliseconds, abort);
  }

  /** BullMQ would repeat a refused fetch at once. */
  protected override async moveToActive(token: string, name?: string): Promise<Job> {
    try {
      return await this.whileBusy(super.moveToActive(token, name));
    } catch (error) {
      if (this.closing === undefined) await this.delay();
      throw error;
    }
  }

  override processJob(...args: Parameters<Worker['processJob']>): ReturnType<Worker['processJob']> {
    return this.whileBusy(super.processJob(...args));
  }

  private whileBusy<T>(work: Promise<T>): Promise<T> {
    const done = work.finally(() => this.busy.delete(done));
    this.busy.add(done);
    return done;
  }
}

/**
 * A backend that waits for jobs on this connection. BullMQ closes and opens its own one when a wait takes long, in
 * ways that may leave the connection of a cluster closed.
 */
function waitingOn(blocking: RedisConnection): BackendFactory<RedisQueueBackend> {
  return (name, options) => {
    const backend = createRedisBackend(name, options);
    backend.waitForJob = async (seconds) => {
      const popped = await blocking.bzpopmin(backend.toKey('marker'), Math.ceil(seconds));
      return popped === null ? null : { member: popped[1], score: Number(popped[2]) };
    };
    return backend;
  };
}
