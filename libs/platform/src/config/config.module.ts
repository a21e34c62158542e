import { Global, Module, type DynamicModule } from '@nestjs/common';

import { CONFIG, type Config } from './config.js';
import { readCommandConfig, readConfig, readWorkerConfig } from './read-config.js';

/** Makes the settings injectable by CONFIG. They are read when the application starts, not when a file loads. */
@Global()
@Module({
  // oxlint-disable-next-line no-restricted-properties -- settings come from here
  providers: [{ provide: CONFIG, useFactory: () => readConfig(process.env) }],
  exports: [CONFIG],
})
export class ConfigModule {
  /** With the settings of an admin command. */
  static forCommands(): DynamicModule {
    return readBy(readCommandConfig);
  }

  /** With the settings of a worker. */
  static forWorker(): DynamicModule {
    return readBy(readWorkerConfig);
  }
}

function readBy(read: (variables: NodeJS.ProcessEnv) => Config): DynamicModule {
  // oxlint-disable-next-line no-restricted-properties -- settings come from here
  return { module: ConfigModule, providers: [{ provide: CONFIG, useFactory: () => read(process.env) }] };
}
