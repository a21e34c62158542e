import { Injectable } from '@nestjs/common';
import { Companies } from '@commerce/identity';
import { LookupCache } from '@commerce/platform';
import { distinctIds, parseId, sameId, type Id } from '@commerce/records';

import type { PlanTerms, Terms } from '../domain/pricing/terms.js';
import { PlanPricer } from '../plans/plan-pricer.js';
import type { PlanRecord } from '../plans/plan.record.js';
import { PlanStore } from '../plans/plan.store.js';
import { planTermsOf } from '../plans/plan-terms.js';

/** Returns the terms of a plan, or throws the reason why they could not be read. */
export type TermsOf = (plan: Id) => Terms;

type StoredPlan = PlanRecord & PlanTerms;

/** Reads the terms of many subscriptions together; plans and settings come from memory where possible. */
@Injectable()
export class TermsReader {
  /** The price definition of a plan never changes, so a cached plan is still valid. */
  private readonly plans = new LookupCache((key) => this.readPlan(key));

  constructor(
    private readonly planStore: PlanStore,
    private readonly prices: PlanPricer,
    private readonly companies: Companies,
  ) {}

  /**
   * The terms of each of these plans of a company. Products are always read from the database, all in one query; a
   * missing plan does not affect the others.
   */
  async forPlans(company: Id, planIds: readonly Id[]): Promise<TermsOf> {
    const distinct = distinctIds(planIds);
    const read = await Promise.allSettled(distinct.map((id) => this.planOf(company, id)));
    const plans = read.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const termsOf = await this.priced(company, plans);
    return (id) => {
      const one = read[distinct.findIndex((other) => sameId(other, id))];
      if (one?.status === 'fulfilled') return termsOf(one.value);
      throw one?.reason ?? new Error(`The terms of the plan ${id.toHexString()} were not asked for`);
    };
  }

  /** The terms of one plan, as by `forPlans`. */
  async forPlan(company: Id, planId: Id): Promise<Terms> {
    const plan = await this.planOf(company, planId);
    return (await this.priced(company, [plan]))(plan);
  }

  /**
   * A plan that a request refers to, and its terms.
   * @throws Fault `plan.unknown` naming the field, also for a deleted one
   */
  async referred(company: Id, planId: Id): Promise<{ plan: PlanRecord; terms: Terms }> {
    const plan = planTermsOf(await this.planStore.in(company).referred(planId, 'plan'));
    return { plan, terms: (await this.priced(company, [plan]))(plan) };
  }

  /** The terms for decisions that need no price; reads no products. */
  async withoutPrice(company: Id, planId: Id): Promise<Terms> {
    const [settings, plan] = await Promise.all([this.companies.get(company), this.planOf(company, planId)]);
    const price = (): never => {
      throw new Error('No price was read: nothing that asks for one may be decided here');
    };
    return { plan, settings, price };
  }

  private async priced(company: Id, plans: readonly StoredPlan[]): Promise<(plan: StoredPlan) => Terms> {
    const settings = await this.companies.get(company);
    const book = await this.prices.bookOf(company, settings.tax_behavior, plans);
    return (plan) => ({ plan, settings, price: () => book(plan) });
  }

  private planOf(company: Id, plan: Id): Promise<StoredPlan> {
    return this.plans.get(`${company.toHexString()}/${plan.toHexString()}`);
  }

  private async readPlan(key: string): Promise<StoredPlan> {
    const [company, plan] = key.split('/').map(parseId) as [Id, Id];
    return planTermsOf(await this.planStore.in(company).get(plan, { deleted: true }));
  }
}
