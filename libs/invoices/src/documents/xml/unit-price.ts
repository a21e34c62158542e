import {
  compareRatio,
  divideRatio,
  multiplyRatio,
  ratio,
  ratioOfDecimal,
  subtractRatio,
  type Ratio,
} from '@commerce/kernel';

import type { InvoiceContent, InvoiceLine } from '../../content/invoice-content.js';

/** The net price of so many; the amount of a line before its discount is the quantity × price / base. */
export interface UnitPrice {
  /** 0 or more; the quantity of a line that credits is negative instead. */
  readonly price: Ratio;
  readonly base: Ratio;
}

const ONE = ratio(1);
/** Receivers read prices with so many decimals. */
const PRICE_STEPS = ratio(1_000_000);
const HALF_A_CENT = ratio(5, 1000);

/**
 * The price as it was agreed, where it is without VAT and comes to the amount when rounded; else the amount divided by
 * the quantity, and where that is no short decimal, the price of the whole quantity.
 */
export function unitPriceOf(
  { quantity, unit_price, subtotal }: Pick<InvoiceLine, 'quantity' | 'unit_price' | 'subtotal'>,
  prices: InvoiceContent['prices'],
): UnitPrice {
  const count = ratioOfDecimal(quantity);
  const amount = ratioOfDecimal(Math.abs(subtotal));
  if (prices === 'exclusive' && unit_price !== null) {
    const agreed = ratioOfDecimal(Math.abs(unit_price));
    if (isNear(multiplyRatio(agreed, count), amount)) return { price: agreed, base: ONE };
  }
  const price = divideRatio(amount, count);
  const isShort = multiplyRatio(price, PRICE_STEPS).d === 1n;
  return isShort ? { price, base: ONE } : { price: amount, base: count };
}

function isNear(a: Ratio, b: Ratio): boolean {
  const difference = subtractRatio(a, b);
  const { n, d } = difference;
  return compareRatio({ n: n < 0n ? -n : n, d }, HALF_A_CENT) <= 0;
}
