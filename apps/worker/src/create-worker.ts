import 'reflect-metadata';

import type { INestApplicationContext } from '@nestjs/common';
import { DiscoveryService, NestFactory } from '@nestjs/core';
import { Log, checkHandlers } from '@commerce/platform';

import { SweepClock } from './sweep-clock.js';
import { WorkerModule } from './worker.module.js';

/** Builds the worker; it takes jobs at once, and sweeps from `startSweeping` on. */
export async function createWorker(): Promise<INestApplicationContext> {
  const app = await NestFactory.createApplicationContext(WorkerModule, {
    bufferLogs: true,
    abortOnError: false,
  });
  app.useLogger(app.get(Log));
  app.flushLogs();
  checkHandlers(app.get(DiscoveryService));
  return app;
}

export function startSweeping(app: INestApplicationContext): void {
  app.get(SweepClock).start();
}
