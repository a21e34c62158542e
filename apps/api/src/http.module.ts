import { Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';

import { FaultFilter } from './http/faults/fault.filter.js';
import { IdempotencyInterceptor } from './http/idempotency/idempotency.interceptor.js';
import { IdempotencyStore } from './http/idempotency/idempotency.store.js';
import { ReplyInterceptor } from './http/replies/reply.interceptor.js';
import { CallerGuard } from './http/requests/caller.guard.js';
import { RequestLimiter } from './http/requests/request-limiter.js';

/** What every request goes through: authentication and limits, idempotency, rendering of replies and faults. */
@Module({
  providers: [
    RequestLimiter,
    IdempotencyStore,
    { provide: APP_GUARD, useClass: CallerGuard },
    // The first wraps the second: what is stored under an idempotency key is the rendered reply.
    { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
    { provide: APP_INTERCEPTOR, useClass: ReplyInterceptor },
    { provide: APP_FILTER, useClass: FaultFilter },
  ],
})
export class HttpModule {}
