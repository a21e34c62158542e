import type { PriceLine } from '@commerce/kernel';

import { periodAt, type BillingCalendar } from '../calendar/calendar.js';
import {
  breakdownOf,
  outstandingPart,
  periodPart,
  prorationPart,
  setupPart,
  type Breakdown,
  type PricedPart,
} from './breakdown.js';
import { explainBreakdown, productsIn } from './explanation.js';
import { planPrice, type PlanPriceInput } from './pricing.js';
import type { ProrationInput } from './proration.js';

const yearly: BillingCalendar = {
  anchor: new Date('2025-01-01'),
  timezone: 'UTC',
  interval_unit: 'ANNUAL',
  interval_count: 1,
  billing_interval: 'MONTH',
  billing_interval_count: 1,
};
const coffee: PriceLine = {
  product: 'c',
  quantity: 2,
  price: 500,
  discount: 0,
  vat: 0.19,
  item_discount: 0,
  sub_products: [{ product: 'd', price: 0, discount: 0, vat: 0.19 }],
};
const priced_from: PlanPriceInput = {
  currency: 'EUR',
  tax_behavior: 'inclusive',
  total_amount: null,
  items: [coffee],
};
const { price_minor } = planPrice(priced_from);
const price = { price_minor, currency: 'EUR', is_prorated: true };
const april: ProrationInput = {
  mode: 'day',
  timezone: 'UTC',
  unit: 'MONTH',
  count: 1,
  base_minor: 3000,
  currency: 'EUR',
  start: new Date('2025-04-01'),
  end: new Date('2025-05-01'),
  at: new Date('2025-04-16'),
  is_prorated: true,
};

const of = (...parts: PricedPart[]): Breakdown => breakdownOf('EUR', parts).breakdown;
const second = periodPart({
  calendar: yearly,
  price,
  period: periodAt(yearly, 1),
  service_end: null,
  priced_from,
});

describe('the explanation of a payment', () => {
  it('states the inputs of the price, the share of a month, and the VAT in it', () => {
    const breakdown = of(setupPart(1000, 'EUR'), second);
    expect(explainBreakdown(breakdown, (product) => (product === 'c' ? 'Coffee' : 'Cup'))).toEqual({
      amount_minor: 9334,
      lines: [
        { label: 'Setup fee', amount: 10, note: null },
        {
          label: 'Feb 1 – 28, 2025',
          amount: 83.34,
          note: '1000.00 EUR per year: 166.67 EUR by its end less 83.33 EUR before it',
        },
        { label: '2 × Coffee', amount: null, note: '500.00 EUR each, with Cup at 0.00 EUR' },
        { label: 'VAT 19 %, included', amount: null, note: '13.31 EUR of 83.34 EUR' },
      ],
    });
    expect(productsIn(breakdown)).toEqual(['c', 'd']);
  });

  it('states the quantity, and how many units the price is for', () => {
    const seats: PlanPriceInput = { ...priced_from, total_amount: 10, items: [], quantity: 3 };
    const quarterly = {
      ...yearly,
      interval_unit: 'MONTH',
      interval_count: 3,
      billing_interval_count: 3,
    } as const;
    const part = periodPart({
      calendar: quarterly,
      price: { ...price, price_minor: 3000 },
      period: periodAt(quarterly, 1),
      service_end: null,
      priced_from: seats,
    });
    expect(explainBreakdown(of(part), (product) => product)).toEqual({
      amount_minor: 3000,
      lines: [{ label: 'Apr 1 – Jun 30, 2025', amount: 30, note: '3 × 10.00 EUR per 3 months: 30.00 EUR' }],
    });
  });

  it('counts the days of a proration, and earlier charges or debt', () => {
    const parts = [
      prorationPart(april, 'stop'),
      prorationPart({ ...april, mode: 'second' }, 'unused'),
      outstandingPart(500, 'EUR'),
      outstandingPart(-200, 'EUR'),
    ];
    const { amount_minor, lines } = explainBreakdown(of(...parts), (product) => product);
    expect(amount_minor).toBe(300 + parts[0]!.amount_minor + parts[1]!.amount_minor);
    expect(lines).toEqual([
      { label: 'Not used of Apr 1 – 30, 2025', amount: -15, note: '15 of 30 days unused, of 30.00 EUR' },
      {
        label: 'What was left of Apr 1 – 30, 2025',
        amount: 15,
        note: '1296000 of 2592000 seconds unused, of 30.00 EUR',
      },
      { label: 'Owed from before', amount: 5, note: null },
      { label: 'Charged before', amount: -2, note: null },
    ]);
  });
});
