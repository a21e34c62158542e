import { Module, type DynamicModule } from '@nestjs/common';

import {
  ConfigModule,
  LimitsModule,
  ObservabilityModule,
  RedisModule,
  SecretsModule,
  TimeModule,
} from '@commerce/platform';
import { JobsModule } from '@commerce/jobs';
import { ManagementModule } from './management.module.js';
import { DataModule } from '@commerce/data';

/**
 * The needs of a process that only reads and writes records: settings, time, log, metrics, keys, database and Redis.
 */
const base = [TimeModule, ObservabilityModule, SecretsModule, DataModule, RedisModule, LimitsModule];

/** The modules beneath the domains; each app imports it once, after the libs that declare jobs. */
@Module({})
export class ProcessModule {
  /** For the API. */
  static forServer(): DynamicModule {
    return {
      module: ProcessModule,
      imports: [ConfigModule, ...base, JobsModule.forRoot(), ManagementModule],
    };
  }

  /** For the worker, which gives the database more time. */
  static forWorker(): DynamicModule {
    return {
      module: ProcessModule,
      imports: [ConfigModule.forWorker(), ...base, JobsModule.forRoot(), ManagementModule],
    };
  }

  /** For admin commands: no management port, and settings that suit a person who waits. */
  static forCommands(): DynamicModule {
    return { module: ProcessModule, imports: [ConfigModule.forCommands(), ...base, JobsModule.forRoot()] };
  }
}
