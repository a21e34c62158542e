import { Module, type DynamicModule } from '@nestjs/common';

import { ConfigModule } from './config/config.module.js';
import { JobsModule } from './jobs/jobs.module.js';
import { LimitsModule } from './limits/limits.module.js';
import { ObservabilityModule } from './observability/observability.module.js';
import { ManagementModule } from './process/management.module.js';
import { RecordsModule } from './records/records.module.js';
import { RedisModule } from './redis/redis.module.js';
import { SecretsModule } from './secrets/secrets.module.js';
import { TimeModule } from './time/time.module.js';

/** What a process that only reads and writes records needs: settings, time, log, metrics, keys, database and Redis. */
const base = [TimeModule, ObservabilityModule, SecretsModule, RecordsModule, RedisModule, LimitsModule];

/** Everything that the domains build on; each app imports it once, after the libs that declare jobs. */
@Module({})
export class PlatformModule {
  /** For the API. */
  static forServer(): DynamicModule {
    return {
      module: PlatformModule,
      imports: [ConfigModule, ...base, JobsModule.forRoot(), ManagementModule],
    };
  }

  /** For the worker, which gives the database more time. */
  static forWorker(): DynamicModule {
    return {
      module: PlatformModule,
      imports: [ConfigModule.forWorker(), ...base, JobsModule.forRoot(), ManagementModule],
    };
  }

  /** For admin commands: no management port, and settings that suit somebody who waits. */
  static forCommands(): DynamicModule {
    return { module: PlatformModule, imports: [ConfigModule.forCommands(), ...base, JobsModule.forRoot()] };
  }
}
