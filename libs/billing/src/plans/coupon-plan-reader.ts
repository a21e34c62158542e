import { Injectable } from '@nestjs/common';
import { KnowsPlans, type PlanDirectory } from '@commerce/catalog';
import type { Id } from '@commerce/records';

import { PlanStore } from './plan.store.js';

/** The plans that coupons can be limited to. */
@Injectable()
@KnowsPlans()
export class CouponPlanReader implements PlanDirectory {
  constructor(private readonly plans: PlanStore) {}

  async existing(company: Id, plans: readonly Id[]): Promise<ReadonlySet<string>> {
    const found = await this.plans.in(company).byIds(plans);
    return new Set([...found].filter(([, { deleted }]) => !deleted).map(([id]) => id));
  }
}
