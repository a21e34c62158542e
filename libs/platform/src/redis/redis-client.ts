import { Global, Inject, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis } from 'ioredis';

import { CONFIG, type Config } from '../config/config.js';
import { Log } from '../observability/log.js';
import { impatientRedis } from '../jobs/connections.js';

const LINGER_MS = 200;

/** Redis as the service itself uses it, and as the queues' producers do: health, limits, and the check of its eviction policy. */
@Injectable()
export class RedisClient implements OnApplicationShutdown {
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

  /** Waits until Redis is there; for commands, which start and want it at once. Throws after three seconds. */
  async awaited(): Promise<void> {
    if (this.redis.status === 'ready') return;
    await new Promise<void>((resolve, reject) => {
      const away = (): void => reject(new Error(`Redis does not answer at ${this.config.redisUrl}`));
      const timer = setTimeout(away, 3000);
      this.redis.once('ready', () => {
        clearTimeout(timer);
        resolve();
      });
    });
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
@Module({ providers: [RedisClient], exports: [RedisClient] })
export class RedisModule {}
