import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { UnrecoverableError, type Job as Running } from 'bullmq';

import { Log, withLogContext } from '../observability/log.js';
import { Metrics } from '../observability/metrics.js';
import { RedisClient } from '../redis/redis-client.js';
import { handledJob, sweepName } from './handles.js';
import { declaredJobs, type Job } from './job.js';
import { QueueWorker } from './queue-worker.js';
import { QUEUE_PREFIX } from './quiet-queue.js';

/** One kind of job and the method that runs it. */
interface Handler {
  readonly job: Job;
  readonly run: (data: object) => Promise<void>;
}

/** One sweep and the method that it is. */
export interface FoundSweep {
  readonly name: string;
  readonly run: () => Promise<void>;
}

/** Finds the methods marked by `@Handles` and `@Sweeps`, and takes jobs from the queues for them; in the worker only. */
@Injectable()
export class JobWorkers implements OnApplicationShutdown {
  private workers: QueueWorker[] = [];

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly redis: RedisClient,
    private readonly metrics: Metrics,
    private readonly log: Log,
  ) {}

  /** Begins to take jobs. Throws unless each declared kind of job has exactly one handler. */
  start(): void {
    const handlers = this.handlers();
    this.workers = handlers.map((handler) => {
      const worker = new QueueWorker(handler.job.queue, (running) => this.process(handler, running), {
        connection: this.redis.redis,
        prefix: QUEUE_PREFIX,
        concurrency: handler.job.concurrency,
        // A worker that was killed is noticed after ten seconds; by default it would take a minute.
        lockDuration: 10_000,
        stalledInterval: 5_000,
        maxStalledCount: 10,
        skipVersionCheck: true,
      });
      worker.on('failed', (_job, error) =>
        this.log.warn({ error, queue: handler.job.queue }, 'A job failed; a sweep finds what it left'),
      );
      return worker;
    });
  }

  /** The sweeps of all providers. */
  sweeps(): FoundSweep[] {
    return this.methods().flatMap(({ method, bound }) => {
      const name = sweepName(method);
      return name === undefined ? [] : [{ name, run: bound as () => Promise<void> }];
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.close()));
  }

  private handlers(): Handler[] {
    const found = this.methods().flatMap(({ method, bound }) => {
      const job = handledJob(method);
      return job === undefined ? [] : [{ job, run: bound as Handler['run'] }];
    });
    for (const { queue } of declaredJobs()) {
      const count = found.filter(({ job }) => job.queue === queue).length;
      if (count !== 1) throw new Error(`the job ${queue} has ${String(count)} handlers; it must have one`);
    }
    return found;
  }

  /** Every method of every provider, with and without its instance. */
  private methods(): { method: unknown; bound: (...args: never[]) => unknown }[] {
    const instances = new Set(this.discovery.getProviders().map(({ instance }): unknown => instance));
    return [...instances].flatMap((instance) => {
      if (typeof instance !== 'object' || instance === null) return [];
      const object = instance as Record<string, (...args: never[]) => unknown>;
      const prototype = Object.getPrototypeOf(object) as Record<string, unknown> | null;
      if (prototype === null || prototype === Object.prototype) return [];
      return this.scanner
        .getAllMethodNames(prototype)
        .map((name) => ({ method: prototype[name], bound: (...args: never[]) => object[name]?.(...args) }));
    });
  }

  private async process({ job, run }: Handler, running: Running<unknown>): Promise<void> {
    const data = job.read(running.data);
    // No retry can mend such a job; it must not keep the next one waiting.
    if (data === null) throw new UnrecoverableError(`not a job of the kind ${job.queue}`);
    const started = performance.now();
    let outcome: 'done' | 'failed' = 'failed';
    try {
      await withLogContext({ job: job.queue, job_id: running.id ?? '' }, () => run(data));
      outcome = 'done';
    } finally {
      this.metrics.job(job.queue, outcome, (performance.now() - started) / 1000);
    }
  }
}
