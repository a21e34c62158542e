import { Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';

import { FaultFilter } from './http/faults/fault.filter.js';
import { IdempotencyStore } from './http/idempotency/idempotency.store.js';
import { CallerGuard } from './http/requests/caller.guard.js';
import { RequestLimiter } from './http/requests/request-limiter.js';

/** What every request goes through: authentication, limits and rendering of faults; and what idempotency is kept in. */
@Global()
@Module({
  providers: [
    RequestLimiter,
    IdempotencyStore,
    { provide: APP_GUARD, useClass: CallerGuard },
    { provide: APP_FILTER, useClass: FaultFilter },
  ],
  exports: [IdempotencyStore],
})
export class HttpModule {}
