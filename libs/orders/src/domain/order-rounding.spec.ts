import { isFault, type CouponOff } from '@commerce/kernel';
import fc from 'fast-check';

import { priceOrder, type OrderedLine, type OrderedThing } from './order-pricing.js';
import { requireNothingRoundedAway } from './order-rounding.js';

const MUG: OrderedThing = { product: 'mug', name: 'Mug', price: 10, discount: 0, vat: 0.19 };

function line(values: Partial<OrderedLine> = {}): OrderedLine {
  return { ...MUG, quantity: 1, item_discount: 0, sub_products: [], ...values };
}

function refused(lines: readonly OrderedLine[], coupon: CouponOff | null, currency = 'EUR'): string[] {
  try {
    const priced = priceOrder({ currency, tax_behavior: 'inclusive', coupon, lines });
    requireNothingRoundedAway(lines, priced, coupon);
    return [];
  } catch (error) {
    if (!isFault(error, 'amount.rounds_to_zero')) throw error;
    return (error.details.errors ?? []).map(({ path }) => path);
  }
}

describe('an amount that rounding would give away', () => {
  const crumb: OrderedThing = { ...MUG, price: 0.01, discount: 0.6 };

  it.each<[string, OrderedLine[], CouponOff | null, string[]]>([
    ['a part of a product', [line(), line({ quantity: 0.0001 })], null, ['items.1.quantity']],
    ['a discount of the line', [line({ price: 0.01, item_discount: 0.9 })], null, ['items.0.quantity']],
    ['a product', [line(crumb), line()], null, ['items.0.product']],
    ['a sub-product', [line({ sub_products: [MUG, crumb] })], null, ['items.0.sub_products.1']],
    [
      'a line of sub-products',
      [line({ price: 0, quantity: 0.0001, sub_products: [MUG] })],
      null,
      ['items.0.quantity'],
    ],
    ['a coupon', [line({ price: 0.1 })], { percent_off: 0.9999 }, ['coupon']],
  ])('is refused: %s', (_, lines, coupon, expected) => {
    expect(refused(lines, coupon)).toEqual(expected);
  });

  it('is refused in the steps of the currency', () => {
    expect(refused([line({ price: 0.01, quantity: 0.4 })], null, 'KWD')).toEqual(['items.0.quantity']);
    expect(refused([line({ price: 0.01, quantity: 0.5 })], null, 'KWD')).toEqual([]);
    expect(refused([line({ price: 1, quantity: 0.4 })], null, 'JPY')).toEqual(['items.0.quantity']);
  });
});

describe('a free order', () => {
  it.each<[string, OrderedLine[], CouponOff | null]>([
    ['a price of 0', [line({ price: 0 })], null],
    ['a discount of 1', [line({ discount: 1 })], null],
    ['a discount of 1 on the line', [line({ item_discount: 1 })], null],
    ['a coupon of 1', [line()], { percent_off: 1 }],
    ['a coupon of the sum', [line()], { amount_off: 10 }],
    ['a coupon of more than the sum', [line({ quantity: 1.0004 })], { amount_off: 50 }],
    ['nothing that a coupon is taken off', [line({ price: 0 })], { percent_off: 0.5 }],
  ])('stays free: %s', (_, lines, coupon) => {
    expect(refused(lines, coupon)).toEqual([]);
  });

  it('is never free by rounding', () => {
    const fraction = fc.constantFrom(0, 0.5, 0.999, 0.9999, 1);
    const anyLine = fc
      .record({
        price: fc.integer({ min: 0, max: 300 }).map((cents) => cents / 100),
        discount: fraction,
        quantity: fc.constantFrom(0.0001, 0.01, 0.5, 1, 3),
        item_discount: fraction,
      })
      .map((values) => line(values));
    const anyCoupon = fc.oneof(
      fc.constant(null),
      fraction.map((percent_off) => ({ percent_off })),
    );
    const owed = ({ price, discount, quantity, item_discount }: OrderedLine): number =>
      price * (1 - discount) * quantity * (1 - item_discount);
    fc.assert(
      fc.property(fc.array(anyLine, { minLength: 1, maxLength: 4 }), anyCoupon, (lines, coupon) => {
        const { amount } = priceOrder({ currency: 'EUR', tax_behavior: 'inclusive', coupon, lines });
        if (amount > 0 || refused(lines, coupon).length > 0) return;
        expect(lines.every((one) => owed(one) === 0) || coupon?.percent_off === 1).toBe(true);
      }),
    );
  });
});
