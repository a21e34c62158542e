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
import { planPrice, type PlanPriceInput } from './pricing.js';
import {
  ratesChargedAt,
  restoredSupply,
  settlesEarlier,
  suppliesOf,
  type SupplyContext,
} from './supplies.js';

const NAMES: Readonly<Record<string, string>> = { seat: 'Seat', book: 'Book' };
const context: SupplyContext = {
  nameOf: (product) => NAMES[product] ?? product,
  planName: 'Team',
  credit_minor: 0,
  chargedAt: () => null,
  plan: () => [{ name: 'Team', rate: 0.2, weight: 1 }],
};
const calendar: BillingCalendar = {
  anchor: new Date('2026-04-01'),
  timezone: 'UTC',
  interval_unit: 'MONTH',
  interval_count: 1,
  billing_interval: 'MONTH',
  billing_interval_count: 1,
};
const thing = { discount: 0, item_discount: 0, quantity: 1, sub_products: [] };
const seat: PriceLine = { ...thing, product: 'seat', price: 11.9, vat: 0.19 };
const book: PriceLine = { ...thing, product: 'book', price: 10.7, vat: 0.07 };
const priced = (items: readonly PriceLine[], change: Partial<PlanPriceInput> = {}): PlanPriceInput => ({
  ...{ currency: 'EUR', tax_behavior: 'inclusive', total_amount: null, items, ...change },
});
const april = (priced_from: PlanPriceInput): PricedPart => {
  const { price_minor, discounted } = planPrice(priced_from);
  const price = { price_minor, discounted, currency: 'EUR', is_prorated: true };
  return periodPart({ calendar, price, period: periodAt(calendar, 0), service_end: null, priced_from });
};
const half = (takes: 'stop' | 'used' | 'unused', start = '2026-04-01', end = '2026-05-01'): PricedPart =>
  prorationPart(
    {
      ...{ mode: 'day', timezone: 'UTC', unit: 'MONTH', count: 1, base_minor: 3000, currency: 'EUR' },
      ...{ start: new Date(start), end: new Date(end), at: new Date('2026-04-16'), is_prorated: true },
    },
    takes,
  );
const made = (...parts: PricedPart[]): Breakdown => breakdownOf('EUR', parts).breakdown;
const short = (breakdown: Breakdown, change: Partial<SupplyContext> = {}) =>
  suppliesOf(breakdown, { ...context, ...change }).map(({ name, reason, total_minor, tax }) => [
    ...[name, reason, total_minor, tax.rate],
  ]);

describe('the supplies of a payment', () => {
  it('are the products of a period, with quantity, price and discount', () => {
    const off = { off: { percent_off: 0.5 }, from: 0, until: null };
    const [supply] = suppliesOf(made(april(priced([seat], { quantity: 3, discount: off }))), context);
    expect(supply).toEqual({
      ...{ name: 'Seat', reason: null, share: null, quantity: 3, unit_minor: 1190 },
      period: { start: new Date('2026-04-01'), end: new Date('2026-05-01') },
      ...{ subtotal_minor: 3570, total_minor: 1785 },
      tax: { category: 'S', rate: 0.19, reason: null, reason_code: null },
    });
  });

  it('are one for each rate, each with its products', () => {
    expect(short(made(april(priced([seat, book]))))).toEqual([
      ['Book', null, 1070, 0.07],
      ['Seat', null, 1190, 0.19],
    ]);
  });

  it('have the rates of the period for the setup fee and for debt', () => {
    const parts = [setupPart(200, 'EUR'), april(priced([seat])), outstandingPart(500, 'EUR')];
    expect(short(made(...parts))).toEqual([
      ['Seat', 'setup_fee', 200, 0.19],
      ['Seat', null, 1190, 0.19],
      ['Seat', 'debt', 500, 0.19],
    ]);
    expect(short(made(outstandingPart(500, 'EUR')))).toEqual([['Team', 'debt', 500, 0.2]]);
  });

  it('name the days of a proration, at the rates of the charge that it divides', () => {
    const [, credit] = suppliesOf(made(april(priced([seat])), half('stop')), context);
    expect(credit).toMatchObject({
      ...{ name: 'Seat', reason: 'unused', total_minor: -1500, unit_minor: null },
      ...{ share: { part: 15, of: 30, unit: 'day' }, tax: { rate: 0.19 } },
    });
    const march = half('used', '2026-03-17', '2026-04-17');
    expect(settlesEarlier(made(april(priced([seat])), march))).toBe(true);
    expect(settlesEarlier(made(april(priced([seat])), half('used')))).toBe(false);
    const earlier = [made(april(priced([book])))];
    const chargedAt = (start: number) => ratesChargedAt(earlier, start, context);
    expect(short(made(half('used')), { chargedAt })).toEqual([['Book', 'used', 1500, 0.07]]);
    expect(short(made(march), { chargedAt })).toEqual([['Team', 'used', 2903, 0.2]]);
  });

  it('leave out the credit that the balance paid, and keep what it did not pay after all', () => {
    const credit: PricedPart = { amount_minor: -500, part: { kind: 'credit', amount: -5 } };
    const breakdown = made(april(priced([seat])), credit);
    expect(short(breakdown, { credit_minor: 500 })).toEqual([['Seat', null, 1190, 0.19]]);
    expect(short(breakdown)).toEqual([
      ['Seat', null, 1190, 0.19],
      ['Seat', 'not_collected', -500, 0.19],
    ]);
  });

  it('are one of 0 where nothing was charged', () => {
    expect(short(made(april(priced([], { total_amount: 0 }))))).toEqual([['Team', null, 0, 0.2]]);
  });

  it('are the amount alone where the books were lost', () => {
    const rates = [{ name: 'Seat', rate: 0.19, weight: 1 }] as const;
    expect(restoredSupply(1190, null, [...rates], 'EUR')).toMatchObject([
      { name: 'Seat', reason: 'restored', total_minor: 1190, tax: { rate: 0.19 } },
    ]);
  });
});
