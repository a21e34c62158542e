import fc from 'fast-check';

import { toMinor, type CouponOff, type PriceLine, type PriceLinesInput } from '@commerce/kernel';

import { linesPart } from './order-breakdown.js';
import { explainLines } from './order-explanation.js';

const NAMES: Readonly<Record<string, string>> = { tea: 'Tea', cup: 'Cup' };
const nameOf = (product: string): string => NAMES[product] ?? product;
const tea: PriceLine = {
  product: 'tea',
  quantity: 2,
  price: 20,
  discount: 0.25,
  vat: 0.07,
  item_discount: 0.1,
  sub_products: [{ product: 'cup', price: 5, discount: 0, vat: 0.19 }],
};
const order: PriceLinesInput = { currency: 'EUR', tax_behavior: 'inclusive', lines: [tea] };

describe('the explanation of an order', () => {
  it('names the products, the discounts and the VAT in it', () => {
    expect(explainLines(linesPart({ ...order, coupon: { percent_off: 0.5 } }), nameOf)).toEqual({
      amount_minor: 1800,
      lines: [
        {
          label: '2 × Tea',
          amount: 36,
          note: '15.00 EUR each (20.00 EUR less 25 %), with Cup at 5.00 EUR, less 10 %',
        },
        { label: 'Coupon', amount: -18, note: '50 % of 36.00 EUR' },
        { label: 'VAT 7 %, included', amount: null, note: '0.88 EUR of 13.50 EUR' },
        { label: 'VAT 19 %, included', amount: null, note: '0.72 EUR of 4.50 EUR' },
      ],
    });
  });

  it('names the products that a coupon falls on', () => {
    const pot = { ...tea, product: 'pot', sub_products: [] };
    const input = { ...order, lines: [tea, pot], coupon: { percent_off: 0.5, products: ['tea', 'x'] } };
    const { lines, amount_minor } = explainLines(linesPart(input), nameOf);
    expect(amount_minor).toBe(4500);
    expect(lines[2]).toEqual({ label: 'Coupon', amount: -18, note: '50 % of 36.00 EUR, on Tea' });
  });

  it('shows added VAT as lines of the amount', () => {
    const { lines } = explainLines(linesPart({ ...order, tax_behavior: 'exclusive' }), nameOf);
    expect(lines.slice(1)).toEqual([
      { label: 'VAT 7 %', amount: 1.89, note: 'on 27.00 EUR' },
      { label: 'VAT 19 %', amount: 1.71, note: 'on 9.00 EUR' },
    ]);
  });

  it('has lines that add up to the amount', () => {
    const fraction = fc.constantFrom(0, 0.1, 0.25, 1 / 3, 1);
    const thing = {
      product: fc.constantFrom('tea', 'cup'),
      price: fc.constantFrom(0, 0.01, 9.99, 30),
      discount: fraction,
    };
    const line = fc.record({
      ...thing,
      vat: fc.constantFrom(0, 0.07, 0.19),
      quantity: fc.constantFrom(1, 2, 0.5, 3),
      item_discount: fraction,
      sub_products: fc.array(fc.record({ ...thing, vat: fc.constantFrom(0, 0.19) }), { maxLength: 2 }),
    });
    const coupon = fc.constantFrom<(CouponOff | null)[]>(
      null,
      { percent_off: 0.333 },
      { amount_off: 7 },
      { amount_off: 7, products: ['tea'] },
    );
    const behavior = fc.constantFrom<'inclusive' | 'exclusive'>('inclusive', 'exclusive');
    fc.assert(
      fc.property(fc.array(line, { maxLength: 4 }), coupon, behavior, (lines, off, tax_behavior) => {
        const part = linesPart({ currency: 'EUR', tax_behavior, lines, coupon: off });
        const explained = explainLines(part, nameOf);
        const sum = explained.lines.reduce((total, { amount }) => total + toMinor(amount ?? 0, 'EUR'), 0);
        expect([sum, explained.amount_minor]).toEqual([
          toMinor(part.amount, 'EUR'),
          toMinor(part.amount, 'EUR'),
        ]);
      }),
    );
  });
});
