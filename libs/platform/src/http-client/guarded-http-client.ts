import type { OnApplicationShutdown } from '@nestjs/common';
import { isFault } from '@commerce/kernel';

import { checkEndpoint, type Endpoint } from './endpoint.js';
import { Exchange } from './exchange.js';
import { guardedLookup, resolveByNameServers, unguardedLookup, type ResolveName } from './guarded-lookup.js';
import { OriginPools } from './origin-pools.js';
import type { SendResult } from './send-result.js';

export interface HttpClientOptions {
  /** Allows http and addresses that are not global; for development and tests. */
  readonly allowPrivate: boolean;
  /** For connecting, headers and body together. */
  readonly totalMs?: number;
  readonly connectMs?: number;
  readonly connectionsPerEndpoint?: number;
  readonly maxEndpoints?: number;
  /** Another way to resolve names. */
  readonly resolve?: ResolveName;
  /** Further certificate authorities, in PEM. */
  readonly ca?: string;
}

export interface HttpClientRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/**
 * Calls the endpoints of customers. Nothing they name or answer can make it reach an inner address, follow a
 * redirect, inflate a reply, read without end or wait longer than the deadline; proxies of the environment are
 * not used, as they would resolve the name themselves.
 */
export class GuardedHttpClient implements OnApplicationShutdown {
  private readonly pools: OriginPools<Endpoint>;
  private readonly totalMs: number;
  private readonly allowPrivate: boolean;

  constructor(options: HttpClientOptions) {
    const { allowPrivate, resolve, totalMs = 10_000, connectMs = 3000 } = options;
    const guarded = !allowPrivate || resolve !== undefined;
    this.totalMs = totalMs;
    this.allowPrivate = allowPrivate;
    this.pools = new OriginPools({
      connections: options.connectionsPerEndpoint ?? 5,
      max: options.maxEndpoints ?? 500,
      totalMs,
      connect: {
        timeout: connectMs,
        lookup: guarded ? guardedLookup(resolve ?? resolveByNameServers()) : unguardedLookup,
        ...(options.ca === undefined ? {} : { ca: options.ca }),
      },
    });
  }

  /**
   * Refuses an address that must not be called.
   * @throws Fault `webhook.endpoint_refused` naming the field `endpoint`
   */
  check(endpoint: string): void {
    checkEndpoint(endpoint, { allowPrivate: this.allowPrivate });
  }

  /** Sends one POST. Never throws: what went wrong is in the result. */
  post(endpoint: string, request: HttpClientRequest): Promise<SendResult> {
    return new Promise((settle) => {
      try {
        const { target, pool } = this.pools.get(endpoint, () =>
          checkEndpoint(endpoint, { allowPrivate: this.allowPrivate }),
        );
        const { headers, body } = request;
        pool.dispatch(
          { origin: target.origin, path: target.path, method: 'POST', headers, body },
          new Exchange(this.totalMs, settle),
        );
      } catch (error) {
        if (!isFault(error)) throw error;
        settle({ kind: 'failed', reason: 'endpoint_refused', detail: error.message, durationMs: 0 });
      }
    });
  }

  /** Cuts every connection; calls that are still running end as `stopped`. */
  async close(): Promise<void> {
    await this.pools.destroy();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.close();
  }
}
