import type { PriceLine } from '@commerce/kernel';

import { periodAt, type BillingCalendar } from '../calendar/calendar.js';
import {
  breakdownOf,
  bookedPart,
  outstandingPart,
  periodPart,
  setupPart,
  type Breakdown,
  type PricedPart,
} from './breakdown.js';
import { explainBreakdown, productsIn } from './explanation.js';
import { planPrice, type PlanPriceInput } from './pricing.js';
import { accruedCharge } from './accrual.js';
import { ratesOf } from './period-rates.js';
import { ownedMinor, type ProrationMode } from './proration.js';

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
const of = (...parts: PricedPart[]): Breakdown => breakdownOf('EUR', parts).breakdown;

interface Case {
  readonly index?: number;
  readonly from?: PlanPriceInput;
  readonly share?: readonly [owned: number, total: number];
  readonly mode?: ProrationMode;
  readonly isFrozen?: boolean;
}

const part = (calendar: BillingCalendar, one: Case = {}): PricedPart => {
  const { index = 1, from = priced_from, share = [1, 1], mode = 'day', isFrozen = false } = one;
  const period = periodAt(calendar, index);
  const plan = planPrice(from);
  const price = { price_minor: plan.price_minor, currency: 'EUR', is_prorated: true };
  const whole_minor = accruedCharge(calendar, price, period, null).amount_minor;
  const [owned, total] = share;
  const ranges = [[0, owned]] as const;
  return periodPart({
    ...{ calendar, period, service_end: null, currency: 'EUR', whole_minor, ranges, total, mode },
    amount_minor: ownedMinor(whole_minor, { ranges, total }, 'EUR'),
    is_prorated: true,
    from: period.start,
    to: period.end,
    priced_from: isFrozen ? null : from,
    taxes: ratesOf(plan, calendar, period).map(({ rate, gross_minor: weight }) => ({ rate, weight })),
  });
};

describe('the explanation of a payment', () => {
  it('states the inputs of the price, the share of a month, and the VAT in it', () => {
    const breakdown = of(setupPart(1000, 'EUR'), part(yearly));
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
    expect(explainBreakdown(of(part(quarterly, { from: seats })), (product) => product)).toEqual({
      amount_minor: 3000,
      lines: [{ label: 'Apr 1 – Jun 30, 2025', amount: 30, note: '3 × 10.00 EUR per 3 months: 30.00 EUR' }],
    });
  });

  it('counts the days of each of the terms, and states earlier charges and debt', () => {
    const april = { ...yearly, anchor: new Date('2025-04-01'), interval_unit: 'MONTH' } as const;
    const thirty: PlanPriceInput = { ...priced_from, total_amount: 30, items: [] };
    const parts = [
      part(april, { index: 0, from: thirty, share: [15, 30], isFrozen: true }),
      part(april, { index: 0, from: thirty, share: [1_296_000_000, 2_592_000_000], mode: 'second' }),
      bookedPart(3000, 'EUR', undefined),
      outstandingPart(500, 'EUR'),
    ];
    const { amount_minor, lines } = explainBreakdown(of(...parts), (product) => product);
    expect(amount_minor).toBe(500);
    expect(lines).toEqual([
      { label: 'Apr 1 – 30, 2025', amount: 15, note: '15 of 30 days, of 30.00 EUR, as charged before' },
      {
        label: 'Apr 1 – 30, 2025',
        amount: 15,
        note: '1296000 of 2592000 seconds, of 30.00 EUR per month: 30.00 EUR',
      },
      { label: 'Charged before', amount: -30, note: null },
      { label: 'Owed from before', amount: 5, note: null },
    ]);
  });
});
