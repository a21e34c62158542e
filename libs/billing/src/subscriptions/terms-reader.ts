import { Injectable } from '@nestjs/common';
import { Companies } from '@commerce/identity';
import { LookupCache } from '@commerce/platform';
import { distinctIds, parseId, sameId, type Id } from '@commerce/records';

import { requireChargeable } from '../domain/pricing/pricing.js';
import type { PlanTerms, Terms } from '../domain/pricing/terms.js';
import { PlanPricer } from '../plans/plan-pricer.js';
import type { PlanRecord } from '../plans/plan.record.js';
import { PlanStore } from '../plans/plan.store.js';
import { planTermsOf } from '../plans/plan-terms.js';

/** A plan and the quantity of it: two fields of a subscription. */
export interface PlanQuantity {
  readonly plan: Id;
  readonly quantity: number;
}

/** Returns the terms of a plan and quantity, or throws the reason why they could not be read. */
export type TermsOf = (subscribed: PlanQuantity) => Terms;

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
   * The terms of each of these plans and quantities of a company. Products are always read from the database, all in one query; a
   * missing plan does not affect the others.
   */
  async forMany(company: Id, subscribed: readonly PlanQuantity[]): Promise<TermsOf> {
    const distinct = distinctIds(subscribed.map(({ plan }) => plan));
    const read = await Promise.allSettled(distinct.map((id) => this.planOf(company, id)));
    const plans = read.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const termsOf = await this.priced(company, plans);
    return ({ plan: id, quantity }) => {
      const one = read[distinct.findIndex((other) => sameId(other, id))];
      if (one?.status === 'fulfilled') return termsOf(one.value, quantity);
      throw one?.reason ?? new Error(`The terms of the plan ${id.toHexString()} were not asked for`);
    };
  }

  /** The terms of one plan and quantity, as by `forMany`. */
  async forOne(company: Id, { plan: id, quantity }: PlanQuantity): Promise<Terms> {
    const plan = await this.planOf(company, id);
    return (await this.priced(company, [plan]))(plan, quantity);
  }

  /**
   * A plan that a request refers to, and the terms of a quantity of it.
   * @throws Fault `plan.unknown` naming the field, also for a deleted one; `amount.invalid` where the quantity makes
   * today's price too large
   */
  async referred(
    company: Id,
    { plan: id, quantity }: PlanQuantity,
  ): Promise<{ plan: PlanRecord; terms: Terms }> {
    const plan = planTermsOf(await this.planStore.in(company).referred(id, 'plan'));
    const terms = (await this.priced(company, [plan]))(plan, quantity);
    if (quantity > 1) requireChargeable(plan, terms.price());
    return { plan, terms };
  }

  /** The terms for decisions that need no price; reads no products. */
  async withoutPrice(company: Id, { plan: id, quantity }: PlanQuantity): Promise<Terms> {
    const [settings, plan] = await Promise.all([this.companies.get(company), this.planOf(company, id)]);
    const price = (): never => {
      throw new Error('No price was read: nothing that asks for one may be decided here');
    };
    return { plan, quantity, settings, price };
  }

  private async priced(
    company: Id,
    plans: readonly StoredPlan[],
  ): Promise<(plan: StoredPlan, quantity: number) => Terms> {
    const settings = await this.companies.get(company);
    const book = await this.prices.bookOf(company, settings.tax_behavior, plans);
    return (plan, quantity) => ({
      plan,
      quantity,
      settings,
      price: () => ({ ...book(plan), quantity }),
    });
  }

  private planOf(company: Id, plan: Id): Promise<StoredPlan> {
    return this.plans.get(`${company.toHexString()}/${plan.toHexString()}`);
  }

  private async readPlan(key: string): Promise<StoredPlan> {
    const [company, plan] = key.split('/').map(parseId) as [Id, Id];
    return planTermsOf(await this.planStore.in(company).get(plan, { deleted: true }));
  }
}
