import { AsyncLocalStorage } from 'node:async_hooks';

type Values = Readonly<Record<symbol, unknown>>;

/** Up to Node 22, each storage in use adds a cost to every promise of the process: all scoped values share one. */
const scopes = new AsyncLocalStorage<Values>();

/** A value for all that runs within `run`, as AsyncLocalStorage has it. */
export class Scoped<T> {
  private readonly key = Symbol('scoped');

  run<R>(value: T, work: () => R): R {
    return scopes.run({ ...scopes.getStore(), [this.key]: value }, work);
  }

  /** The value of the innermost `run`; undefined outside. */
  get(): T | undefined {
    return scopes.getStore()?.[this.key] as T | undefined;
  }
}
