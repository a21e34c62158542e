import { Module } from '@nestjs/common';
import { DiscoveryModule, MetadataScanner } from '@nestjs/core';

import { JobWorkers } from './job-workers.js';

/** What takes jobs from the queues; imported by the worker. */
@Module({ imports: [DiscoveryModule], providers: [JobWorkers, MetadataScanner], exports: [JobWorkers] })
export class JobWorkersModule {}
