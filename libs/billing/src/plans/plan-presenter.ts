import { Injectable } from '@nestjs/common';
import { Companies } from '@commerce/identity';
import { isFault, toMajor } from '@commerce/kernel';
import { mapInTurns } from '@commerce/platform';
import { copyWith, type Id } from '@commerce/records';

import { planPrice } from '../domain/pricing/pricing.js';
import { PlanDrafter } from './plan-drafter.js';
import { PlanPricer } from './plan-pricer.js';
import type { PlanRecord } from './plan.record.js';
import { warningsOf, type OwnTax } from './plan-tax.rules.js';

/** Plans as replies show them: with their price of today, and warnings. */
@Injectable()
export class PlanPresenter {
  constructor(
    private readonly drafts: PlanDrafter,
    private readonly prices: PlanPricer,
    private readonly companies: Companies,
  ) {}

  /** @param asked what the request asked for, where it wrote the plan */
  async one(plan: PlanRecord, asked: Partial<OwnTax> = {}): Promise<PlanRecord> {
    const [shown = plan] = await this.many(plan.company, [plan], asked);
    return shown;
  }

  /** The total of a plan whose price follows its items is their sum at current prices. */
  async many(
    company: Id,
    plans: readonly PlanRecord[],
    asked: Partial<OwnTax> = {},
  ): Promise<readonly PlanRecord[]> {
    const settings = await this.companies.get(company);
    const follows = (plan: PlanRecord): boolean => plan.total_amount_computed && plan.frozen_lines === null;
    const book = await this.prices.bookOf(company, settings, plans.filter(follows));
    const charged = await this.drafts.chargedNow(company);
    return mapInTurns(plans, (plan) => {
      const warnings = warningsOf(settings, plan, asked);
      const warned = warnings.length === 0 ? plan : copyWith(plan, { warnings });
      if (!follows(plan)) return warned;
      try {
        return copyWith(warned, {
          total_amount: toMajor(planPrice(book(plan, charged)).price_minor, plan.currency),
        });
      } catch (error) {
        // A product whose currency has changed cannot be added up; the plan keeps showing its original total.
        if (!isFault(error)) throw error;
        return warned;
      }
    });
  }
}
