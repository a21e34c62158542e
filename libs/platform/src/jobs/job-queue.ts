import { getQueueToken } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Queue } from 'bullmq';

import { Log } from '../observability/log.js';
import { declaredJobs, type Job } from './job.js';

/** One job to add. While a job with the same `id` waits, another is not added; letters, digits, dashes. */
export interface JobRequest<Data extends object> {
  readonly data: Data;
  readonly id?: string;
  /** From 1, which goes first. Either all requests of a kind have one or none has. */
  readonly priority?: number;
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
        requests.map(({ data, id, priority }) => ({
          name: job.queue,
          data,
          // A job that is kept after its end would silently swallow the next one with its id.
          opts: { removeOnComplete: true, removeOnFail: id === undefined ? 1000 : true, jobId: id, priority },
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
    // What goes wrong with one of them must not keep the others waiting until it goes right.
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
