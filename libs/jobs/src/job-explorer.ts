import { Injectable } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';

import { declaredSweep, handledJob, type DeclaredSweep } from './handles.js';
import { declaredJobs, type Job } from './job.js';

/** One kind of job and the method that runs it. */
export interface JobHandler {
  readonly job: Job;
  readonly run: (data: object) => Promise<void>;
}

/** One sweep and the method that it is. */
export interface Sweep extends DeclaredSweep {
  readonly run: () => Promise<void>;
}

interface Method {
  /** As the class has it, with its metadata. */
  readonly method: unknown;
  /** As the instance runs it. */
  readonly run: (...args: unknown[]) => Promise<void>;
}

/** Finds the methods of all providers that `@Handles` and `@Sweeps` name. */
@Injectable()
export class JobExplorer {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  /** @throws Error unless each declared kind of job has exactly one handler */
  handlers(declared = declaredJobs()): JobHandler[] {
    const found = this.methods().flatMap(({ method, run }) => {
      const job = handledJob(method);
      return job === undefined ? [] : [{ job, run }];
    });
    for (const { queue } of new Set([...declared, ...found.map(({ job }) => job)])) {
      const count = found.filter(({ job }) => job.queue === queue).length;
      if (count !== 1) throw new Error(`the job ${queue} has ${String(count)} handlers; it must have one`);
      if (!declared.some((job) => job.queue === queue)) throw new Error(`the job ${queue} is not declared`);
    }
    return found;
  }

  /** @throws Error where two sweeps have one name */
  sweeps(): Sweep[] {
    const found = this.methods().flatMap(({ method, run }) => {
      const sweep = declaredSweep(method);
      return sweep === undefined ? [] : [{ ...sweep, run }];
    });
    const names = found.map(({ name }) => name);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) throw new Error(`two sweeps are named ${twice}`);
    return found;
  }

  private methods(): Method[] {
    const instances = new Set(this.discovery.getProviders().map(({ instance }): unknown => instance));
    return [...instances].flatMap((instance) => {
      if (typeof instance !== 'object' || instance === null) return [];
      const prototype: unknown = Object.getPrototypeOf(instance);
      if (prototype === null || prototype === Object.prototype) return [];
      const object = instance as Record<string, Method['run']>;
      const methods = prototype as Record<string, unknown>;
      return this.scanner.getAllMethodNames(methods).map((name) => ({
        method: methods[name],
        run: async (...args) => object[name]?.(...args),
      }));
    });
  }
}
