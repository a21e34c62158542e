import fc from 'fast-check';

import { priceDiscounted, vatOnTotal, type DiscountedPriceInput } from './discounted-price.js';
import { toMinor } from '../money/money.js';
import { priceLines, type CouponOff, type PriceLine } from './pricing.js';

const line = (over: Partial<PriceLine> = {}): PriceLine => ({
  product: 'seat',
  quantity: 1,
  price: 10,
  discount: 0,
  vat: 0,
  item_discount: 0,
  sub_products: [],
  ...over,
});
const price = (coupon: CouponOff, over: Partial<DiscountedPriceInput> = {}) =>
  priceDiscounted({
    currency: 'EUR',
    tax_behavior: 'inclusive',
    lines: [line()],
    total_amount: null,
    quantity: 1,
    ...over,
    coupon,
  });

const SUPPORT = line({ product: 'support', price: 30, vat: 0.07 });
const SEAT = line({ product: 'seat', price: 10, vat: 0.19 });

describe('the price of a plan less a coupon', () => {
  it('is a part of it, or what an amount leaves of it', () => {
    expect(price({ percent_off: 0.1 }, { total_amount: 29.9, lines: [] })).toMatchObject({
      subtotal_minor: 2990,
      coupon_minor: 299,
      total_minor: 2691,
      vat: [],
    });
    expect(price({ amount_off: 5 }, { lines: [line({ price: 3 })] })).toMatchObject({
      coupon_minor: 300,
      total_minor: 0,
    });
  });

  it('takes an amount off the whole quantity once, and a part of all of it', () => {
    expect(price({ amount_off: 5 }, { quantity: 3 }).total_minor).toBe(2500);
    // Rounded for one, 10 % of 0.03 would be nothing.
    expect(price({ percent_off: 0.1 }, { quantity: 1000, lines: [line({ price: 0.03 })] }).total_minor).toBe(
      2700,
    );
  });

  it('falls on the items of its products only, and lowers the VAT of those', () => {
    const lines = [SEAT, SUPPORT];
    const {
      coupon_minor,
      total_minor,
      vat,
      lines: priced,
    } = price({ percent_off: 0.5, products: ['seat'] }, { lines, quantity: 2 });
    expect([coupon_minor, total_minor]).toEqual([1000, 7000]);
    expect(priced.map((one) => [one.product, one.amount_minor, one.coupon_minor])).toEqual([
      ['seat', 2000, 1000],
      ['support', 6000, 0],
    ]);
    expect(vat.map(({ rate, gross_minor }) => [rate, gross_minor])).toEqual([
      [0.07, 6000],
      [0.19, 1000],
    ]);
    expect(price({ amount_off: 50, products: ['seat'] }, { lines }).total_minor).toBe(3000);
    expect(price({ percent_off: 0.5, products: ['cup'] }, { lines }).coupon_minor).toBe(0);
  });

  it('divides a price set by hand among the items', () => {
    const { total_minor, lines, vat } = price(
      { percent_off: 0.5, products: ['seat'] },
      { lines: [SEAT, SUPPORT], total_amount: 20 },
    );
    expect(lines.map((one) => [one.amount_minor, one.total_minor])).toEqual([
      [500, 250],
      [1500, 1500],
    ]);
    expect([total_minor, vat.map(({ gross_minor }) => gross_minor)]).toEqual([1750, [1500, 250]]);
    expect(price({ percent_off: 0.5, products: ['seat'] }, { lines: [], total_amount: 20 }).total_minor).toBe(
      2000,
    );
  });

  it('comes before VAT that is added', () => {
    const over = { lines: [SEAT], tax_behavior: 'exclusive', quantity: 2 } as const;
    expect(price({ amount_off: 5 }, over)).toMatchObject({
      subtotal_minor: 2000,
      coupon_minor: 500,
      total_minor: 1785,
      vat: [{ rate: 0.19, net_minor: 1500, vat_minor: 285, gross_minor: 1785 }],
    });
    // The same for a price set by hand to which VAT is added, whatever the items cost.
    const byHand = {
      lines: [SEAT],
      tax_behavior: 'exclusive',
      total_amount: 100,
      tax_on_total: true,
    } as const;
    expect(price({ amount_off: 10 }, byHand)).toMatchObject({
      ...{ subtotal_minor: 10_000, coupon_minor: 1000, total_minor: 10_710 },
      vat: [{ rate: 0.19, net_minor: 9000, vat_minor: 1710, gross_minor: 10_710 }],
    });
    // VAT of one is 0.00, that of a thousand at once would be 4.00.
    const cheap = { ...over, lines: [line({ price: 0.04, vat: 0.1 })], quantity: 1000 };
    expect(price({ amount_off: 0.01 }, cheap).total_minor).toBe(4000);
  });
});

describe('any discounted price', () => {
  const fraction = fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100);
  const amount = (most: number) => fc.integer({ min: 0, max: most }).map((tenths) => tenths / 100);
  const thing = fc.record({
    product: fc.constantFrom('a', 'b', 'c'),
    price: fc.oneof(amount(20), amount(50_000)),
    discount: fraction,
    vat: fc.constantFrom(0, 0.07, 0.19, 0.255),
  });
  const anyLine: fc.Arbitrary<PriceLine> = fc
    .tuple(thing, fc.integer({ min: 1, max: 40 }), fraction, fc.array(thing, { maxLength: 2 }))
    .map(([one, quarters, item_discount, sub_products]) => ({
      ...one,
      quantity: quarters / 4,
      item_discount,
      sub_products,
    }));
  const products = fc.constantFrom(undefined, null, ['a'], ['a', 'b'], ['d']);
  const coupon: fc.Arbitrary<CouponOff> = fc
    .tuple(
      fc.oneof(
        fraction.map((percent_off) => ({ percent_off })),
        amount(60_000).map((amount_off) => ({ amount_off })),
      ),
      products,
    )
    .map(([off, only]) => ({ ...off, products: only }));
  const inputs: fc.Arbitrary<DiscountedPriceInput> = fc.record({
    currency: fc.constantFrom('EUR', 'KWD'),
    tax_behavior: fc.constantFrom('inclusive' as const, 'exclusive' as const),
    coupon,
    lines: fc.array(anyLine, { maxLength: 4 }),
    total_amount: fc.oneof(fc.constant(null), amount(90_000)),
    quantity: fc.constantFrom(1, 2, 3, 1000),
  });
  const anyInput: fc.Arbitrary<DiscountedPriceInput> = fc
    .tuple(inputs, fc.boolean())
    .map(([input, taxed]) => {
      const { tax_behavior, total_amount, lines } = input;
      const isAdded = taxed && tax_behavior === 'exclusive' && total_amount !== null && lines.length > 0;
      return isAdded ? { ...input, tax_on_total: true } : input;
    });
  const sum = (amounts: readonly number[]): number => amounts.reduce((a, b) => a + b, 0);

  /** The price without a coupon. */
  const whole = (input: DiscountedPriceInput): number => {
    const { total_amount, quantity, currency, tax_behavior, lines } = input;
    if (total_amount === null) return quantity * priceLines({ currency, tax_behavior, lines }).total_minor;
    const total = toMinor(total_amount, currency);
    if (input.tax_on_total !== true) return quantity * total;
    return quantity * sum(vatOnTotal(total, input).map(({ gross_minor }) => gross_minor));
  };

  it('is neither negative nor above the price without the coupon, and its shares and VAT add up', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const { subtotal_minor, coupon_minor, total_minor, lines, vat } = priceDiscounted(input);
        expect(total_minor).toBeGreaterThanOrEqual(0);
        expect(total_minor).toBeLessThanOrEqual(whole(input));
        for (const one of lines) {
          expect(one.amount_minor - one.coupon_minor).toBe(one.total_minor);
          expect(Math.min(one.coupon_minor, one.total_minor)).toBeGreaterThanOrEqual(0);
        }
        for (const rate of vat) {
          expect(rate.net_minor + rate.vat_minor).toBe(rate.gross_minor);
          expect(Math.min(rate.net_minor, rate.vat_minor)).toBeGreaterThanOrEqual(0);
        }
        if (input.lines.length === 0) return;
        expect(sum(vat.map(({ gross_minor }) => gross_minor))).toBe(total_minor);
        expect(sum(lines.map((one) => one.amount_minor))).toBe(subtotal_minor);
        expect(sum(lines.map((one) => one.coupon_minor))).toBe(coupon_minor);
        const isAdded = input.total_amount === null || input.tax_on_total === true;
        const isNet = input.tax_behavior === 'exclusive' && isAdded;
        const left = isNet ? sum(vat.map(({ net_minor }) => net_minor)) : total_minor;
        expect(left).toBe(subtotal_minor - coupon_minor);
      }),
      { numRuns: 1000 },
    );
  });

  it('takes nothing off lines that the coupon does not name, and follows from its JSON alone', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const priced = priceDiscounted(input);
        const named = input.coupon.products ?? null;
        for (const one of priced.lines)
          if (named !== null && !named.includes(one.product)) expect(one.coupon_minor).toBe(0);
        expect(priceDiscounted(JSON.parse(JSON.stringify(input)) as DiscountedPriceInput)).toEqual(priced);
      }),
    );
  });

  it('of VAT-inclusive prices is the price less the discount, to the minor unit', () => {
    fc.assert(
      fc.property(anyInput, (given) => {
        const { tax_on_total: _added, ...rest } = given;
        const input = { ...rest, tax_behavior: 'inclusive' as const };
        expect(priceDiscounted(input).total_minor).toBe(whole(input) - priceDiscounted(input).coupon_minor);
      }),
    );
  });
});
