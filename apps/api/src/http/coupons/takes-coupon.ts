import { UseInterceptors, applyDecorators } from '@nestjs/common';

import { note } from '../route-notes.js';
import { CouponGuessInterceptor } from './coupon-guess.interceptor.js';

/** Declares that the route's body may name a coupon: users learn no more of a code than whether they can use it. */
export const TakesCoupon = (): MethodDecorator =>
  applyDecorators(UseInterceptors(CouponGuessInterceptor), (prototype: object, method: string | symbol) =>
    note(prototype, method, { takesCoupon: true }),
  );
