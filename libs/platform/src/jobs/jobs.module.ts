import { BullModule } from '@nestjs/bullmq';
import { Module, type DynamicModule } from '@nestjs/common';

import { QUEUE_PREFIX } from './connection.js';
import { declaredJobs } from './job.js';
import { Limiter } from '../limits/limiter.js';
import { Management } from '../management/management.js';
import { Kicker } from './kicker.js';
import { RedisModule, RedisState } from './redis-state.js';

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
          inject: [RedisState],
          useFactory: (state: RedisState) => ({
            connection: state.redis,
            prefix: QUEUE_PREFIX,
            skipVersionCheck: true,
            skipWaitingForReady: true,
          }),
        }),
        BullModule.registerQueue(...declaredJobs().map((job) => ({ name: job.queue }))),
      ],
      providers: [Kicker, Limiter, Management],
      exports: [Kicker, Limiter, Management],
    };
  }
}
