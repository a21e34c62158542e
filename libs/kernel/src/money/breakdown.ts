import { toMajor, toMinor, type RoundingStep } from './money.js';
import { vatLines, type VatLine } from './vat.js';
import { priceLines, type PriceLinesInput } from './pricing.js';

/**
 * How an amount was computed, stored with its payment so that anyone can check the charge: the parts that it is the
 * sum of, each with its inputs and roundings. Plain JSON; amounts are decimals in major units.
 */
export interface AmountBreakdown<P extends { readonly amount: number }> {
  readonly currency: string;
  readonly amount: number;
  readonly parts: readonly P[];
}

/** An order's lines, coupon and VAT. */
export interface LinesPart {
  readonly kind: 'lines';
  readonly amount: number;
  readonly input: PriceLinesInput;
  readonly lines: readonly {
    readonly product: string;
    readonly quantity: number;
    readonly final_price: number;
    readonly amount: number;
    readonly coupon: number;
    readonly total: number;
  }[];
  readonly vat: readonly VatLine[];
  readonly steps: readonly RoundingStep[];
}

/** The breakdown of an order's payment. */
export type OrderBreakdown = AmountBreakdown<LinesPart>;

/** The breakdown of the sum of the parts. */
export function breakdownOf<P extends { readonly amount: number }>(
  currency: string,
  parts: readonly P[],
): AmountBreakdown<P> {
  const minor = parts.reduce((sum, { amount }) => sum + toMinor(amount, currency), 0);
  return { currency, amount: toMajor(minor, currency), parts };
}

/** Prices the lines and keeps the inputs. */
export function linesPart(input: PriceLinesInput): LinesPart {
  const { currency } = input;
  const priced = priceLines(input);
  return {
    kind: 'lines',
    amount: toMajor(priced.total_minor, currency),
    input,
    lines: priced.lines.map((line) => ({
      product: line.product,
      quantity: line.quantity,
      final_price: toMajor(line.final_price_minor, currency),
      amount: toMajor(line.amount_minor, currency),
      coupon: toMajor(line.coupon_minor, currency),
      total: toMajor(line.total_minor, currency),
    })),
    vat: vatLines(priced.vat, currency),
    steps: priced.steps,
  };
}

/** An order's amount in minor units, recomputed from the inputs alone. */
export function recomputeOrder(breakdown: OrderBreakdown): number {
  return breakdown.parts.reduce((sum, part) => sum + priceLines(part.input).total_minor, 0);
}
