import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { IdentityModule } from '@commerce/identity';
import { ConfigModule, JobsModule, LoggingModule, RecordsModule } from '@commerce/platform';

import { SweepClock } from './sweep-clock.js';

/** The whole worker: the processors of all jobs, and the sweeps that find what no job tells of. */
@Module({
  imports: [
    ConfigModule,
    LoggingModule,
    RecordsModule,
    JobsModule.forRoot(),
    DiscoveryModule,
    IdentityModule,
  ],
  providers: [SweepClock],
})
export class WorkerModule {}
