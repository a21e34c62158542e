import { Injectable } from '@nestjs/common';
import { UnitsOfWork, type Caller, type Page } from '@commerce/data';
import { newId, pageOf, type Id } from '@commerce/records';

import type { CreatePlanBody, ListPlansQuery, UpdatePlanBody } from './plan.dto.js';
import { PlanDrafter } from './plan-drafter.js';
import { PlanPresenter } from './plan-presenter.js';
import { PlanTaxUpdater } from './plan-tax-updater.js';
import { namesTax } from './plan-tax.rules.js';
import { planWords, type PlanRecord } from './plan.record.js';
import { PlanStore } from './plan.store.js';

/** Billing definitions. The price of a plan is fixed when it is created; only its name, its note, its tax and whether it is offered change. */
@Injectable()
export class Plans {
  constructor(
    private readonly store: PlanStore,
    private readonly drafts: PlanDrafter,
    private readonly taxes: PlanTaxUpdater,
    private readonly shown: PlanPresenter,
    private readonly units: UnitsOfWork,
  ) {}

  /** @param _id of the new plan, for idempotent creation */
  async create(caller: Caller, body: CreatePlanBody, _id: Id = newId()): Promise<PlanRecord> {
    const plan = await this.units.create(this.store, await this.drafts.draft(caller, body, _id));
    return this.shown.one(plan, body);
  }

  async get(caller: Caller, id: string): Promise<PlanRecord> {
    return this.shown.one(await this.store.for(caller).show(id));
  }

  async list(caller: Caller, query: ListPlansQuery): Promise<Page<PlanRecord>> {
    const page = await this.store.for(caller).page(pageOf(query, { deleted: false }));
    return { ...page, records: await this.shown.many(caller.company, page.records) };
  }

  async update(caller: Caller, id: string, body: UpdatePlanBody): Promise<PlanRecord> {
    const plan = await this.units.change(
      this.store.for(caller),
      id,
      async (before) => ({
        changes: {
          ...body,
          ...(await this.taxes.changes(before, body)),
          search_words: planWords({ ...before, ...body }),
        },
      }),
      { deleted: namesTax(body) },
    );
    await this.taxes.said(caller.company, body);
    return this.shown.one(plan, body);
  }

  /** Excludes the plan from new subscriptions; existing ones continue. */
  async delete(caller: Caller, id: string): Promise<PlanRecord> {
    return this.units.change(this.store.for(caller), id, () => ({ changes: { deleted: true } }));
  }
}
