import { breakdownOf, priceLines, toMajor } from '@commerce/kernel';
import fc from 'fast-check';

import { linesPart, recomputeOrder } from './order-breakdown.js';
import { suppliesOfOrder } from './order-supplies.js';

describe('the breakdown of an order', () => {
  const fractions = fc.integer({ min: 0, max: 100 }).map((n) => n / 100);
  const currency = fc.constantFrom('EUR', 'JPY', 'KWD');
  const thing = (of: string) =>
    fc.record({
      product: fc.constant('p'),
      price: fc.integer({ min: 0, max: 100_000 }).map((n) => toMajor(of === 'KWD' ? n * 10 : n, of)),
      discount: fractions,
      vat: fc.constantFrom(0, 0.06, 0.1, 0.13, 0.24),
    });
  const order = currency.chain((of) =>
    fc.record({
      currency: fc.constant(of),
      tax_behavior: fc.constantFrom('inclusive' as const, 'exclusive' as const),
      lines: fc.array(
        fc
          .tuple(
            thing(of),
            fractions,
            fc.array(thing(of), { maxLength: 3 }),
            fc.integer({ min: 0, max: 400 }),
          )
          .map(([main, item_discount, sub_products, quarters]) => ({
            ...main,
            item_discount,
            sub_products,
            quantity: quarters / 4,
          })),
        { maxLength: 5 },
      ),
      coupon: fc.oneof(
        fc.constant(null),
        fractions.map((percent_off) => ({ percent_off })),
        fc.integer({ min: 0, max: 500 }).map((amount_off) => ({ amount_off })),
      ),
    }),
  );

  it('adds up, and yields the same amount after a round trip through JSON', () => {
    fc.assert(
      fc.property(order, (input) => {
        const priced = priceLines(input);
        const step = input.currency === 'KWD' ? 10 : 1;
        expect(priced.lines.reduce((sum, each) => sum + each.coupon_minor, 0)).toBe(priced.coupon_minor);
        expect(priced.subtotal_minor - priced.coupon_minor).toBe(
          priced.vat.reduce(
            (sum, { gross_minor, net_minor }) =>
              sum + (input.tax_behavior === 'inclusive' ? gross_minor : net_minor),
            0,
          ),
        );
        for (const { net_minor, vat_minor, gross_minor } of priced.vat) {
          expect(net_minor + vat_minor).toBe(gross_minor);
          expect(Math.min(net_minor, vat_minor)).toBeGreaterThanOrEqual(0);
        }
        for (const each of priced.lines) {
          expect(each.total_minor).toBeGreaterThanOrEqual(0);
          expect(each.total_minor % step).toBe(0);
        }
        const breakdown = breakdownOf(input.currency, [linesPart(input)]);
        expect(breakdown.amount).toBe(toMajor(priced.total_minor, input.currency));
        const stored = JSON.parse(JSON.stringify(breakdown)) as typeof breakdown;
        expect(recomputeOrder(stored)).toBe(priced.total_minor);
      }),
    );
  });

  it('is divided into supplies that add up to the amount at each rate', () => {
    fc.assert(
      fc.property(order, (input) => {
        const supplies = suppliesOfOrder(breakdownOf(input.currency, [linesPart(input)]), (id) => id);
        const { vat } = priceLines(input);
        for (const { rate, net_minor, gross_minor } of vat) {
          const own = supplies.filter(({ tax }) => tax.rate === rate);
          const sum = own.reduce((all, { total_minor }) => all + total_minor, 0);
          expect(sum).toBe(input.tax_behavior === 'inclusive' ? gross_minor : net_minor);
        }
        expect(new Set(supplies.map(({ tax }) => tax.rate))).toEqual(new Set(vat.map(({ rate }) => rate)));
        for (const { subtotal_minor, total_minor } of supplies)
          expect(subtotal_minor).toBeGreaterThanOrEqual(total_minor);
      }),
    );
  });
});
