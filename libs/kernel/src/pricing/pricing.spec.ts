import { finalPriceMinor, priceLines, type PriceLine, type PriceLinesInput } from './pricing.js';
import { vatInside, vatLines } from './vat.js';

const line = (over: Partial<PriceLine> = {}): PriceLine => ({
  product: 'p',
  quantity: 1,
  price: 10,
  discount: 0,
  vat: 0,
  item_discount: 0,
  sub_products: [],
  ...over,
});
const price = (lines: PriceLine[], over: Partial<PriceLinesInput> = {}) =>
  priceLines({ currency: 'EUR', tax_behavior: 'inclusive', lines, ...over });

describe('final price of a product', () => {
  it('is the price less its discount, rounded', () => {
    expect(finalPriceMinor(19.99, 0.25, 'EUR')).toBe(1499);
    expect(finalPriceMinor(0.05, 0.1, 'EUR')).toBe(5);
    expect(finalPriceMinor(1.01, 0.5, 'KWD')).toBe(510);
    expect(finalPriceMinor(10, 1, 'EUR')).toBe(0);
  });
});

describe('a line', () => {
  it('multiplies product and sub-products by the quantity, then takes the item discount', () => {
    const { total_minor, lines } = price([
      line({
        price: 9.99,
        discount: 0.1,
        quantity: 3,
        item_discount: 0.05,
        sub_products: [{ product: 's', price: 2.5, discount: 0.5, vat: 0 }],
      }),
    ]);
    // 9.99 less 10 % is 8.99; with 1.25 it is 10.24; three of them 30.72, less 5 % is 29.184.
    expect(lines[0]).toMatchObject({
      final_price_minor: 899,
      sub_products: [{ product: 's', final_price_minor: 125 }],
      amount_minor: 2918,
    });
    expect(total_minor).toBe(2918);
  });

  it('accepts fractional quantities', () => {
    expect(price([line({ price: 64.22, quantity: 2.25 })]).total_minor).toBe(14450);
  });
});

describe('a coupon', () => {
  it('takes a share of the sum, distributed by largest remainder', () => {
    const { coupon_minor, lines, total_minor } = price(
      [line({ price: 10 }), line({ price: 20 }), line({ price: 30 })],
      { coupon: { amount_off: 5 } },
    );
    expect(coupon_minor).toBe(500);
    expect(lines.map((each) => each.coupon_minor)).toEqual([83, 167, 250]);
    expect(total_minor).toBe(5500);
  });

  it('never exceeds the sum', () => {
    expect(price([line()], { coupon: { amount_off: 25 } })).toMatchObject({
      coupon_minor: 1000,
      total_minor: 0,
    });
  });

  it('of 100 per cent leaves 0, never less', () => {
    const off = { coupon: { percent_off: 1 } };
    const { total_minor } = price([line({ price: 64.22, quantity: 2.25 })], off);
    expect(Object.is(total_minor, 0)).toBe(true);
    expect(price([line({ price: 64.22, quantity: 2.25, vat: 0.2 })], off).vat).toEqual([
      { rate: 0.2, net_minor: 0, vat_minor: 0, gross_minor: 0 },
    ]);
  });

  it('falls on the lines of its products only, with their sub-products', () => {
    const cup = { product: 'cup', price: 10, discount: 0, vat: 0.1 };
    const lines = [
      line({ product: 'tea', vat: 0.2, sub_products: [cup] }),
      line({ product: 'pot', vat: 0.1 }),
    ];
    const off = (products: string[]) => price(lines, { coupon: { percent_off: 0.5, products } });
    expect(off(['tea'])).toMatchObject({ subtotal_minor: 3000, coupon_minor: 1000, total_minor: 2000 });
    expect(off(['tea']).vat.map(({ rate, gross_minor }) => [rate, gross_minor])).toEqual([
      [0.1, 1500],
      [0.2, 500],
    ]);
    expect(off(['cup']).coupon_minor).toBe(0);
    const amount = price(lines, { coupon: { amount_off: 25, products: ['tea'] } });
    expect(amount.lines.map((each) => each.coupon_minor)).toEqual([2000, 0]);
  });

  it('is distributed in steps of 0.010 for three-decimal currencies', () => {
    const { lines } = price([line({ price: 1 }), line({ price: 1 }), line({ price: 1 })], {
      currency: 'KWD',
      coupon: { percent_off: 0.1 },
    });
    expect(lines.map((each) => each.total_minor)).toEqual([900, 900, 900]);
    const odd = price([line({ price: 1 }), line({ price: 1 }), line({ price: 1 })], {
      currency: 'KWD',
      coupon: { amount_off: 0.1 },
    });
    expect(odd.lines.map((each) => each.total_minor)).toEqual([960, 970, 970]);
  });
});

describe('VAT', () => {
  it('is contained in inclusive prices', () => {
    expect(price([line({ price: 19.99, vat: 0.24 })]).vat).toEqual([
      { rate: 0.24, net_minor: 1612, vat_minor: 387, gross_minor: 1999 },
    ]);
    expect(price([line({ price: 1, quantity: 2, vat: 0.2 })]).vat).toEqual([
      { rate: 0.2, net_minor: 167, vat_minor: 33, gross_minor: 200 },
    ]);
  });

  it('is rounded per rate, not per line', () => {
    expect(price([line({ price: 55.55, vat: 0.23 }), line({ price: 11.11, vat: 0.23 })]).vat).toEqual([
      { rate: 0.23, net_minor: 5420, vat_minor: 1246, gross_minor: 6666 },
    ]);
    const mixed = price([line({ vat: 0.24 }), line({ vat: 0.1 }), line({ vat: 0.24 })]).vat;
    expect(mixed.map(({ rate, gross_minor }) => [rate, gross_minor])).toEqual([
      [0.1, 1000],
      [0.24, 2000],
    ]);
  });

  it('is added to exclusive prices', () => {
    const { total_minor, vat, lines } = price([line({ price: 19.99, vat: 0.24 })], {
      tax_behavior: 'exclusive',
    });
    expect(vat).toEqual([{ rate: 0.24, net_minor: 1999, vat_minor: 480, gross_minor: 2479 }]);
    expect(total_minor).toBe(2479);
    expect(lines[0]?.total_minor).toBe(1999);
  });

  it('is computed after discounts', () => {
    const { vat } = price([line({ price: 20, discount: 0.5, vat: 0.2 })], {
      tax_behavior: 'exclusive',
      coupon: { percent_off: 0.1 },
    });
    expect(vat).toEqual([{ rate: 0.2, net_minor: 900, vat_minor: 180, gross_minor: 1080 }]);
  });

  it('uses the rate of each sub-product', () => {
    const { vat } = price([
      line({
        price: 30,
        vat: 0.24,
        sub_products: [{ product: 's', price: 10, discount: 0, vat: 0.1 }],
        item_discount: 0.5,
      }),
    ]);
    expect(vat.map(({ rate, gross_minor }) => [rate, gross_minor])).toEqual([
      [0.1, 500],
      [0.24, 1500],
    ]);
  });

  it('of a part of a price is split as in the whole', () => {
    const { vat } = price([line({ price: 90, vat: 0.24 }), line({ price: 10, vat: 0 })]);
    expect(vatLines(vatInside(833, vat, 'EUR'), 'EUR')).toEqual([
      { rate: 0, net: 0.83, vat: 0, gross: 0.83 },
      { rate: 0.24, net: 6.05, vat: 1.45, gross: 7.5 },
    ]);
  });
});

describe('invalid prices', () => {
  it.each([
    [{ discount: 1.0001 }, 'fraction.out_of_range'],
    [{ item_discount: -0.1 }, 'fraction.out_of_range'],
    [{ vat: -0.01 }, 'fraction.out_of_range'],
    [{ vat: NaN }, 'fraction.out_of_range'],
    [{ quantity: -1 }, 'quantity.invalid'],
    [{ quantity: Infinity }, 'quantity.invalid'],
    [{ price: -1 }, 'amount.invalid'],
    [{ price: 1.005 }, 'amount.too_precise'],
    [{ price: 9e12, quantity: 1000 }, 'amount.invalid'],
  ])('%p are refused as %s', (over, code) => {
    expect(() => price([line(over)])).toThrow(expect.objectContaining({ code }));
  });
});
