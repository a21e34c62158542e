import { Module } from '@nestjs/common';

import { CONFIG, type Config } from '../config/config.js';
import { GuardedHttpClient } from './guarded-http-client.js';

/** Calls to the endpoints of customers, as guarded as the settings say. */
@Module({
  providers: [
    {
      provide: GuardedHttpClient,
      inject: [CONFIG],
      useFactory: (config: Pick<Config, 'webhooks'>) =>
        new GuardedHttpClient({ allowPrivate: config.webhooks.allowPrivate }),
    },
  ],
  exports: [GuardedHttpClient],
})
export class HttpClientModule {}
