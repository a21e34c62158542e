import { Global, Module } from '@nestjs/common';

import { CONFIG, readConfig } from './config.js';

/** Makes the settings injectable by CONFIG. They are read when the application starts, not when a file loads. */
@Global()
@Module({
  providers: [{ provide: CONFIG, useFactory: () => readConfig(process.env) }],
  exports: [CONFIG],
})
export class ConfigModule {}
