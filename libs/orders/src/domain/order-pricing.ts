import {
  breakdownOf,
  finalPriceMinor,
  toMajor,
  type CouponOff,
  type PriceLine,
  type PricedThing,
  type TaxBehavior,
} from '@commerce/kernel';

import { linesPart, type OrderBreakdown } from './order-breakdown.js';

/** A product with its current name and prices. */
export interface OrderedThing extends PricedThing {
  readonly name: string;
}

/** One line of an order before it is priced. */
export interface OrderedLine extends OrderedThing {
  readonly quantity: number;
  readonly item_discount: number;
  readonly sub_products: readonly OrderedThing[];
}

export interface OrderPriceInput {
  readonly currency: string;
  readonly tax_behavior: TaxBehavior;
  readonly coupon: CouponOff | null;
  readonly lines: readonly OrderedLine[];
}

/** A product at the price that the order keeps. Amounts in major units. */
export interface FrozenThing<P = string> {
  readonly product: P;
  readonly name: string;
  readonly price: number;
  readonly final_price: number;
  readonly vat: number;
}

/** A priced line; `amount` is before the coupon, `total` after it. VAT comes on top where tax is exclusive. */
export interface FrozenLine extends FrozenThing {
  readonly quantity: number;
  readonly discount: number;
  readonly sub_products: readonly FrozenThing[];
  readonly amount: number;
  readonly coupon: number;
  readonly total: number;
}

export interface PricedOrder {
  readonly amount: number;
  readonly items: readonly FrozenLine[];
  readonly breakdown: OrderBreakdown;
}

/**
 * Prices an order; `recomputeOrder` gives the same amount from the breakdown alone.
 * @throws Faults of `priceLines`
 */
export function priceOrder({ currency, tax_behavior, coupon, lines }: OrderPriceInput): PricedOrder {
  const part = linesPart({ currency, tax_behavior, coupon, lines: lines.map(priceLineOf) });
  const breakdown = breakdownOf(currency, [part]);
  const items = lines.map((line, index): FrozenLine => {
    const priced = part.lines[index];
    if (priced === undefined) throw new Error('a line of an order was not priced');
    return {
      ...frozen(line, currency),
      quantity: line.quantity,
      discount: line.item_discount,
      sub_products: line.sub_products.map((sub) => frozen(sub, currency)),
      amount: priced.amount,
      coupon: priced.coupon,
      total: priced.total,
    };
  });
  return { amount: breakdown.amount, items, breakdown };
}

function priceLineOf({ quantity, item_discount, sub_products, ...thing }: OrderedLine): PriceLine {
  return { ...unnamed(thing), quantity, item_discount, sub_products: sub_products.map(unnamed) };
}

/** The fields of a product that the breakdown keeps, from which its price follows. */
function unnamed({ product, price, discount, vat, tax }: OrderedThing): PricedThing {
  return { product, price, discount, vat, ...(tax === undefined ? {} : { tax }) };
}

function frozen({ product, name, price, discount, vat }: OrderedThing, currency: string): FrozenThing {
  const final_price = toMajor(finalPriceMinor(price, discount, currency), currency);
  return { product, name, price, final_price, vat };
}
