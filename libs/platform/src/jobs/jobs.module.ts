import { BullModule } from '@nestjs/bullmq';
import { Module, type DynamicModule } from '@nestjs/common';

import { QUEUE_PREFIX } from './connections.js';
import { declaredJobs } from './job.js';
import { RateLimiter } from '../limits/rate-limiter.js';
import { ManagementServer } from '../process/management-server.js';
import { JobQueue } from './job-queue.js';
import { RedisModule, RedisClient } from '../redis/redis-client.js';

/** The queues of all jobs declared so far; imported by an app after the libs that declare them. */
@Module({})
export class JobsModule {
  static forRoot(): DynamicModule {
    return {
      module: JobsModule,
      global: true,
      imports: [
        RedisModule,
        BullModule.forRootAsync({
          imports: [RedisModule],
          inject: [RedisClient],
          useFactory: (state: RedisClient) => ({
            connection: state.redis,
            prefix: QUEUE_PREFIX,
            skipVersionCheck: true,
            skipWaitingForReady: true,
          }),
        }),
        BullModule.registerQueue(...declaredJobs().map((job) => ({ name: job.queue }))),
      ],
      providers: [JobQueue, RateLimiter, ManagementServer],
      exports: [JobQueue, RateLimiter, ManagementServer],
    };
  }
}
