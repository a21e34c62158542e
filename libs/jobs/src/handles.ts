import type { Job } from './job.js';

const HANDLES = Symbol('handles');
const SWEEPS = Symbol('sweeps');

/**
 * Makes a method the one handler of a kind of job. It must be safe to run twice and to die at any line: the job comes
 * again, or a sweep finds the work. The worker does not start unless each declared job has exactly one handler.
 */
export function Handles<Data extends object>(job: Job<Data>) {
  return <Method extends (data: Data) => Promise<void>>(
    _target: object,
    _key: string | symbol,
    descriptor: TypedPropertyDescriptor<Method>,
  ): void => define(HANDLES, descriptor.value, job);
}

/**
 * Makes a method a sweep: it looks in the database for what is due and was not done. The worker calls it at its start
 * and then about once in every interval, and never while it is still running in the same worker.
 */
export function Sweeps(name: string) {
  return (
    _target: object,
    _key: string | symbol,
    descriptor: TypedPropertyDescriptor<() => Promise<void>>,
  ): void => define(SWEEPS, descriptor.value, name);
}

/** The kind of job that a method handles; undefined for any other method. */
export function handledJob(method: unknown): Job | undefined {
  return read(HANDLES, method) as Job | undefined;
}

/** The name of the sweep that a method is; undefined for any other method. */
export function sweepName(method: unknown): string | undefined {
  return read(SWEEPS, method) as string | undefined;
}

function define(key: symbol, method: unknown, value: unknown): void {
  if (typeof method !== 'function') throw new Error('only methods can handle jobs or sweep');
  Reflect.defineMetadata(key, value, method);
}

function read(key: symbol, method: unknown): unknown {
  return typeof method === 'function' ? Reflect.getMetadata(key, method) : undefined;
}
