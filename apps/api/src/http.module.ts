import { Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';

import { FaultFilter } from './http/faults/fault.filter.js';
import { IdempotencyStore } from './http/idempotency/idempotency.store.js';
import { LastReplies } from './http/replies/last-replies.js';
import { CallerGuard } from './http/requests/caller.guard.js';
import { RequestLimiter } from './http/requests/request-limiter.js';

/** What every request goes through: authentication, limits, rendering of faults, and an orderly end; and what idempotency is kept in. */
@Global()
@Module({
  providers: [
    RequestLimiter,
    IdempotencyStore,
    LastReplies,
    { provide: APP_GUARD, useClass: CallerGuard },
    { provide: APP_FILTER, useClass: FaultFilter },
  ],
  exports: [IdempotencyStore],
})
export class HttpModule {}
