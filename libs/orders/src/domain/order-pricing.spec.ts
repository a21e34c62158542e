import { toMinor, type CouponOff } from '@commerce/kernel';
import fc from 'fast-check';

import { recomputeOrder } from './order-breakdown.js';
import { priceOrder, type OrderedLine, type OrderPriceInput } from './order-pricing.js';

function line(values: Partial<OrderedLine> = {}): OrderedLine {
  return {
    product: 'tea',
    name: 'Tea',
    price: 10,
    discount: 0,
    vat: 0,
    quantity: 1,
    item_discount: 0,
    sub_products: [],
    ...values,
  };
}

function order(values: Partial<OrderPriceInput> = {}): OrderPriceInput {
  return { currency: 'EUR', tax_behavior: 'inclusive', coupon: null, lines: [line()], ...values };
}

describe('the price of an order', () => {
  it('is that of each product less its discount, with its sub-products, times the quantity, less the discount of the line', () => {
    const cup = { product: 'cup', name: 'Cup', price: 2.5, discount: 0.2, vat: 0 };
    const priced = priceOrder(
      order({ lines: [line({ discount: 0.1, quantity: 3, item_discount: 0.5, sub_products: [cup] })] }),
    );
    expect(priced.items).toEqual([
      {
        product: 'tea',
        name: 'Tea',
        price: 10,
        final_price: 9,
        vat: 0,
        quantity: 3,
        discount: 0.5,
        sub_products: [{ product: 'cup', name: 'Cup', price: 2.5, final_price: 2, vat: 0 }],
        amount: 16.5,
        coupon: 0,
        total: 16.5,
      },
    ]);
    expect(priced.amount).toBe(16.5);
  });

  it('distributes an amount off over the lines by largest remainder', () => {
    const lines = [10, 20, 30].map((price) => line({ price }));
    const { items, amount } = priceOrder(order({ lines, coupon: { amount_off: 5 } }));
    expect(items.map(({ coupon }) => coupon)).toEqual([0.83, 1.67, 2.5]);
    expect(amount).toBe(55);
  });

  it('takes off no more than the sum', () => {
    expect(priceOrder(order({ coupon: { amount_off: 50 } })).amount).toBe(0);
    expect(priceOrder(order({ coupon: { percent_off: 1 } })).amount).toBe(0);
    const lines = [line({ price: 2.25, quantity: 64.22 })];
    expect(priceOrder(order({ lines, coupon: { percent_off: 1 } })).amount).toBe(0);
  });

  it('takes VAT per rate, after discounts; exclusive VAT comes on top', () => {
    const lines = [line({ price: 55.55, vat: 0.23 }), line({ price: 11.11, vat: 0.23 }), line({ vat: 0.1 })];
    const vat = (tax_behavior: 'inclusive' | 'exclusive'): unknown =>
      priceOrder(order({ lines, tax_behavior })).breakdown.parts[0]?.vat;
    expect(vat('inclusive')).toEqual([
      { rate: 0.1, net: 9.09, vat: 0.91, gross: 10 },
      { rate: 0.23, net: 54.2, vat: 12.46, gross: 66.66 },
    ]);
    expect(vat('exclusive')).toEqual([
      { rate: 0.1, net: 10, vat: 1, gross: 11 },
      { rate: 0.23, net: 66.66, vat: 15.33, gross: 81.99 },
    ]);
  });
});

describe('any order', () => {
  const fraction = fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100);
  const price = fc.integer({ min: 0, max: 500_000 }).map((cents) => cents / 100);
  const thing = fc.record({
    product: fc.constantFrom('a', 'b', 'c'),
    name: fc.constant('Thing'),
    price,
    discount: fraction,
    vat: fc.constantFrom(0, 0.07, 0.19, 0.255),
  });
  const anyLine: fc.Arbitrary<OrderedLine> = fc
    .tuple(thing, fc.integer({ min: 1, max: 400 }), fraction, fc.array(thing, { maxLength: 3 }))
    .map(([one, quarters, item_discount, sub_products]) => ({
      ...one,
      quantity: quarters / 4,
      item_discount,
      sub_products,
    }));
  const off = fc.oneof(
    fraction.map((percent_off) => ({ percent_off })),
    price.map((amount_off) => ({ amount_off })),
  );
  const only = fc.constantFrom({}, { products: ['a'] }, { products: ['b', 'c'] });
  const coupon: fc.Arbitrary<CouponOff | null> = fc.oneof(
    fc.constant(null),
    fc.tuple(off, only).map(([one, products]) => ({ ...one, ...products })),
  );
  const anyOrder = fc.record({
    currency: fc.constant('EUR'),
    tax_behavior: fc.constantFrom('inclusive' as const, 'exclusive' as const),
    coupon,
    lines: fc.array(anyLine, { minLength: 1, maxLength: 6 }),
  });
  const minor = (amount: number): number => toMinor(amount, 'EUR');
  const sum = (amounts: readonly number[]): number => amounts.reduce((a, b) => a + minor(b), 0);

  it('the shares of the coupon, and the VAT, add up; nothing is below 0', () => {
    fc.assert(
      fc.property(anyOrder, (input) => {
        const { items, amount, breakdown } = priceOrder(input);
        const [part] = breakdown.parts;
        for (const item of items) {
          expect(minor(item.amount) - minor(item.coupon)).toBe(minor(item.total));
          expect(Math.min(item.amount, item.coupon, item.total)).toBeGreaterThanOrEqual(0);
        }
        const totals = sum(items.map(({ total }) => total));
        const net = sum((part?.vat ?? []).map((rate) => rate.net));
        const gross = sum((part?.vat ?? []).map((rate) => rate.gross));
        expect(input.tax_behavior === 'inclusive' ? gross : net).toBe(totals);
        expect(minor(amount)).toBe(gross);
        expect(amount).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it('a coupon for some products is on their lines what it would be on an order of them alone', () => {
    fc.assert(
      fc.property(anyOrder, off, (input, one) => {
        const restricted = priceOrder({ ...input, coupon: { ...one, products: ['a'] } });
        const isNamed = ({ product }: { product: string }): boolean => product === 'a';
        const alone = priceOrder({ ...input, coupon: one, lines: input.lines.filter(isNamed) });
        const shares = (items: readonly { coupon: number }[]): number[] => items.map((item) => item.coupon);
        expect(shares(restricted.items.filter(isNamed))).toEqual(shares(alone.items));
        const others = restricted.items.filter((item) => !isNamed(item));
        expect(shares(others)).toEqual(others.map(() => 0));
      }),
    );
  });

  it('the amount follows from the breakdown alone, even after it was stored as JSON', () => {
    fc.assert(
      fc.property(anyOrder, (input) => {
        const { amount, breakdown } = priceOrder(input);
        const stored = JSON.parse(JSON.stringify(breakdown)) as typeof breakdown;
        expect(recomputeOrder(stored)).toBe(minor(amount));
        expect(stored).toEqual(breakdown);
      }),
    );
  });
});
