import { Injectable } from '@nestjs/common';
import { BusinessClock, Companies, requireRateOf, taxBuyerOf, taxSellerOf } from '@commerce/identity';
import { requireFewProducts, toMajor } from '@commerce/kernel';
import type { Caller } from '@commerce/data';
import { newId, type Id, type NewValues } from '@commerce/records';

import { planPrice, unitsOf } from '../domain/pricing/pricing.js';
import type { CreatePlanBody } from './plan.dto.js';
import { PlanPricer, type Charged } from './plan-pricer.js';
import type { PlanRecord } from './plan.record.js';
import { taxedPrice } from './plan-tax.js';
import { taxFieldsOf } from './plan-tax.rules.js';
import { checkPlan, priceLinesOf } from './plan.rules.js';

/** Checks and prices new plans, before they are stored. */
@Injectable()
export class PlanDrafter {
  constructor(
    private readonly prices: PlanPricer,
    private readonly companies: Companies,
    private readonly time: BusinessClock,
  ) {}

  /**
   * The values of a new plan, with its price. Stores nothing.
   * @throws Fault `value.invalid` that names each field, `items.too_many`; the faults of `planPrice`, `tax.rate_missing`
   */
  async draft(
    { company }: Pick<Caller, 'company'>,
    body: CreatePlanBody,
    _id: Id = newId(),
  ): Promise<NewValues<PlanRecord>> {
    const given: Given = body;
    requireFewProducts(given.items);
    const products = await this.prices.productsOf(company, given.items);
    const currency = checkPlan(given, products);
    const settings = await this.companies.get(company);
    requireRateOf(settings, given.tax_category);
    const lines = priceLinesOf(given.items, products, currency);
    const { total_amount } = given;
    const input = { currency, tax_behavior: settings.tax_behavior, total_amount, items: lines };
    const seller = total_amount === null ? taxSellerOf(settings) : null;
    const charged = await this.chargedNow(company);
    const price = planPrice(
      seller === null ? input : taxedPrice(input, { products, tax_category: null }, { seller, ...charged }),
    );
    return {
      ...given,
      _id,
      company,
      currency,
      ...billingIntervalOf(given),
      ...taxFieldsOf(given),
      units: unitsOf(given.items),
      total_amount: toMajor(price.price_minor, currency),
      total_amount_computed: price.computed,
      frozen_lines: given.static ? lines : null,
    };
  }

  /** A plan shows what a customer in the country of the seller pays now. */
  async chargedNow(company: Id): Promise<Charged> {
    return { buyer: taxBuyerOf(null), at: await this.time.now(company, null) };
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
