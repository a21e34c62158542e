import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis } from 'ioredis';

import { CONFIG, type Config } from '../config/config.js';
import { Log } from '../observability/log.js';
import { failFastRedis } from './redis-connection.js';

const LINGER_MS = 200;
const START_MS = 3000;

/** The connection that health checks, limits and the producers of jobs share. */
@Injectable()
export class RedisClient implements OnApplicationShutdown {
  readonly redis: Redis;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly log: Log,
  ) {
    this.redis = failFastRedis(config.redisUrl);
  }

  async ping(): Promise<void> {
    await this.redis.ping();
  }

  /** Waits until Redis is ready, for commands, which need it right after their start. Throws after three seconds. */
  async untilReady(): Promise<void> {
    if (this.redis.status === 'ready') return;
    await new Promise<void>((resolve, reject) => {
      const onReady = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.redis.off('ready', onReady);
        reject(new Error(`Redis does not answer at ${withoutPassword(this.config.redisUrl)}`));
      }, START_MS);
      this.redis.once('ready', onReady);
    });
  }

  /**
   * Refuses a node in cluster mode, whose keys lie on other nodes, and a Sentinel, which holds none. A Redis that is away
   * does not stop the start.
   */
  async checkMode(): Promise<void> {
    const info = await this.untilReady()
      .then(() => this.redis.info('server'))
      .catch(() => '');
    const mode = /^redis_mode:(\w+)/m.exec(info)?.[1];
    if (mode === undefined || mode === 'standalone') return;
    const address = withoutPassword(this.config.redisUrl);
    throw new Error(
      `REDIS_URL: the Redis at ${address} runs in ${mode} mode; name a single node or the primary of a set of replicas`,
    );
  }

  /**
   * Redis must never evict, or jobs and their locks would vanish. In production any other policy stops the start;
   * elsewhere it is logged as an error. A Redis that is away does not stop the start.
   */
  async checkEviction(): Promise<void> {
    const policy = await this.evictionPolicy();
    if (policy === null || policy === 'noeviction') return;
    const message = `Redis has maxmemory-policy ${policy}; it must be noeviction, or jobs and locks get lost`;
    if (this.config.environment === 'production') throw new Error(message);
    this.log.error({ policy }, message);
  }

  /** Disconnects last: what shuts down at the same time may still add a job. */
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

/** An address as it may be shown. */
export function withoutPassword(address: string): string {
  const url = new URL(address);
  if (url.password !== '') url.password = '***';
  return url.href;
}
