import { Injectable } from '@nestjs/common';
import {
  CouponStore,
  CouponUserLimiter,
  couponAppliesToSubscription,
  refusedCoupon,
  type CustomerTime,
  type DiscountTerms,
} from '@commerce/catalog';
import { fieldFault } from '@commerce/kernel';
import { parseId, sameId, type Id } from '@commerce/records';

import type { Discount } from '../domain/pricing/discount.js';
import type { PlanRecord } from '../plans/plan.record.js';
import { MAX_COUPONS } from '../subscription-record/subscription-limits.js';

/** The customer and their time, and the coupons that the subscription has redeemed. */
export interface CouponUse extends CustomerTime {
  /** Null for a customer that is not known. */
  readonly user: Id | null;
  /** The subscription; null before it exists. */
  readonly holder: Id | null;
  readonly redeemed: readonly Id[];
}

/** Reads the discounts that coupons give on subscriptions. */
@Injectable()
export class DiscountReader {
  constructor(
    private readonly coupons: CouponStore,
    private readonly limits: CouponUserLimiter,
  ) {}

  /**
   * The discount of the coupon with this code on a plan, counted from the first interval that is charged with it.
   * @throws Fault `coupon.unknown`, `coupon.already_redeemed` and those of the coupon, naming `coupon`; a refusal for its
   * dates names the test clock that decided it
   */
  async read(
    plan: PlanRecord,
    code: string,
    { redeemed, user, holder, ...time }: CouponUse,
  ): Promise<Discount> {
    // Asked first, so that the answer does not depend on the code.
    if (redeemed.length >= MAX_COUPONS) throw alreadyRedeemed();
    const coupon = await this.coupons.named(plan.company, code);
    if (redeemed.some((id) => sameId(id, coupon._id))) throw alreadyRedeemed();
    const products = plan.items.map(({ product }) => product);
    const purchase = { plan: plan._id, products, currency: plan.currency };
    const verdict = couponAppliesToSubscription(coupon, purchase, time);
    if (!verdict.applies) throw refusedCoupon(verdict, time);
    const { company } = plan;
    const use = { kind: 'subscription', company, coupon: coupon._id, holder } as const;
    if (user !== null) await this.limits.check({ ...use, user }, coupon);
    const plans = coupon.plans.length === 0 ? null : coupon.plans.map((id) => id.toHexString());
    return { coupon: coupon._id.toHexString(), code: coupon.code, plans, ...discountOf(verdict.terms) };
  }

  /** Whether the redemptions of a discount's coupon are limited, so that a reservation keeps others from one. */
  async isLimited(company: Id, { coupon }: Discount): Promise<boolean> {
    const id = parseId(coupon);
    const found = id === null ? null : await this.coupons.in(company).find(id, { deleted: true });
    return found !== null && found.max_redemptions !== null;
  }
}

function alreadyRedeemed(): Error {
  return fieldFault('coupon', 'The subscription has redeemed this coupon already', 'coupon.already_redeemed');
}

function discountOf({
  duration,
  duration_in_intervals,
  ...terms
}: DiscountTerms): Pick<Discount, 'off' | 'from' | 'until'> {
  const { products, ...off } = terms;
  const until = duration === 'ONCE' ? 1 : duration === 'REPEATING' ? (duration_in_intervals ?? 1) : null;
  return { off: products === null ? off : { ...off, products }, from: 0, until };
}
