import { BullModule } from '@nestjs/bullmq';
import { Module, type DynamicModule } from '@nestjs/common';

import { CONFIG, type Config } from '../config/config.js';
import { QUEUE_PREFIX, impatientRedis } from './connection.js';
import { declaredJobs } from './job.js';
import { Limiter } from '../limits/limiter.js';
import { Management } from '../management/management.js';
import { Kicker } from './kicker.js';
import { RedisState } from './redis-state.js';

/** The queues of all jobs declared so far; imported by an app after the libs that declare them. */
@Module({})
export class JobsModule {
  static forRoot(): DynamicModule {
    return {
      module: JobsModule,
      global: true,
      imports: [
        BullModule.forRootAsync({
          inject: [CONFIG],
          useFactory: (config: Config) => ({
            connection: impatientRedis(config),
            prefix: QUEUE_PREFIX,
            skipVersionCheck: true,
            skipWaitingForReady: true,
          }),
        }),
        BullModule.registerQueue(...declaredJobs().map((job) => ({ name: job.queue }))),
      ],
      providers: [Kicker, RedisState, Limiter, Management],
      exports: [Kicker, RedisState, Limiter, Management],
    };
  }
}
