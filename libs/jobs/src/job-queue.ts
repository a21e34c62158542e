import { getQueueToken } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { JobsOptions, Queue } from 'bullmq';

import { Log } from '@commerce/platform';
import { declaredJobs, type Job } from './job.js';

/** One job to add. */
export interface JobRequest<Data extends object> {
  /** Ids become texts on their way through Redis. */
  readonly data: Data;
  /** While a job with this id waits or runs, another is not added; letters, digits, dashes. */
  readonly id?: string;
  /** From 1, which goes first. Either all requests of a kind have one or none has. */
  readonly priority?: number;
  /**
   * While a job with this deduplication id waits, another is not added; while one runs, a single one is kept to follow
   * it. For jobs that look for new work: what was committed after the running one looked is found by the next.
   */
  readonly deduplicationId?: string;
}

/**
 * Adds jobs to their queues, without waiting for Redis or failing with it: what a job points at is in the database
 * already, and a sweep finds it when the job is lost.
 */
@Injectable()
export class JobQueue {
  private silentUntil = 0;

  constructor(
    private readonly modules: ModuleRef,
    private readonly log: Log,
  ) {}

  /** Adds jobs of one kind. Resolves to false when Redis did not accept them. */
  async add<Data extends object>(job: Job<Data>, ...requests: readonly JobRequest<Data>[]): Promise<boolean> {
    try {
      await this.queue(job.queue).addBulk(
        requests.map((request) => ({
          name: job.queue,
          data: request.data,
          opts: optionsOf(request),
        })),
      );
      return true;
    } catch (error) {
      this.logOutage(error);
      return false;
    }
  }

  /** How many jobs of this kind wait; null when Redis is away. */
  async waiting<Data extends object>(job: Job<Data>): Promise<number | null> {
    try {
      return await this.queue(job.queue).getJobCountByTypes('waiting', 'prioritized');
    } catch {
      return null;
    }
  }

  /**
   * For a sweep that found something due: adds jobs for it, or, without Redis, runs them here, one after the other.
   */
  async addOrRun<Data extends object>(
    job: Job<Data>,
    requests: readonly JobRequest<Data>[],
    run: (data: Data) => Promise<void>,
  ): Promise<void> {
    if (requests.length === 0 || (await this.add(job, ...requests))) return;
    // The failure of one must not keep the others waiting.
    const failures: unknown[] = [];
    for (const { data } of requests) await run(data).catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  }

  /** The queues of all declared jobs, for metrics and the operators' dashboard. */
  allQueues(): readonly Queue[] {
    return declaredJobs().map((job) => this.queue(job.queue));
  }

  private queue(name: string): Queue {
    return this.modules.get<Queue>(getQueueToken(name), { strict: false });
  }

  /** Logs at most once in ten seconds that Redis is away, not for every job. */
  private logOutage(error: unknown): void {
    const at = performance.now();
    if (at < this.silentUntil) return;
    this.silentUntil = at + 10_000;
    this.log.warn({ error }, 'Redis does not accept jobs; the sweeps go on without it');
  }
}

function optionsOf({ id, priority, deduplicationId }: JobRequest<object>): JobsOptions {
  if (deduplicationId !== undefined) {
    const deduplication = { id: deduplicationId, keepLastIfActive: true };
    return { removeOnComplete: true, removeOnFail: true, deduplication };
  }
  // A job that is kept after its end would silently swallow the next one with its id.
  return { removeOnComplete: true, removeOnFail: id === undefined ? 1000 : true, jobId: id, priority };
}
