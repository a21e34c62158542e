import { BullModule } from '@nestjs/bullmq';
import { Module, type DynamicModule } from '@nestjs/common';

import { RedisClient, RedisModule } from '@commerce/platform';
import { JobQueue } from './job-queue.js';
import { declaredJobs } from './job.js';
import { QueueReader } from './queue-reader.js';
import { QUEUE_PREFIX, QuietQueue } from './quiet-queue.js';

BullModule.queueClass = QuietQueue;

/** The queues of all jobs that are declared by now: an app imports it after the libs that declare them. */
@Module({})
export class JobsModule {
  static forRoot(): DynamicModule {
    return {
      module: JobsModule,
      global: true,
      imports: [
        BullModule.forRootAsync({
          imports: [RedisModule],
          inject: [RedisClient],
          useFactory: ({ redis }: RedisClient) => ({
            connection: redis,
            prefix: QUEUE_PREFIX,
            skipVersionCheck: true,
            skipWaitingForReady: true,
          }),
        }),
        BullModule.registerQueue(...declaredJobs().map((job) => ({ name: job.queue }))),
      ],
      providers: [JobQueue, QueueReader],
      exports: [JobQueue, QueueReader],
    };
  }
}
