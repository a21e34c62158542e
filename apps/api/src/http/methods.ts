import * as nest from '@nestjs/common';
import { UseInterceptors, applyDecorators } from '@nestjs/common';

import { IdempotencyInterceptor } from './idempotency/idempotency.interceptor.js';
import { note } from './route-notes.js';

/**
 * Nest's decorators for routes that write: a request with an Idempotency-Key takes effect once. Routes that only read
 * skip the interceptor, which saves time.
 */
export const Post = (path?: string): MethodDecorator => changing(nest.Post(path));
export const Put = (path?: string): MethodDecorator => changing(nest.Put(path));
export const Delete = (path?: string): MethodDecorator => changing(nest.Delete(path));

/**
 * A POST that writes no record and may take place twice: under an Idempotency-Key it is answered anew, and its reply is
 * not stored.
 */
export const PostReading = (path?: string): MethodDecorator =>
  applyDecorators(nest.Post(path), (prototype: object, method: string | symbol) =>
    note(prototype, method, { writesNothing: true }),
  );

function changing(route: MethodDecorator): MethodDecorator {
  return applyDecorators(route, UseInterceptors(IdempotencyInterceptor));
}
