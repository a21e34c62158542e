import { Injectable } from '@nestjs/common';
import { Companies } from '@commerce/identity';
import { isFault, toMajor } from '@commerce/kernel';
import { UnitsOfWork, type Caller, type Page } from '@commerce/data';
import { copyWith, newId, pageOf, type Id } from '@commerce/records';

import { planPrice } from '../domain/pricing/pricing.js';
import type { CreatePlanBody, ListPlansQuery, UpdatePlanBody } from './plan.dto.js';
import { PlanDrafter } from './plan-drafter.js';
import { PlanPricer } from './plan-pricer.js';
import { planWords, type PlanRecord } from './plan.record.js';
import { PlanStore } from './plan.store.js';

/** Billing definitions. The price of a plan is fixed when it is created; only its name, its note and whether it is offered change. */
@Injectable()
export class Plans {
  constructor(
    private readonly store: PlanStore,
    private readonly drafts: PlanDrafter,
    private readonly prices: PlanPricer,
    private readonly companies: Companies,
    private readonly units: UnitsOfWork,
  ) {}

  /** @param _id of the new plan, for idempotent creation */
  async create(caller: Caller, body: CreatePlanBody, _id: Id = newId()): Promise<PlanRecord> {
    return this.units.create(this.store, await this.drafts.draft(caller, body, _id));
  }

  async get(caller: Caller, id: string): Promise<PlanRecord> {
    const plan = await this.store.for(caller).show(id);
    const [shown] = await this.priced(caller, [plan]);
    return shown ?? plan;
  }

  async list(caller: Caller, query: ListPlansQuery): Promise<Page<PlanRecord>> {
    const page = await this.store.for(caller).page(pageOf(query, { deleted: false }));
    return { ...page, records: await this.priced(caller, page.records) };
  }

  async update(caller: Caller, id: string, body: UpdatePlanBody): Promise<PlanRecord> {
    return this.units.change(this.store.for(caller), id, (before) => ({
      changes: { ...body, search_words: planWords({ ...before, ...body }) },
    }));
  }

  /** Excludes the plan from new subscriptions; existing ones continue. */
  async delete(caller: Caller, id: string): Promise<PlanRecord> {
    return this.units.change(this.store.for(caller), id, () => ({ changes: { deleted: true } }));
  }

  /** Adds the sum of the items at current prices to plans whose total follows their items. */
  private async priced(caller: Caller, plans: readonly PlanRecord[]): Promise<readonly PlanRecord[]> {
    const settings = await this.companies.get(caller.company);
    const follows = (plan: PlanRecord): boolean => plan.total_amount_computed && plan.frozen_lines === null;
    const book = await this.prices.bookOf(caller.company, settings, plans.filter(follows));
    const charged = await this.drafts.chargedNow(caller.company);
    return plans.map((plan) => {
      if (!follows(plan)) return plan;
      try {
        return copyWith(plan, {
          total_amount: toMajor(planPrice(book(plan, charged)).price_minor, plan.currency),
        });
      } catch (error) {
        // A product whose currency has changed cannot be added up; the plan keeps showing its original total.
        if (!isFault(error)) throw error;
        return plan;
      }
    });
  }
}
