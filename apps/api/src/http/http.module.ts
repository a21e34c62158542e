import { Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';

import { CallerGuard } from './caller.guard.js';
import { FaultFilter } from './fault.filter.js';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';
import { IdempotencyStore } from './idempotency.store.js';
import { ReplyInterceptor } from './reply.interceptor.js';
import { RequestGate } from './request-gate.js';

/** What every request passes: who calls, whether it came before, how the answer is written. */
@Module({
  providers: [
    RequestGate,
    IdempotencyStore,
    { provide: APP_GUARD, useClass: CallerGuard },
    // The first wraps the second: what is stored under an idempotency key is the rendered reply.
    { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
    { provide: APP_INTERCEPTOR, useClass: ReplyInterceptor },
    { provide: APP_FILTER, useClass: FaultFilter },
  ],
})
export class HttpModule {}
