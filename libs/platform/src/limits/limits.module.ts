import { Global, Module } from '@nestjs/common';

import { RedisModule } from '../redis/redis.module.js';
import { CustomerLimiter } from './customer-limiter.js';
import { RateLimiter } from './rate-limiter.js';
import { TurnScheduler } from './turn-scheduler.js';

/** Limits that all processes share. */
@Global()
@Module({
  imports: [RedisModule],
  providers: [CustomerLimiter, RateLimiter, TurnScheduler],
  exports: [CustomerLimiter, RateLimiter, TurnScheduler],
})
export class LimitsModule {}
