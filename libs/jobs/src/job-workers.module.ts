import { Module } from '@nestjs/common';
import { DiscoveryModule, MetadataScanner } from '@nestjs/core';

import { JobExplorer } from './job-explorer.js';
import { JobWorkers } from './job-workers.js';

/** What runs jobs and sweeps; imported by the worker only. */
@Module({
  imports: [DiscoveryModule],
  providers: [JobExplorer, JobWorkers, MetadataScanner],
  exports: [JobExplorer, JobWorkers],
})
export class JobWorkersModule {}
