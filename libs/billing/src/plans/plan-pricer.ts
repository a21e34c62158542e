import { Injectable } from '@nestjs/common';
import { ProductStore, type ProductRecord } from '@commerce/catalog';
import { mustSayVat, taxSellerOf, type CompanyRecord } from '@commerce/identity';
import type { TaxBuyer } from '@commerce/kernel';
import type { Id } from '@commerce/records';

import type { PlanPriceInput } from '../domain/pricing/pricing.js';
import type { PlanRecord } from './plan.record.js';
import { ownTaxedPrice, taxedPrice } from './plan-tax.js';
import { priceLinesOf, productsOf, type ItemInput, type ProductsById } from './plan.rules.js';

type Priced = Pick<
  PlanRecord,
  | '_id'
  | 'currency'
  | 'items'
  | 'total_amount'
  | 'total_amount_computed'
  | 'vat'
  | 'tax_category'
  | 'frozen_lines'
>;

/** The company's settings that affect prices. */
export type PriceSettings = Pick<CompanyRecord, 'tax_behavior' | 'tax' | 'seller' | 'timezone'>;

/** The customer, and the start of the period that is charged, where tax is decided by them. */
export interface Charged {
  readonly buyer: TaxBuyer;
  readonly at: Date;
}

/**
 * Returns the inputs of a plan's price.
 * @throws Fault `product.unknown` or `product.currency_changed` where a product of the plan can no longer be priced
 */
export type PriceBook = (plan: Priced, charged: Charged) => PlanPriceInput;

/** Reads the prices for charges: frozen ones where the plan is static, else today's. */
@Injectable()
export class PlanPricer {
  constructor(private readonly products: ProductStore) {}

  /** The prices of these plans of one company, reading all their products in at most one query. */
  async bookOf(company: Id, settings: PriceSettings, plans: readonly Priced[]): Promise<PriceBook> {
    const { tax_behavior } = settings;
    const seller = taxSellerOf(settings);
    const mustSay = mustSayVat(settings);
    // A static plan keeps its prices; the tax category of its products is that of today.
    const asking = seller === null ? plans.filter((plan) => plan.frozen_lines === null) : plans;
    const products = await this.productsOf(
      company,
      asking.flatMap((plan) => plan.items),
    );
    return (plan, charged) => {
      const input = {
        currency: plan.currency,
        tax_behavior,
        total_amount: plan.total_amount_computed ? null : plan.total_amount,
        items: plan.frozen_lines ?? priceLinesOf(plan.items, products, plan.currency),
      };
      return seller === null
        ? ownTaxedPrice(input, plan, mustSay)
        : taxedPrice(input, { products, tax_category: plan.tax_category }, { seller, ...charged });
    };
  }

  /** The products that these items name, including deleted ones, which existing plans keep using. */
  async productsOf(
    company: Id,
    items: readonly Pick<ItemInput, 'product' | 'sub_products'>[],
  ): Promise<ProductsById & ReadonlyMap<string, ProductRecord>> {
    return this.products.in(company).byIds(productsOf(items));
  }
}
