import { Injectable, type Abstract, type INestApplicationContext, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Database } from '@commerce/data';
import { Log } from '@commerce/platform';

import { ServiceModule } from './service.module.js';

/** A connection that is still open after this time ends with the process. */
const CLOSE_MS = 3000;

/**
 * The service behind the commands. It is built when a command first needs it, so that help and option errors appear
 * immediately and without a database.
 */
@Injectable()
export class ServiceContext {
  private built: Promise<INestApplicationContext> | null = null;

  async get<T>(part: Type<T> | Abstract<T> | symbol): Promise<T> {
    this.built ??= this.build();
    return (await this.built).get<T>(part, { strict: false });
  }

  async close(): Promise<void> {
    const context = await this.built?.catch(() => null);
    if (!context) return;
    const patience = new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref());
    await Promise.race([context.close().catch(() => undefined), patience]);
  }

  private async build(): Promise<INestApplicationContext> {
    const context = await NestFactory.createApplicationContext(ServiceModule, {
      logger: false,
      abortOnError: false,
    });
    context.useLogger(context.get(Log));
    await context.get(Database).ensureIndexes();
    return context;
  }
}
