import { Pool, type buildConnector } from 'undici';

/** One endpoint's connections. */
interface Entry<T> {
  readonly target: T;
  readonly pool: Pool;
}

export interface PoolOptions {
  readonly connections: number;
  /** How many endpoints keep their connections; the one that was not used for longest makes room. */
  readonly max: number;
  readonly connect: buildConnector.BuildOptions;
  readonly totalMs: number;
}

/**
 * Connections by endpoint. Endpoints of one host share none: a path that hangs would otherwise hold up its
 * neighbour's deliveries.
 */
export class OriginPools<T extends { readonly origin: string }> {
  private readonly entries = new Map<string, Entry<T>>();

  constructor(private readonly options: PoolOptions) {}

  /** The pool under `key`; `target` is asked for when there is none yet, and may throw. */
  of(key: string, target: () => T): Entry<T> {
    const found = this.entries.get(key);
    if (found) {
      // A Map keeps the order of insertion: what is used moves to the end.
      this.entries.delete(key);
      this.entries.set(key, found);
      return found;
    }
    const made = this.make(target());
    this.entries.set(key, made);
    this.makeRoom();
    return made;
  }

  get size(): number {
    return this.entries.size;
  }

  /** Cuts every connection. */
  async destroy(): Promise<void> {
    const pools = [...this.entries.values()];
    this.entries.clear();
    await Promise.all(pools.map(({ pool }) => pool.destroy()));
  }

  private make(target: T): Entry<T> {
    const { connections, connect, totalMs } = this.options;
    const pool = new Pool(target.origin, {
      connections,
      pipelining: 1,
      connect,
      // The call has a deadline of its own; these only let go of what would stay behind it.
      headersTimeout: totalMs + 1000,
      bodyTimeout: totalMs + 1000,
      keepAliveTimeout: 4000,
      keepAliveMaxTimeout: 60_000,
    });
    return { target, pool };
  }

  private makeRoom(): void {
    const [oldest] = this.entries;
    if (oldest === undefined || this.entries.size <= this.options.max) return;
    this.entries.delete(oldest[0]);
    // Lets running calls end; a connection that is closed already makes no difference.
    oldest[1].pool.close().catch(() => undefined);
  }
}
