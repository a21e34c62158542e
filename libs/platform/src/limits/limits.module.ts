import { Global, Module } from '@nestjs/common';

import { RedisModule } from '../redis/redis.module.js';
import { RateLimiter } from './rate-limiter.js';

/** Limits that all processes share. */
@Global()
@Module({ imports: [RedisModule], providers: [RateLimiter], exports: [RateLimiter] })
export class LimitsModule {}
