import {
  minorStep,
  multiplyRatio,
  priceLines,
  ratio,
  ratioOfDecimal,
  roundMoney,
  splitByWeights,
  taxGroupOf,
  taxOfRate,
  toMinor,
  type PriceLine,
  type PricedLines,
  type ProductName,
  type Supply,
  type SupplyTax,
} from '@commerce/kernel';

import type { OrderBreakdown } from './order-breakdown.js';

/** A product of a line, and the part of the line's total that is its own. */
interface Part {
  readonly product: string;
  readonly tax: SupplyTax;
  /** Names the VAT group. */
  readonly group: string;
  readonly price_minor: number;
  readonly total_minor: number;
}

/** The supplies of an order: one for each line and rate, with the amounts of its breakdown. */
export function suppliesOfOrder({ parts }: OrderBreakdown, nameOf: ProductName): Supply[] {
  return parts.flatMap(({ input }) => {
    const priced = priceLines(input);
    return input.lines.flatMap((line, index) => suppliesOfLine(line, index, priced, nameOf));
  });
}

function suppliesOfLine(
  input: PriceLine,
  index: number,
  { lines, currency }: PricedLines,
  nameOf: ProductName,
): Supply[] {
  const line = lines[index];
  if (line === undefined) throw new RangeError('a line of an order was not priced');
  const things = [input, ...input.sub_products];
  const weights = [line, ...line.sub_products].map(({ final_price_minor }) => final_price_minor);
  const totals = splitByWeights(line.total_minor, weights, minorStep(currency));
  const parts = things.map(({ product, vat: rate, tax, price }, at): Part => {
    const taxed = { tax: taxOfRate(rate, tax), group: taxGroupOf({ rate, tax }) };
    return { product, ...taxed, price_minor: toMinor(price, currency), total_minor: totals[at] ?? 0 };
  });
  const groups = [...new Map(parts.map(({ group, tax }) => [group, tax]))];
  return groups.map(([group, tax]) => {
    const same = parts.filter((part) => part.group === group);
    const unit_minor = sum(same.map(({ price_minor }) => price_minor));
    const exact = multiplyRatio(ratioOfDecimal(input.quantity), ratio(unit_minor));
    const total_minor = sum(same.map((part) => part.total_minor));
    return {
      name: same.map(({ product }) => nameOf(product)).join(' + '),
      reason: null,
      share: null,
      period: null,
      quantity: input.quantity,
      unit_minor,
      subtotal_minor: Math.max(total_minor, roundMoney(exact, currency)),
      total_minor,
      tax,
    };
  });
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((all, one) => all + one, 0);
}
