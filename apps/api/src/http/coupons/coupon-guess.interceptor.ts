import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { CustomerLimiter } from '@commerce/identity';
import { fieldFault, isFault } from '@commerce/kernel';
import type { Id } from '@commerce/records';
import { from, lastValueFrom, type Observable } from 'rxjs';

import type { ServiceRequest } from '../service-request.js';

/** The refusals that tell whether a code exists. */
const REVEALING = new Set([
  'coupon.currency_differs',
  'coupon.expired',
  'coupon.inactive',
  'coupon.not_for_orders',
  'coupon.not_for_these_products',
  'coupon.not_for_this_plan',
  'coupon.not_started',
  'coupon.unknown',
  'coupon.used_up',
]);

/** Gives users one answer for all codes that they cannot use, and few of them an hour. */
@Injectable()
export class CouponGuessInterceptor implements NestInterceptor {
  constructor(private readonly customers: CustomerLimiter) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<ServiceRequest>();
    const { caller } = request;
    const { coupon } = (request.body ?? {}) as { readonly coupon?: unknown };
    if (caller?.role !== 'user' || caller.user === null || coupon == null) return next.handle();
    return from(this.answered(next, caller.user));
  }

  private async answered(next: CallHandler, user: Id): Promise<unknown> {
    await this.customers.requireGuessesLeft(user);
    try {
      return await lastValueFrom(next.handle(), { defaultValue: undefined });
    } catch (error) {
      if (!isFault(error) || !REVEALING.has(error.code)) throw error;
      await this.customers.requireCouponGuess(user);
      throw fieldFault('coupon', 'No coupon with this code can be used here', 'coupon.not_usable');
    }
  }
}
