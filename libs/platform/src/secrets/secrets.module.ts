import { Global, Module } from '@nestjs/common';

import { CONFIG, type Config } from '../config/config.js';
import { keyFromFile } from './key-file.js';
import { Sealer, useSealer } from './sealer.js';

/** The keys that seal secrets at rest: those of the settings, or the key file. */
@Global()
@Module({
  providers: [
    {
      provide: Sealer,
      inject: [CONFIG],
      useFactory: async ({ secretKeys, dataDir }: Pick<Config, 'secretKeys' | 'dataDir'>) =>
        useSealer(new Sealer(secretKeys.length > 0 ? secretKeys : [await keyFromFile(dataDir)])),
    },
  ],
  exports: [Sealer],
})
export class SecretsModule {}
