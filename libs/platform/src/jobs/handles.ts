import type { Job } from './job.js';

const HANDLES = Symbol('handles');
const SWEEPS = Symbol('sweeps');

/** A method that runs jobs of one kind; the worker calls it, the API never does. */
export interface HandlerMark {
  readonly job: Job;
}

/**
 * Marks the one method that runs a kind of job. It must be safe to run twice and to die at any line: the job comes
 * again, or a sweep finds the work. The worker refuses to start unless each declared job has exactly one.
 */
export function Handles<Data extends object>(job: Job<Data>) {
  return (
    _target: object,
    _key: string | symbol,
    descriptor: TypedPropertyDescriptor<(data: Data) => Promise<void>>,
  ): void => {
    mark(descriptor.value, HANDLES, { job } satisfies { job: Job<Data> });
  };
}

/**
 * Marks a method that looks in the database for what is due and was not done. The worker calls it at its start and
 * then about once in every interval, and never while it still runs in the same worker.
 */
export function Sweeps(name: string) {
  return (
    _target: object,
    _key: string | symbol,
    descriptor: TypedPropertyDescriptor<() => Promise<void>>,
  ): void => {
    mark(descriptor.value, SWEEPS, name);
  };
}

/** The kind of job that a method handles; undefined for any other method. */
export function handledJob(method: unknown): Job | undefined {
  return marked<HandlerMark>(method, HANDLES)?.job;
}

/** The name of the sweep that a method is; undefined for any other method. */
export function sweepName(method: unknown): string | undefined {
  return marked<string>(method, SWEEPS);
}

function mark(method: unknown, key: symbol, value: unknown): void {
  if (typeof method !== 'function') throw new Error('only methods can handle jobs or sweep');
  Reflect.defineMetadata(key, value, method);
}

function marked<T>(method: unknown, key: symbol): T | undefined {
  return typeof method === 'function' ? (Reflect.getMetadata(key, method) as T | undefined) : undefined;
}
