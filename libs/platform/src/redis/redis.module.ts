import { Global, Module } from '@nestjs/common';

import { RedisClient } from './redis-client.js';

/** The one fail-fast connection of a process, which the producers of jobs and the limits share. */
@Global()
@Module({ providers: [RedisClient], exports: [RedisClient] })
export class RedisModule {}
