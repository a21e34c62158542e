import { Global, Inject, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis } from 'ioredis';

import { CONFIG, type Config } from '../config/config.js';
import { Log } from '../logging/log.js';
import { impatientRedis } from './connection.js';

const LINGER_MS = 200;

/** Redis as the service itself uses it, and as the queues' producers do: health, limits, and the check of its eviction policy. */
@Injectable()
export class RedisState implements OnApplicationShutdown {
  readonly redis: Redis;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly log: Log,
  ) {
    this.redis = impatientRedis(config);
  }

  async ping(): Promise<void> {
    await this.redis.ping();
  }

  /**
   * Redis must never evict: it would throw away jobs and their locks. In production another policy stops the
   * start; elsewhere it is said loudly. A Redis that is away is no reason not to start.
   */
  async checkEviction(): Promise<void> {
    const policy = await this.evictionPolicy();
    if (policy === null || policy === 'noeviction') return;
    const message = `Redis has maxmemory-policy ${policy}; it must be noeviction, or jobs and locks get lost`;
    if (this.config.environment === 'production') throw new Error(message);
    this.log.error({ policy }, message);
  }

  /** Last of all: what ends at the same time may still want to add a job. */
  onApplicationShutdown(): void {
    setTimeout(() => this.redis.disconnect(), LINGER_MS);
  }

  private async evictionPolicy(): Promise<string | null> {
    try {
      const answer = await this.redis.config('GET', 'maxmemory-policy');
      return answer[1] ?? null;
    } catch {
      return null;
    }
  }
}

/** The one impatient connection of a process, which the queues share. */
@Global()
@Module({ providers: [RedisState], exports: [RedisState] })
export class RedisModule {}
