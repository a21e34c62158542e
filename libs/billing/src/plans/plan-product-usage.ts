import { Injectable } from '@nestjs/common';
import { UsesProducts, type ProductUsage } from '@commerce/catalog';
import type { Id } from '@commerce/records';

import { PlanStore } from './plan.store.js';

/** The products whose prices make up plans that are not deleted. */
@Injectable()
@UsesProducts()
export class PlanProductUsage implements ProductUsage {
  constructor(private readonly plans: PlanStore) {}

  uses(company: Id, product: Id): Promise<boolean> {
    return this.plans.hold(company, product);
  }
}
