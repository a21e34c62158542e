import { Inject, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';

import { CONFIG, type Config } from '../config/config.js';
import { OutboundHttp } from './outbound-http.js';

/** Outbound HTTP as the settings allow it. */
@Injectable()
export class CustomerHttp extends OutboundHttp implements OnApplicationShutdown {
  constructor(@Inject(CONFIG) config: Pick<Config, 'webhooks'>) {
    super({ allowPrivate: config.webhooks.allowPrivate });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.close();
  }
}

/** Guarded calls to the endpoints of customers. */
@Module({
  providers: [CustomerHttp, { provide: OutboundHttp, useExisting: CustomerHttp }],
  exports: [OutboundHttp],
})
export class OutboundModule {}
