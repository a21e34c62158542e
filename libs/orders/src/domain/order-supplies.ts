import {
  minorStep,
  multiplyRatio,
  priceLines,
  ratio,
  ratioOfDecimal,
  roundMoney,
  splitByWeights,
  taxOfRate,
  toMinor,
  type PriceLine,
  type PricedLines,
  type ProductName,
  type Supply,
} from '@commerce/kernel';

import type { OrderBreakdown } from './order-breakdown.js';

/** A product of a line, and the part of the line's total that is its own. */
interface Part {
  readonly product: string;
  readonly rate: number;
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
  const parts = things.map(({ product, vat, price }, at): Part => {
    return { product, rate: vat, price_minor: toMinor(price, currency), total_minor: totals[at] ?? 0 };
  });
  const rates = [...new Set(parts.map(({ rate }) => rate))];
  return rates.map((rate) => {
    const same = parts.filter((part) => part.rate === rate);
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
      tax: taxOfRate(rate),
    };
  });
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((all, one) => all + one, 0);
}
