import type { PriceLine } from '@commerce/kernel';
import { planPrice, requireChargeable, unitsOf, type PlanPriceInput } from './pricing.js';

const item = (over: Partial<PriceLine> = {}): PriceLine => ({
  product: 'p',
  quantity: 1,
  price: 10,
  discount: 0,
  vat: 0,
  item_discount: 0,
  sub_products: [],
  ...over,
});
const plan = (over: Partial<PlanPriceInput> = {}) =>
  planPrice({ currency: 'EUR', tax_behavior: 'inclusive', total_amount: null, items: [], ...over });

describe('price of a plan', () => {
  it('is its total_amount where that is set', () => {
    expect(plan({ total_amount: 49.9, items: [item()] })).toMatchObject({
      price_minor: 4990,
      computed: false,
    });
    expect(plan({ total_amount: 0 })).toMatchObject({ price_minor: 0, computed: false, priced: null });
  });

  it('is the sum of its items otherwise', () => {
    const items = [
      item({ quantity: 2, price: 9.99, discount: 0.1 }),
      item({
        quantity: 1,
        price: 5,
        item_discount: 0.5,
        sub_products: [{ product: 's', price: 3, discount: 0, vat: 0 }],
      }),
    ];
    expect(plan({ items })).toMatchObject({ price_minor: 1798 + 400, computed: true });
  });

  it('has VAT added where the prices exclude it', () => {
    const items = [item({ price: 19.99, vat: 0.24 })];
    expect(plan({ items, tax_behavior: 'exclusive' }).price_minor).toBe(2479);
    expect(plan({ items }).price_minor).toBe(1999);
  });

  it('is 0 without items and total_amount', () => {
    expect(plan()).toMatchObject({ price_minor: 0, computed: true, priced: null, steps: [] });
  });

  it('is multiplied by the quantity after it was rounded, so that the price shown adds up', () => {
    // 3 x 3.33 and 20 % on it is 11.99; the plan shows 4.00.
    const items = [item({ price: 3.33, vat: 0.2 })];
    expect(plan({ items, tax_behavior: 'exclusive', quantity: 3 })).toMatchObject({
      price_minor: 1200,
      single_minor: 400,
      quantity: 3,
    });
    expect(plan({ items, quantity: 3 })).toMatchObject({ price_minor: 999, single_minor: 333 });
    expect(plan({ total_amount: 10, quantity: 1_000_000 }).price_minor).toBe(1_000_000_000);
    expect(plan({ total_amount: 10 }).quantity).toBe(1);
  });

  it('is refused, naming the quantity, where that makes it too large', () => {
    const large = { total_amount: 9_999_999_999, quantity: 1_000_000 };
    expect(() => plan(large)).toThrow(
      expect.objectContaining({
        code: 'amount.invalid',
        details: expect.objectContaining({
          errors: [expect.objectContaining({ path: 'quantity' })],
        }) as unknown,
      }),
    );
  });

  it('is refused where the charge of a billing interval would be too large', () => {
    const input = { currency: 'EUR', tax_behavior: 'inclusive', total_amount: 5_000_000, items: [] } as const;
    const daily = { interval_unit: 'DAY', interval_count: 1, billing_interval_count: 1 } as const;
    const many = { ...input, quantity: 100_000 };
    const inYears = { ...daily, billing_interval: 'ANNUAL' } as const;
    expect(() => requireChargeable(inYears, many)).toThrow(
      expect.objectContaining({
        details: expect.objectContaining({
          errors: [expect.objectContaining({ path: 'quantity' })],
        }) as unknown,
      }),
    );
    expect(() => requireChargeable({ ...daily, billing_interval: 'DAY' }, many)).not.toThrow();
    expect(() => requireChargeable(inYears, input)).not.toThrow();
  });

  it('is refused when the currency has no such amount', () => {
    expect(() => plan({ total_amount: 100.5, currency: 'JPY' })).toThrow(
      expect.objectContaining({ code: 'amount.too_precise' }),
    );
  });
});

describe('units of a plan', () => {
  it('are the quantities added up as decimals', () => {
    expect(unitsOf([{ quantity: 0.1 }, { quantity: 0.2 }])).toBe(0.3);
    expect(unitsOf([{ quantity: 2 }, { quantity: 3 }])).toBe(5);
    expect(unitsOf([])).toBe(0);
  });
});
