import { Injectable } from '@nestjs/common';
import { ProductStore } from '@commerce/catalog';
import type { TaxBehavior } from '@commerce/kernel';
import type { Id } from '@commerce/records';

import type { PlanPriceInput } from '../domain/pricing/pricing.js';
import type { PlanRecord } from './plan.record.js';
import { priceLinesOf, productsOf, type ItemInput, type ProductsById } from './plan.rules.js';

type Priced = Pick<
  PlanRecord,
  'currency' | 'items' | 'total_amount' | 'total_amount_computed' | 'frozen_lines'
>;

/**
 * Returns the inputs of a plan's price.
 * @throws Fault `product.unknown` or `product.currency_changed` where a product of the plan can no longer be priced
 */
export type PriceBook = (plan: Priced) => PlanPriceInput;

/** Reads the prices for charges: frozen ones where the plan is static, else today's. */
@Injectable()
export class PlanPricer {
  constructor(private readonly products: ProductStore) {}

  /** The prices of these plans of one company, reading all their products in at most one query. */
  async bookOf(company: Id, tax_behavior: TaxBehavior, plans: readonly Priced[]): Promise<PriceBook> {
    const moving = plans.filter((plan) => plan.frozen_lines === null);
    const products = await this.productsOf(
      company,
      moving.flatMap((plan) => plan.items),
    );
    return (plan) => ({
      currency: plan.currency,
      tax_behavior,
      total_amount: plan.total_amount_computed ? null : plan.total_amount,
      items: plan.frozen_lines ?? priceLinesOf(plan.items, products, plan.currency),
    });
  }

  /** The products that these items name, including deleted ones, which existing plans keep using. */
  async productsOf(
    company: Id,
    items: readonly Pick<ItemInput, 'product' | 'sub_products'>[],
  ): Promise<ProductsById> {
    return this.products.in(company).byIds(productsOf(items));
  }
}
