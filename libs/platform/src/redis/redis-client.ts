import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Cluster, type Redis } from 'ioredis';

import { CONFIG, type Config } from '../config/config.js';
import { Log } from '../observability/log.js';
import { withoutPassword } from './redis-address.js';
import { failFastRedis, patientRedis, type RedisConnection } from './redis-connection.js';
import { checkRedisMode } from './redis-mode.js';

const LINGER_MS = 200;
const START_MS = 3000;
const ROLE_MS = 5000;

/** The connection that health checks, limits and the producers of jobs share; all others are opened here, too. */
@Injectable()
export class RedisClient implements OnApplicationShutdown {
  readonly redis: RedisConnection;
  private readonly watch: NodeJS.Timeout;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly log: Log,
  ) {
    this.redis = failFastRedis(config.redis);
    this.watch = setInterval(() => this.leaveReplica(), ROLE_MS).unref();
  }

  /** One more connection, whose commands wait for Redis; its owner closes it. */
  openPatient(): RedisConnection {
    return patientRedis(this.config.redis);
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
        const addresses = this.config.redis.addresses.map(withoutPassword);
        reject(new Error(`Redis does not answer at ${addresses.join(', ')}`));
      }, START_MS);
      this.redis.once('ready', onReady);
    });
  }

  /** @throws ConfigError when the servers are not of the kind that the settings say; see `checkRedisMode` */
  async checkMode(): Promise<void> {
    await checkRedisMode(this.config.redis);
  }

  /**
   * Redis must never evict, or jobs and their locks would vanish. In production any other policy stops the start;
   * elsewhere it is logged as an error. A Redis that is away does not stop the start.
   */
  async checkEviction(): Promise<void> {
    await this.untilReady().catch(() => undefined);
    const nodes = this.redis instanceof Cluster ? this.redis.nodes('master') : [this.redis];
    const policies = await Promise.all(nodes.map(evictionPolicy));
    const policy = policies.find((one) => one !== null && one !== 'noeviction');
    if (policy === undefined) return;
    const message = `Redis has maxmemory-policy ${String(policy)}; it must be noeviction, or jobs and locks get lost`;
    if (this.config.environment === 'production') throw new Error(message);
    this.log.error({ policy }, message);
  }

  /** Disconnects last: what shuts down at the same time may still add a job. */
  onApplicationShutdown(): void {
    clearInterval(this.watch);
    setTimeout(() => this.redis.disconnect(), LINGER_MS);
  }

  /** A connection that writes nothing would not notice that its server has become a replica. */
  private leaveReplica(): void {
    const { redis } = this;
    if (redis instanceof Cluster || redis.status !== 'ready') return;
    redis.role().then(
      ([role]) => {
        if (role === 'slave') redis.disconnect(true);
      },
      () => undefined,
    );
  }
}

async function evictionPolicy(node: Redis): Promise<string | null> {
  try {
    const answer = await node.config('GET', 'maxmemory-policy');
    return answer[1] ?? null;
  } catch {
    return null;
  }
}
