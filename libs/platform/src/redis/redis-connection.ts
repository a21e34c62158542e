import { Redis } from 'ioredis';

/** Milliseconds before the next attempt to connect: longer each time, up to two seconds. */
export function reconnectDelay(attempts: number): number {
  return Math.min(attempts * 200, 2000);
}

/** A connection whose commands fail at once while Redis is away, so that no request waits for it. */
export function failFastRedis(url: string): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    connectTimeout: 2000,
    commandTimeout: 2000,
    retryStrategy: reconnectDelay,
  });
  // Without a listener an error event would end the process.
  redis.on('error', () => undefined);
  return redis;
}
