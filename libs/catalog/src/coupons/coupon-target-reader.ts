import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { distinctIds, sameId, type Id } from '@commerce/records';

import { ProductStore } from '../products/product.store.js';
import type { CouponRecord } from './coupon.record.js';
import { checkTargets } from './coupon.rules.js';
import { KnowsPlans } from './plan-directory.js';

/** The plans and products that a coupon is limited to. */
export type CouponTargets = Pick<CouponRecord, 'plans' | 'products'>;

/** Reads the plans and products that bodies of coupons name. */
@Injectable()
export class CouponTargetReader {
  constructor(
    private readonly products: ProductStore,
    private readonly discovery: DiscoveryService,
  ) {}

  /**
   * The given lists, each id once. Ids that the coupon names already are kept, even of those deleted since.
   * @throws Faults of `checkTargets`
   */
  async read(
    company: Id,
    given: Partial<CouponTargets>,
    before: CouponTargets = { plans: [], products: [] },
  ): Promise<Partial<CouponTargets>> {
    const { plans, products } = given;
    if (products !== undefined) {
      const found = await this.products.in(company).partsByIds(added(products, before.products), ['deleted']);
      const live = [...found.values()].filter(({ deleted }) => !deleted).map(({ _id }) => _id);
      checkTargets('products', products, hexOf([...before.products, ...live]));
    }
    if (plans !== undefined) {
      const known = await this.knownPlans(company, added(plans, before.plans));
      checkTargets('plans', plans, new Set([...hexOf(before.plans), ...known]));
    }
    return {
      ...(plans === undefined ? {} : { plans: distinctIds(plans) }),
      ...(products === undefined ? {} : { products: distinctIds(products) }),
    };
  }

  private async knownPlans(company: Id, plans: readonly Id[]): Promise<string[]> {
    if (plans.length === 0) return [];
    const directories = KnowsPlans.in(this.discovery);
    const known = await Promise.all(directories.map((one) => one.existing(company, plans)));
    return known.flatMap((ids) => [...ids]);
  }
}

function added(ids: readonly Id[], before: readonly Id[]): Id[] {
  return ids.filter((id) => !before.some((one) => sameId(one, id)));
}

function hexOf(ids: readonly Id[]): Set<string> {
  return new Set(ids.map((id) => id.toHexString()));
}
