import { minorStep } from '../money/currency.js';
import { fault } from '../faults/fault.js';
import { MAX_MINOR, roundInto, toMinor, type RoundingStep } from '../money/money.js';
import type { TaxBasis, TaxShare } from './supply.js';
import { addVat, type TaxBehavior, type VatMinor } from './vat.js';
import {
  addRatio,
  multiplyRatio,
  ONE,
  ratio,
  ratioOfDecimal,
  subtractRatio,
  type Ratio,
} from '../money/ratio.js';
import { splitByWeights } from '../money/split.js';

/** The price of a product: `price` in major units, `discount` and `vat` fractions from 0 to 1. */
export interface PricedThing {
  readonly product: string;
  readonly price: number;
  readonly discount: number;
  readonly vat: number;
  /** The basis of a decided rate; absent where the rate is set by hand. */
  readonly tax?: TaxBasis;
}

export interface PriceLine extends PricedThing {
  readonly quantity: number;
  /** The discount of the plan item or order line, on top of those of the products. */
  readonly item_discount: number;
  readonly sub_products: readonly PricedThing[];
}

/** `amount_off` in major units of the same currency. */
export type CouponOff = ({ readonly percent_off: number } | { readonly amount_off: number }) & {
  /** The coupon falls on the lines of these products only; on all lines where it names none. */
  readonly products?: readonly string[] | null;
};

/** Plain JSON: stored with a payment, it suffices to recompute the amount. */
export interface PriceLinesInput {
  readonly currency: string;
  readonly tax_behavior: TaxBehavior;
  readonly lines: readonly PriceLine[];
  readonly coupon?: CouponOff | null;
}

export interface PricedLine {
  readonly product: string;
  readonly quantity: number;
  readonly final_price_minor: number;
  readonly sub_products: readonly { readonly product: string; readonly final_price_minor: number }[];
  /** After the item discount, before the coupon. */
  readonly amount_minor: number;
  /** This line's share of the coupon's discount, 0 or more. */
  readonly coupon_minor: number;
  /** amount_minor - coupon_minor; before VAT when tax is exclusive. */
  readonly total_minor: number;
}

export interface PricedLines {
  readonly currency: string;
  /** The sum of the lines before the coupon. */
  readonly subtotal_minor: number;
  readonly coupon_minor: number;
  /** The amount to pay, including VAT. */
  readonly total_minor: number;
  readonly lines: readonly PricedLine[];
  /** One entry per rate, in ascending order; the gross amounts add up to the total. */
  readonly vat: readonly VatMinor[];
  readonly steps: readonly RoundingStep[];
}

/** A priced line and its VAT rates, with the weights by which its total is split among them. */
export interface LineWithRates {
  readonly line: PricedLine;
  readonly rates: readonly TaxShare[];
}

/**
 * Prices an order, or one unit of a plan, and rounds after each of these steps: (1) the final price of each product,
 * (2) the line with its sub-products and item discount, (3) the coupon on the sum of its lines, distributed over them,
 * (4) VAT per rate on the rest.
 * @throws Fault those of `toMinor`, `fraction.out_of_range`, `quantity.invalid`
 */
export function priceLines(input: PriceLinesInput): PricedLines {
  const { currency } = input;
  const steps: RoundingStep[] = [];
  const priced = input.lines.map((line) => priceLine(line, currency, steps));
  const subtotal = sum(priced.map(({ line }) => line.amount_minor));
  const lines = lessCoupon(priced, input.coupon ?? null, currency, steps);
  const vat = addVat(amountsByRate(lines, currency), input.tax_behavior, currency, steps);
  return {
    currency,
    subtotal_minor: subtotal,
    coupon_minor: sum(lines.map(({ line }) => line.coupon_minor)),
    total_minor: sum(vat.map((rate) => rate.gross_minor)),
    lines: lines.map(({ line }) => line),
    vat,
    steps,
  };
}

/** Whether a coupon falls on the lines of a product; the sub-products of a line go with it. */
export function couponFallsOn(coupon: CouponOff | null, product: string): boolean {
  return coupon?.products?.includes(product) ?? true;
}

/** The lines less their shares of the coupon, in proportion to the amounts of those that it falls on. */
export function lessCoupon(
  lines: readonly LineWithRates[],
  coupon: CouponOff | null,
  currency: string,
  steps: RoundingStep[],
): LineWithRates[] {
  const weights = lines.map(({ line }) => (couponFallsOn(coupon, line.product) ? line.amount_minor : 0));
  const off = couponOff(coupon, sum(weights), currency, steps);
  const shares = splitByWeights(off, weights, minorStep(currency));
  return lines.map(({ line, rates }, index) => {
    const share = shares[index] ?? 0;
    return { rates, line: { ...line, coupon_minor: share, total_minor: line.amount_minor - share } };
  });
}

/** A product's final_price in minor units: the price less the discount, rounded. */
export function finalPriceMinor(price: number, discount: number, currency: string): number {
  return finalPrice({ product: '', price, discount, vat: 0 }, currency, []);
}

function finalPrice(thing: PricedThing, currency: string, steps: RoundingStep[]): number {
  const price = ratio(notNegative(toMinor(thing.price, currency)));
  const exact = multiplyRatio(price, subtractRatio(ONE, fraction(thing.discount, 'discount')));
  return roundInto(steps, 'price.final', exact, currency, thing.product);
}

/** A line before coupon and VAT. */
export function priceLine(line: PriceLine, currency: string, steps: RoundingStep[]): LineWithRates {
  const main = finalPrice(line, currency, steps);
  const subs = line.sub_products.map((sub) => ({
    product: sub.product,
    final_price_minor: finalPrice(sub, currency, steps),
  }));
  const each = addRatio(ratio(main), ratio(sum(subs.map((sub) => sub.final_price_minor))));
  const undiscounted = multiplyRatio(quantityOf(line), each);
  const exact = multiplyRatio(
    undiscounted,
    subtractRatio(ONE, fraction(line.item_discount, 'item_discount')),
  );
  const amount = roundInto(steps, 'price.line', exact, currency, line.product);
  return {
    line: {
      product: line.product,
      quantity: line.quantity,
      final_price_minor: main,
      sub_products: subs,
      amount_minor: amount,
      coupon_minor: 0,
      total_minor: amount,
    },
    rates: [
      shareOfThing(line, main),
      ...line.sub_products.map((sub, i) => shareOfThing(sub, subs[i]?.final_price_minor ?? 0)),
    ],
  };
}

function shareOfThing({ vat: rate, tax }: PricedThing, weight: number): TaxShare {
  return tax === undefined ? { rate, weight } : { rate, tax, weight };
}

function couponOff(
  coupon: CouponOff | null,
  subtotal: number,
  currency: string,
  steps: RoundingStep[],
): number {
  if (coupon === null) return 0;
  if ('percent_off' in coupon) {
    const exact = multiplyRatio(ratio(subtotal), fraction(coupon.percent_off, 'percent_off'));
    return roundInto(steps, 'coupon.percent_off', exact, currency);
  }
  return Math.min(subtotal, notNegative(toMinor(coupon.amount_off, currency)));
}

/** The amounts charged at the rates of the lines. A line with several rates is split by their weights. */
export function amountsByRate(lines: readonly LineWithRates[], currency: string): TaxShare[] {
  return lines.flatMap(({ line, rates }) => {
    if (rates.length === 0) return [];
    const weights = rates.map(({ weight }) => weight);
    const parts = splitByWeights(line.total_minor, weights, minorStep(currency));
    return rates.map((share, index) => ({ ...share, weight: parts[index] ?? 0 }));
  });
}

function quantityOf({ quantity }: PriceLine): Ratio {
  if (!(quantity >= 0 && quantity < Infinity)) {
    throw fault('quantity.invalid', 'A quantity must be a finite number of 0 or more', { quantity });
  }
  return ratioOfDecimal(quantity);
}

function fraction(value: number, field: string): Ratio {
  if (!(value >= 0 && value <= 1)) {
    throw fault('fraction.out_of_range', `${field} must be a fraction from 0 to 1`, { field, value });
  }
  return ratioOfDecimal(value);
}

function notNegative(minor: number): number {
  if (minor < 0) throw fault('amount.invalid', 'A price must be 0 or more');
  return minor;
}

export function sum(amounts: readonly number[]): number {
  const total = amounts.reduce((a, b) => a + b, 0);
  if (total > MAX_MINOR) throw fault('amount.invalid', 'The amount is too large');
  return total;
}
