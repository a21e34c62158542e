import { Cluster, Redis, type ClusterOptions, type RedisOptions } from 'ioredis';

import type { RedisSettings } from '../config/config.js';
import { nodeAt } from './redis-address.js';

export type RedisConnection = Redis | Cluster;

/** No connection repeats sooner what was refused. */
const REPEAT_MS = 1000;

const CONNECT_MS = 2000;
const SLOTS_MS = 5000;

/** A blocking read waits for five seconds; a server that is silent for longer is gone. */
const SILENCE_MS = 15_000;

/** Milliseconds before the next attempt to connect: a second, then two. */
function reconnectDelay(attempts: number): number {
  return Math.min(attempts * REPEAT_MS, 2000);
}

/**
 * The errors of a server that has become a replica: it refuses writes, and ends blocking reads. After a failover, the
 * address leads to the new primary.
 */
function isDemotion({ message }: Error): boolean {
  return /^(READONLY|UNBLOCKED) /.test(message);
}

/** A connection whose commands fail at once while Redis is away, so that no request waits for it. */
export function failFastRedis(settings: RedisSettings): RedisConnection {
  const options: RedisOptions = {
    maxRetriesPerRequest: 0,
    commandTimeout: CONNECT_MS,
    socketTimeout: CONNECT_MS,
  };
  const cluster: ClusterOptions = { maxRedirections: 3, retryDelayOnFailover: 0, retryDelayOnClusterDown: 0 };
  return open(settings, { options, cluster, enableOfflineQueue: false });
}

/** A connection whose commands wait until Redis takes them, which may be a blocking one. */
export function patientRedis(settings: RedisSettings): RedisConnection {
  const options: RedisOptions = { maxRetriesPerRequest: null, socketTimeout: SILENCE_MS };
  const cluster: ClusterOptions = {
    maxRedirections: 5,
    retryDelayOnMoved: REPEAT_MS,
    retryDelayOnFailover: REPEAT_MS,
    retryDelayOnClusterDown: REPEAT_MS,
    retryDelayOnTryAgain: REPEAT_MS,
  };
  return open(settings, { options, cluster, enableOfflineQueue: true });
}

interface Manner {
  readonly options: RedisOptions;
  readonly cluster: ClusterOptions;
  readonly enableOfflineQueue: boolean;
}

function open(settings: RedisSettings, given: Manner): RedisConnection {
  const options = { ...given.options, connectTimeout: CONNECT_MS, reconnectOnError: isDemotion };
  const manner = { ...given, options };
  const connection = settings.mode === 'cluster' ? openCluster(settings, manner) : openNode(settings, manner);
  // Without a listener an error event would end the process.
  connection.on('error', () => undefined);
  return connection;
}

/** The one node, or the primary that the Sentinels name. */
function openNode(settings: RedisSettings, { options, enableOfflineQueue }: Manner): Redis {
  const own: RedisOptions = { ...options, enableOfflineQueue, retryStrategy: reconnectDelay };
  const { mode, addresses, sentinelMaster } = settings;
  const [address = ''] = addresses;
  if (mode === 'single') return new Redis(address, own);
  const { username, password, db, tls } = nodeAt(address, mode);
  return new Redis({
    ...own,
    ...{ username, password, db, tls },
    sentinels: addresses.map((one) => endpointAt(one, mode)),
    name: sentinelMaster ?? '',
    sentinelUsername: username,
    sentinelPassword: password,
    sentinelTLS: tls,
    enableTLSForSentinelMode: tls !== undefined,
    sentinelRetryStrategy: reconnectDelay,
    sentinelCommandTimeout: CONNECT_MS,
  });
}

function openCluster({ mode, addresses }: RedisSettings, manner: Manner): Cluster {
  const { username, password, tls } = nodeAt(addresses[0] ?? '', mode);
  return new Cluster(
    addresses.map((address) => endpointAt(address, mode)),
    {
      ...manner.cluster,
      enableOfflineQueue: manner.enableOfflineQueue,
      clusterRetryStrategy: reconnectDelay,
      slotsRefreshInterval: SLOTS_MS,
      slotsRefreshTimeout: CONNECT_MS,
      // Certificates are for the names, not for what they resolve to.
      dnsLookup: (host, callback) => callback(null, host),
      redisOptions: { ...manner.options, username, password, tls },
    },
  );
}

function endpointAt(address: string, mode: RedisSettings['mode']): { host: string; port: number } {
  const { host, port } = nodeAt(address, mode);
  return { host, port };
}
