import { LRUCache } from 'lru-cache';
import { Pool, type buildConnector } from 'undici';

/** One endpoint's connections. */
interface Entry<T> {
  readonly target: T;
  readonly pool: Pool;
}

export interface PoolOptions {
  readonly connections: number;
  /** How many endpoints keep their connections; the one that was used least recently makes room. */
  readonly max: number;
  readonly connect: buildConnector.BuildOptions;
  readonly totalMs: number;
}

/**
 * Connections by endpoint. Endpoints of one host share none: a path that hangs would otherwise hold up its
 * neighbour's deliveries.
 */
export class OriginPools<T extends { readonly origin: string }> {
  private readonly entries: LRUCache<string, Entry<T>>;

  constructor(private readonly options: PoolOptions) {
    this.entries = new LRUCache({
      max: options.max,
      dispose: ({ pool }, _key, reason) => {
        // Lets running calls end; a connection that is closed already makes no difference.
        if (reason === 'evict') pool.close().catch(() => undefined);
      },
    });
  }

  /** The pool under `key`; `target` is asked for when there is none yet, and may throw. */
  get(key: string, target: () => T): Entry<T> {
    const found = this.entries.get(key);
    if (found) return found;
    const made = this.make(target());
    this.entries.set(key, made);
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
}
