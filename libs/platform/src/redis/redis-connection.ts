import { Redis } from 'ioredis';

/** Milliseconds before the next attempt to connect: longer each time, up to two seconds. */
export function reconnectDelay(attempts: number): number {
  return Math.min(attempts * 200, 2000);
}

/**
 * Reconnects where the server has become a replica, which refuses writes: after a failover, the address leads to the
 * new primary. ioredis repeats the refused command.
 */
export function reconnectOnError({ message }: Error): 2 | false {
  return message.startsWith('READONLY') ? 2 : false;
}

/** A connection whose commands fail at once while Redis is away, so that no request waits for it. */
export function failFastRedis(url: string): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    connectTimeout: 2000,
    commandTimeout: 2000,
    retryStrategy: reconnectDelay,
    reconnectOnError,
  });
  // Without a listener an error event would end the process.
  redis.on('error', () => undefined);
  return redis;
}
