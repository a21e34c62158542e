import { Module } from '@nestjs/common';
import { DiscoveryModule, MetadataScanner } from '@nestjs/core';

import { JobExplorer } from './job-explorer.js';
import { JobWorkers } from './job-workers.js';
import { QueueErrorLog } from './queue-error-log.js';

/** Runs jobs and sweeps; only the worker imports it. */
@Module({
  imports: [DiscoveryModule],
  providers: [JobExplorer, JobWorkers, MetadataScanner, QueueErrorLog],
  exports: [JobExplorer, JobWorkers],
})
export class JobWorkersModule {}
