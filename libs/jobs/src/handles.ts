import type { Job } from './job.js';

const HANDLES = Symbol('handles');
const SWEEPS = Symbol('sweeps');

/** How a sweep is declared. */
export interface DeclaredSweep {
  readonly name: string;
  /** The number of intervals from one pass to the next. */
  readonly everyIntervals: number;
}

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
 * Makes a method a sweep: it looks in the database for what is due and was not done. Each worker calls it at its start;
 * one of them calls it again about once in every interval, or in every so many, never while it is still running there.
 * While its passes take long, the other workers call it, too.
 */
export function Sweeps(name: string, everyIntervals = 1) {
  const sweep: DeclaredSweep = { name, everyIntervals };
  return (
    _target: object,
    _key: string | symbol,
    descriptor: TypedPropertyDescriptor<() => Promise<void>>,
  ): void => define(SWEEPS, descriptor.value, sweep);
}

/** The kind of job that a method handles; undefined for any other method. */
export function handledJob(method: unknown): Job | undefined {
  return read(HANDLES, method) as Job | undefined;
}

/** The sweep that a method is; undefined for any other method. */
export function declaredSweep(method: unknown): DeclaredSweep | undefined {
  return read(SWEEPS, method) as DeclaredSweep | undefined;
}

function define(key: symbol, method: unknown, value: unknown): void {
  if (typeof method !== 'function') throw new Error('only methods can handle jobs or sweep');
  Reflect.defineMetadata(key, value, method);
}

function read(key: symbol, method: unknown): unknown {
  return typeof method === 'function' ? Reflect.getMetadata(key, method) : undefined;
}
