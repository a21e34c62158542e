import { Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';

import { FaultFilter } from './http/faults/fault.filter.js';
import { IdempotencyStore } from './http/idempotency/idempotency.store.js';
import { IdempotencyLimiter } from './http/idempotency/idempotency-limiter.js';
import { CallerGuard } from './http/requests/caller.guard.js';
import { CustomerGuard } from './http/requests/customer.guard.js';
import { RequestLimiter } from './http/requests/request-limiter.js';

/** Authentication, limits, fault rendering and idempotency storage for every request. */
@Global()
@Module({
  providers: [
    RequestLimiter,
    IdempotencyStore,
    IdempotencyLimiter,
    { provide: APP_GUARD, useClass: CallerGuard },
    { provide: APP_GUARD, useClass: CustomerGuard },
    { provide: APP_FILTER, useClass: FaultFilter },
  ],
  exports: [IdempotencyStore, IdempotencyLimiter],
})
export class HttpModule {}
