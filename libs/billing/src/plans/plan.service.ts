import { Injectable } from '@nestjs/common';
import { BusinessClock, Companies, taxBuyerOf, taxSellerOf } from '@commerce/identity';
import { isFault, toMajor } from '@commerce/kernel';
import { UnitsOfWork, type Caller, type Page } from '@commerce/data';
import { copyWith, newId, pageOf, type Id } from '@commerce/records';

import { planPrice, unitsOf } from '../domain/pricing/pricing.js';
import type { CreatePlanBody, ListPlansQuery, UpdatePlanBody } from './plan.dto.js';
import { PlanPricer, type Charged } from './plan-pricer.js';
import { planWords, type PlanRecord } from './plan.record.js';
import { taxedPrice } from './plan-tax.js';
import { checkPlan, priceLinesOf } from './plan.rules.js';
import { PlanStore } from './plan.store.js';

/** Billing definitions. The price of a plan is fixed when it is created; only its name and note change. */
@Injectable()
export class Plans {
  constructor(
    private readonly store: PlanStore,
    private readonly prices: PlanPricer,
    private readonly companies: Companies,
    private readonly units: UnitsOfWork,
    private readonly time: BusinessClock,
  ) {}

  /** @param _id of the new plan, for idempotent creation */
  async create(caller: Caller, body: CreatePlanBody, _id: Id = newId()): Promise<PlanRecord> {
    const given: Given = body;
    const products = await this.prices.productsOf(caller.company, given.items);
    const currency = checkPlan(given, products);
    const settings = await this.companies.get(caller.company);
    const lines = priceLinesOf(given.items, products, currency);
    const { total_amount } = given;
    const input = { currency, tax_behavior: settings.tax_behavior, total_amount, items: lines };
    const seller = total_amount === null ? taxSellerOf(settings) : null;
    const shown = await this.shownTo(caller);
    const price = planPrice(seller === null ? input : taxedPrice(input, products, { seller, ...shown }));
    const values = {
      ...given,
      _id,
      company: caller.company,
      currency,
      ...billingIntervalOf(given),
      units: unitsOf(given.items),
      total_amount: toMajor(price.price_minor, currency),
      total_amount_computed: price.computed,
      frozen_lines: given.static ? lines : null,
    };
    return this.units.create(this.store, values);
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

  /** A plan shows what a customer in the country of the seller pays now. */
  private async shownTo({ company }: Caller): Promise<Charged> {
    return { buyer: taxBuyerOf(null), at: await this.time.now(company, null) };
  }

  /** Adds the sum of the items at current prices to plans whose total follows their items. */
  private async priced(caller: Caller, plans: readonly PlanRecord[]): Promise<readonly PlanRecord[]> {
    const settings = await this.companies.get(caller.company);
    const follows = (plan: PlanRecord): boolean => plan.total_amount_computed && plan.frozen_lines === null;
    const book = await this.prices.bookOf(caller.company, settings, plans.filter(follows));
    const charged = await this.shownTo(caller);
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

interface GivenBilling {
  readonly billing_interval: CreatePlanBody['billing_interval'] | null;
  readonly billing_interval_count?: number | null;
}

/** The money is collected once per interval of the price, unless the request names another interval. */
function billingIntervalOf(given: Given): Pick<PlanRecord, 'billing_interval' | 'billing_interval_count'> {
  const { interval_unit, interval_count, billing_interval, billing_interval_count } = given;
  return {
    billing_interval: billing_interval ?? interval_unit,
    billing_interval_count: billing_interval_count ?? (billing_interval ? 1 : interval_count),
  };
}

/** The request body; fields that the rules fill in may still be null. */
type Given = Omit<CreatePlanBody, 'currency' | keyof GivenBilling | 'total_amount'> &
  GivenBilling & {
    currency: string | null;
    total_amount: number | null;
  };
