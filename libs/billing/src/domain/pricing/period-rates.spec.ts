import type { PriceLine } from '@commerce/kernel';

import { periodAt, type BillingCalendar } from '../calendar/calendar.js';
import { ratesOf } from './period-rates.js';
import { planPrice, type PlanPriceInput } from './pricing.js';

/** Prices of a month, collected by two months. */
const calendar: BillingCalendar = {
  anchor: new Date('2026-04-01'),
  timezone: 'UTC',
  interval_unit: 'MONTH',
  interval_count: 1,
  billing_interval: 'MONTH',
  billing_interval_count: 2,
};
const thing = { discount: 0, item_discount: 0, quantity: 1, sub_products: [] };
const items: readonly PriceLine[] = [
  { ...thing, product: 'book', price: 10, vat: 0.07 },
  { ...thing, product: 'seat', price: 10, vat: 0.19 },
];
const first = { from: 0, until: 1 };

/** The amounts of a period at 7 % and 19 %, whose first month has a discount of half the price of the seat. */
const amounts = (change: Partial<PlanPriceInput>): readonly (readonly [number, number])[] => {
  const discount = { off: { percent_off: 0.5, products: ['seat'] }, ...first };
  const input = { currency: 'EUR', tax_behavior: 'inclusive', total_amount: null, items } as const;
  const plan = planPrice({ ...input, discount, ...change });
  return ratesOf(plan, calendar, periodAt(calendar, 0)).map(({ rate, gross_minor }) => [rate, gross_minor]);
};

describe('the rates of a period over intervals with and without a discount', () => {
  it('have the prices of the items', () => {
    expect(amounts({})).toEqual([
      [0.07, 2000],
      [0.19, 1500],
    ]);
  });

  it('have the prices as often as these are charged', () => {
    expect(amounts({ quantity: 3 })).toEqual([
      [0.07, 6000],
      [0.19, 4500],
    ]);
  });

  it('have their shares of a price set by hand', () => {
    expect(amounts({ total_amount: 100 })).toEqual([
      [0.07, 10_000],
      [0.19, 7500],
    ]);
    expect(amounts({ total_amount: 100, quantity: 3 })).toEqual([
      [0.07, 30_000],
      [0.19, 22_500],
    ]);
  });
});
