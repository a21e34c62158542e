import {
  priceLines,
  toMajor,
  vatLines,
  type AmountBreakdown,
  type PriceLinesInput,
  type RoundingStep,
  type VatLine,
} from '@commerce/kernel';

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
