import * as nest from '@nestjs/common';
import { UseInterceptors, applyDecorators } from '@nestjs/common';

import { IdempotencyInterceptor } from './idempotency/idempotency.interceptor.js';

/**
 * Routes that change something, as Nest's decorators of the same names declare them: under an Idempotency-Key, a
 * request takes effect once. Those that only read have no interceptor at all, which saves them time.
 */
export const Post = (path?: string): MethodDecorator => changing(nest.Post(path));
export const Put = (path?: string): MethodDecorator => changing(nest.Put(path));
export const Delete = (path?: string): MethodDecorator => changing(nest.Delete(path));

function changing(route: MethodDecorator): MethodDecorator {
  return applyDecorators(route, UseInterceptors(IdempotencyInterceptor));
}
