import 'reflect-metadata';

import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { JobWorkers } from '@commerce/jobs';
import { Log } from '@commerce/platform';
import { START_OPTIONS } from '@commerce/process';

import { SweepClock } from './sweep-clock.js';
import { WorkerModule } from './worker.module.js';

/** Builds the worker, which stays idle until `startWorker`. */
export async function createWorker(): Promise<INestApplicationContext> {
  const app = await NestFactory.createApplicationContext(WorkerModule, START_OPTIONS);
  app.useLogger(app.get(Log));
  app.flushLogs();
  return app;
}

/** Starts to take jobs and to sweep. Throws when a job has no handler, or several. */
export function startWorker(app: INestApplicationContext): void {
  app.get(JobWorkers).start();
  app.get(SweepClock).start();
}
