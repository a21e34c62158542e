/** How prices relate to VAT: they include it, or it is added to them. */
export type TaxBehavior = 'inclusive' | 'exclusive';

/** One rounding, for whoever checks a charge. `exact` is a fraction `n/d` or an integer, `rounded` a decimal; both in major units. */
export interface RoundingStep {
  readonly rule: string;
  readonly exact: string;
  readonly rounded: number;
}

/** Something with a price: `price` in major units, `discount` and `vat` fractions 0 to 1. */
export interface PricedThing {
  readonly product: string;
  readonly price: number;
  readonly discount: number;
  readonly vat: number;
}

export interface PriceLine extends PricedThing {
  readonly quantity: number;
  /** Discount of the plan item or order line, on top of the product's own. */
  readonly item_discount: number;
  readonly sub_products: readonly PricedThing[];
}

/** `amount_off` in major units. */
export type CouponOff = { readonly percent_off: number } | { readonly amount_off: number };

export interface PriceLinesInput {
  readonly currency: string;
  readonly tax_behavior: TaxBehavior;
  readonly lines: readonly PriceLine[];
  readonly coupon?: CouponOff | null;
}

/** VAT of one rate, in major units for storing and showing. */
export interface VatLine {
  readonly rate: number;
  readonly net: number;
  readonly vat: number;
  readonly gross: number;
}

export interface VatMinor {
  readonly rate: number;
  readonly net_minor: number;
  readonly vat_minor: number;
  readonly gross_minor: number;
}

export interface PricedLine {
  readonly product: string;
  readonly quantity: number;
  readonly final_price_minor: number;
  readonly sub_products: readonly { readonly product: string; readonly final_price_minor: number }[];
  /** After the item discount, before the coupon. */
  readonly amount_minor: number;
  /** This line's share of the coupon, 0 or more. */
  readonly coupon_minor: number;
  /** amount_minor - coupon_minor; without VAT where tax is exclusive. */
  readonly total_minor: number;
}

export interface PricedLines {
  readonly currency: string;
  /** Sum of the lines before the coupon. */
  readonly subtotal_minor: number;
  readonly coupon_minor: number;
  /** What is to be paid, VAT included. */
  readonly total_minor: number;
  readonly lines: readonly PricedLine[];
  readonly vat: readonly VatMinor[];
  readonly steps: readonly RoundingStep[];
}

export function priceLines(input: PriceLinesInput): PricedLines {
  throw new Error(`not yet ${input.currency}`);
}

/** final_price of a product, in minor units. */
export function finalPriceMinor(price: number, discount: number, currency: string): number {
  throw new Error(`not yet ${price} ${discount} ${currency}`);
}
