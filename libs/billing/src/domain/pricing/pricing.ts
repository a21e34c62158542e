import {
  addRatio,
  priceLines,
  ratioOfDecimal,
  toMinor,
  ZERO,
  type PricedLines,
  type PriceLine,
  type RoundingStep,
  type TaxBehavior,
} from '@commerce/kernel';

/** The inputs of a plan's price: `total_amount` (major units) where it is set, else its items. Plain JSON. */
export interface PlanPriceInput {
  readonly currency: string;
  readonly tax_behavior: TaxBehavior;
  readonly total_amount: number | null;
  readonly items: readonly PriceLine[];
}

/** Price of one interval unit, VAT included. */
export interface PlanPrice {
  readonly price_minor: number;
  /** True when the price is the sum of the items (total_amount_computed in the reply). */
  readonly computed: boolean;
  /** The items priced; their rates also divide a price set by hand among the VAT rates. Null without items. */
  readonly priced: PricedLines | null;
  readonly steps: readonly RoundingStep[];
}

/** @throws Faults of `toMinor` and `priceLines` */
export function planPrice(input: PlanPriceInput): PlanPrice {
  const { currency, tax_behavior, total_amount, items } = input;
  const priced = items.length === 0 ? null : priceLines({ currency, tax_behavior, lines: items });
  return total_amount === null
    ? { price_minor: priced?.total_minor ?? 0, computed: true, priced, steps: priced?.steps ?? [] }
    : { price_minor: toMinor(total_amount, currency), computed: false, priced, steps: [] };
}

/** `units` of a plan: the quantities of its items added up as decimals, so that 0.1 + 0.2 is 0.3. */
export function unitsOf(items: readonly { readonly quantity: number }[]): number {
  const { n, d } = items.reduce((sum, { quantity }) => addRatio(sum, ratioOfDecimal(quantity)), ZERO);
  return Number(n) / Number(d);
}
