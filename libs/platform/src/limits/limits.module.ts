import { Global, Module } from '@nestjs/common';

import { RedisModule } from '../redis/redis.module.js';
import { RateLimiter } from './rate-limiter.js';
import { TurnScheduler } from './turn-scheduler.js';

/** Limits that all processes share. */
@Global()
@Module({
  imports: [RedisModule],
  providers: [RateLimiter, TurnScheduler],
  exports: [RateLimiter, TurnScheduler],
})
export class LimitsModule {}
