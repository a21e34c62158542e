import { Processor, WorkerHost } from '@nestjs/bullmq';
import { Inject, SetMetadata, applyDecorators } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { UnrecoverableError, type Job as Running } from 'bullmq';

import { withLogContext } from '../observability/log.js';
import { Metrics } from '../observability/metrics.js';
import { declaredJobs, type Job } from './job.js';

const HANDLES = 'commerce:handles-job';

/** Marks the one class that runs a kind of job; it extends JobHandler. */
export function Handles<Data extends object>(job: Job<Data>): ClassDecorator {
  return applyDecorators(
    SetMetadata(HANDLES, job.queue),
    Processor(job.queue, {
      concurrency: job.concurrency,
      // A worker that was killed is noticed after ten seconds; by default it would take a minute.
      lockDuration: 10_000,
      stalledInterval: 5_000,
      maxStalledCount: 10,
    }),
  );
}

/**
 * Runs jobs of one kind. `run` must be safe to run twice and to die at any line: the job comes again, or a sweep
 * finds the work.
 */
export abstract class JobHandler<Data extends object> extends WorkerHost {
  @Inject() private readonly metrics: Metrics;

  constructor(private readonly job: Job<Data>) {
    super();
  }

  abstract run(data: Data): Promise<void>;

  override async process(running: Running<unknown>): Promise<void> {
    const data = this.job.read(running.data);
    // No retry can mend such a job; it must not keep the next one waiting.
    if (data === null) throw new UnrecoverableError(`not a job of the kind ${this.job.queue}`);
    const started = performance.now();
    let outcome: 'done' | 'failed' = 'failed';
    try {
      await withLogContext({ job: this.job.queue, job_id: running.id ?? '' }, () => this.run(data));
      outcome = 'done';
    } finally {
      this.metrics.job(this.job.queue, outcome, (performance.now() - started) / 1000);
    }
  }
}

/** At boot of a worker: every declared kind of job has exactly one handler, or the start fails. */
export function checkHandlers(discovery: DiscoveryService): void {
  const handled = discovery
    .getProviders()
    .map((provider) => provider.metatype)
    .filter((type): type is NonNullable<typeof type> => typeof type === 'function')
    .map((type) => Reflect.getMetadata(HANDLES, type) as string | undefined)
    .filter((queue) => queue !== undefined);
  for (const { queue } of declaredJobs()) {
    const count = handled.filter((one) => one === queue).length;
    if (count !== 1) throw new Error(`the job ${queue} has ${String(count)} handlers; it must have one`);
  }
}
