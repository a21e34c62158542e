import { Fault, type CouponOff, type FieldError } from '@commerce/kernel';

import type { FrozenLine, FrozenThing, OrderedLine, OrderedThing, PricedOrder } from './order-pricing.js';

const CODE = 'amount.rounds_to_zero';

/**
 * Refuses an order in which rounding makes a priced item free. An amount of exactly 0 is allowed: a price of 0, a
 * discount of 1, or a coupon that takes off the whole sum.
 * @throws Fault `amount.rounds_to_zero` with one entry in `errors` for each product, line or coupon
 */
export function requireNothingRoundedAway(
  lines: readonly OrderedLine[],
  { items, amount }: PricedOrder,
  coupon: CouponOff | null,
): void {
  const errors = lines.flatMap((line, index) => lineErrors(line, items[index], `items.${String(index)}`));
  const isOwed = items.some((item) => item.amount > 0);
  if (amount === 0 && isOwed && coupon !== null && 'percent_off' in coupon && coupon.percent_off < 1) {
    errors.push(wrong('coupon', 'leaves an order that costs less than the smallest unit of its currency'));
  }
  const [first] = errors;
  if (first !== undefined) throw new Fault(CODE, first.message, { errors });
}

function lineErrors(line: OrderedLine, priced: FrozenLine | undefined, path: string): FieldError[] {
  if (priced === undefined) throw new Error('a line of an order was not priced');
  const errors = line.sub_products.flatMap((sub, index) =>
    isLost(sub, priced.sub_products[index]) ? [finalPrice(`${path}.sub_products.${String(index)}`)] : [],
  );
  if (isLost(line, priced)) errors.unshift(finalPrice(`${path}.product`));
  if (errors.length > 0) return errors;
  const isFree = line.quantity === 0 || line.item_discount === 1;
  const lost = priced.amount === 0 && !isFree && [line, ...line.sub_products].some(costs);
  return lost ? [wrong(`${path}.quantity`, 'comes to less than the smallest unit of the currency')] : [];
}

function costs({ price, discount }: OrderedThing): boolean {
  return price > 0 && discount < 1;
}

function isLost(thing: OrderedThing, priced: FrozenThing | undefined): boolean {
  return costs(thing) && priced?.final_price === 0;
}

function finalPrice(path: string): FieldError {
  return wrong(path, 'costs less than the smallest unit of its currency after its discount');
}

function wrong(path: string, reason: string): FieldError {
  return { path, code: CODE, message: `${path} ${reason}` };
}
