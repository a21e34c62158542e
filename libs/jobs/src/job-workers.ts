import { Injectable, type OnApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import { UnrecoverableError, type Job as Running } from 'bullmq';

import { Log, withLogContext, Metrics, RedisClient } from '@commerce/platform';
import { JobExplorer, type JobHandler } from './job-explorer.js';
import { readJob } from './job.js';
import { QueueWorker } from './queue-worker.js';
import { QueueErrorLog } from './queue-error-log.js';
import { QUEUE_PREFIX } from './quiet-queue.js';

/** Takes jobs from the queues and runs their handlers; in the worker only. */
@Injectable()
export class JobWorkers implements OnModuleDestroy, OnApplicationShutdown {
  private workers: QueueWorker[] = [];

  constructor(
    private readonly explorer: JobExplorer,
    private readonly client: RedisClient,
    private readonly metrics: Metrics,
    private readonly errors: QueueErrorLog,
    private readonly log: Log,
  ) {}

  /** Begins to take jobs. Throws unless each declared kind of job has exactly one handler. */
  start(): void {
    this.workers = this.explorer.handlers().map((handler) => this.workerOf(handler));
  }

  /** Leaves the jobs that come from now on to other workers; what this one runs may need the others to stop first. */
  async onModuleDestroy(): Promise<void> {
    await Promise.allSettled(this.workers.map((worker) => worker.pause(true)));
  }

  /** Waits for the running jobs. The database, further from the root than this, closes after it. */
  async onApplicationShutdown(): Promise<void> {
    const closed = await Promise.allSettled(this.workers.map((worker) => worker.close()));
    for (const result of closed) {
      if (result.status === 'rejected')
        this.log.warn({ error: result.reason as unknown }, 'A queue did not close');
    }
  }

  private workerOf(handler: JobHandler): QueueWorker {
    const { queue, concurrency } = handler.job;
    const worker = new QueueWorker(queue, (running) => this.process(handler, running), {
      connection: this.client.openPatient(),
      blocking: this.client.openPatient(),
      prefix: QUEUE_PREFIX,
      concurrency,
      // A worker that was killed is noticed after ten seconds; by default it would take a minute.
      lockDuration: 10_000,
      stalledInterval: 5_000,
      maxStalledCount: 10,
      skipVersionCheck: true,
    });
    worker.on('error', (error) => this.errors.count(queue, error));
    worker.on('failed', (_job, error) =>
      this.log.warn({ error, queue }, 'A job failed; a sweep finds what it left'),
    );
    return worker;
  }

  private async process({ job, run }: JobHandler, running: Running<unknown>): Promise<void> {
    const started = performance.now();
    let outcome: 'done' | 'failed' = 'failed';
    try {
      const data = readJob(job, running.data);
      // No retry can repair such a job, and it must not hold up the next one.
      if (data === null) throw new UnrecoverableError(`not a job of the kind ${job.queue}`);
      await withLogContext({ job: job.queue, job_id: running.id ?? '' }, () => run(data));
      outcome = 'done';
    } finally {
      this.metrics.job(job.queue, outcome, (performance.now() - started) / 1000);
    }
  }
}
