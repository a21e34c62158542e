import { priceLines, type PriceLine, type PricedLines, type TaxBehavior } from '@commerce/kernel';

/** What the price of a plan is made of: `total_amount` (major units) where it is set, else its items. */
export interface PlanPriceInput {
  readonly currency: string;
  readonly tax_behavior: TaxBehavior;
  readonly total_amount: number | null;
  readonly items: readonly PriceLine[];
}

/** Price of one interval unit. `computed` is true when the items made it. `priced` is null for a plan without items. */
export interface PlanPrice {
  readonly price_minor: number;
  readonly computed: boolean;
  readonly priced: PricedLines | null;
}

export function planPrice(input: PlanPriceInput): PlanPrice {
  const priced = priceLines({
    currency: input.currency,
    tax_behavior: input.tax_behavior,
    lines: input.items,
  });
  return { price_minor: priced.total_minor, computed: true, priced };
}
