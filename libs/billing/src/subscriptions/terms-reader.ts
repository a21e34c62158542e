import { Injectable } from '@nestjs/common';
import { Companies } from '@commerce/identity';
import { LookupCache, parseId, type Id } from '@commerce/platform';

import type { Terms } from '../domain/lifecycle/subscription-terms.js';
import { PlanPricer } from '../plans/plan-pricer.js';
import type { PlanRecord } from '../plans/plan.record.js';
import { PlanStore } from '../plans/plan.store.js';

/** The terms of plans by the text of their ids. */
export type TermsByPlan = ReadonlyMap<string, Terms>;

/** Reads the terms of many subscriptions at once: plans and settings from memory where possible. */
@Injectable()
export class TermsReader {
  /** What a plan costs never changes, so that what was read a moment ago is as good as new. */
  private readonly plans = new LookupCache((key) => this.readPlan(key));

  constructor(
    private readonly planStore: PlanStore,
    private readonly prices: PlanPricer,
    private readonly companies: Companies,
  ) {}

  /** The terms of each of these plans of a company; products are read anew, once for all. */
  async of(company: Id, planIds: readonly Id[]): Promise<TermsByPlan> {
    const distinct = new Map(planIds.map((id) => [id.toHexString(), id]));
    const [settings, ...plans] = await Promise.all([
      this.companies.get(company),
      ...[...distinct.values()].map((id) => this.planOf(company, id)),
    ]);
    const book = await this.prices.bookOf(company, settings.tax_behavior, plans);
    return new Map(
      plans.map((plan) => [plan._id.toHexString(), { plan, settings, price: () => book(plan) }]),
    );
  }

  /** As `of`, for one plan. */
  async ofPlan(company: Id, plan: Id): Promise<Terms> {
    const terms = await this.of(company, [plan]);
    // It was asked for, and a plan that is gone has thrown.
    return terms.get(plan.toHexString()) as Terms;
  }

  /** The terms for what asks no price, without reading any. */
  async withoutPrice(company: Id, planId: Id): Promise<Terms> {
    const [settings, plan] = await Promise.all([this.companies.get(company), this.planOf(company, planId)]);
    const price = (): never => {
      throw new Error('the price was not read: nothing that asks for it may come here');
    };
    return { plan, settings, price };
  }

  private planOf(company: Id, plan: Id): Promise<PlanRecord> {
    return this.plans.get(`${company.toHexString()}/${plan.toHexString()}`);
  }

  private async readPlan(key: string): Promise<PlanRecord> {
    const [company, plan] = key.split('/').map(parseId) as [Id, Id];
    return this.planStore.in(company).get(plan, { deleted: true });
  }
}
