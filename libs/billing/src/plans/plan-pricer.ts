import { Injectable } from '@nestjs/common';
import { ProductStore, type ProductRecord } from '@commerce/catalog';
import { mustSayVat, taxSellerOf, type CompanyRecord } from '@commerce/identity';
import type { TaxBuyer } from '@commerce/kernel';
import { distinctIds, type Id } from '@commerce/records';

import type { PlanPriceInput } from '../domain/pricing/pricing.js';
import type { PlanRecord } from './plan.record.js';
import { ownTaxedPrice, taxedPrice } from './plan-tax.js';
import { priceLinesOf, productsOf, type ItemInput } from './plan.rules.js';

/** The fields of a product that decide on a price, without those that may be large. */
const PRICED = ['currency', 'price', 'discount', 'vat', 'tax_category', 'tax_supply'] as const;
/** Those that decide whether a plan may be made, too. */
const PLANNED = [...PRICED, 'main_product', '_sub_products', 'deleted'] as const;

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
    const named = productsOf(asking.flatMap((plan) => plan.items));
    const products = await this.products.in(company).partsByIds(distinctIds(named), PRICED);
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

  /** The products that the items of a new plan name, including deleted ones. */
  async productsOf(
    company: Id,
    items: readonly Pick<ItemInput, 'product' | 'sub_products'>[],
  ): Promise<ReadonlyMap<string, Pick<ProductRecord, '_id' | (typeof PLANNED)[number]>>> {
    return this.products.in(company).partsByIds(distinctIds(productsOf(items)), PLANNED);
  }
}
