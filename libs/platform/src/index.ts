export { SlowResults } from './cache/slow-results.js';
export { LookupCache } from './cache/lookup-cache.js';
export { CONFIG, type Config, type StripeAccount } from './config/config.js';
export { ConfigModule } from './config/config.module.js';
export { ConfigError } from './config/read-config.js';
export { providerMark } from './discovery/provider-mark.js';
export { GuardedHttpClient } from './http-client/guarded-http-client.js';
export { HttpClientModule } from './http-client/http-client.module.js';
export type { SendResult } from './http-client/send-result.js';
export { EventLoopTurn, inTurns, mapInTurns } from './limits/event-loop-turn.js';
export {
  BulkheadFullError,
  FairBulkhead,
  type BulkheadLimits,
  type WorkOwner,
} from './limits/fair-bulkhead.js';
export { LimitsModule } from './limits/limits.module.js';
export { type RateLimit, rateLimited } from './limits/rate-limited.js';
export { RateLimiter } from './limits/rate-limiter.js';
export { RoundRobin } from './limits/round-robin.js';
export { type ReservedTurns, TurnScheduler } from './limits/turn-scheduler.js';
export { Log, addLogContext, withLogContext } from './observability/log.js';
export { Metrics } from './observability/metrics.js';
export { ObservabilityModule } from './observability/observability.module.js';
export { RedisClient } from './redis/redis-client.js';
export type { RedisConnection } from './redis/redis-connection.js';
export { RedisModule } from './redis/redis.module.js';
export { Scoped } from './scope/scoped.js';
export { Sealer, openField, sealField } from './secrets/sealer.js';
export { SecretsModule } from './secrets/secrets.module.js';
export { LAST_REQUESTED, readInstant } from './time/instant.js';
export { random, spread } from './time/random.js';
export { SystemClock } from './time/system-clock.js';
export { TimeModule } from './time/time.module.js';
