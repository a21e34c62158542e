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
import { ratesOf } from './period-rates.js';
import { planPrice, type PlanPriceInput } from './pricing.js';
import { ownedMinor } from './proration.js';
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
const april = (priced_from: PlanPriceInput, owned = 30, isFrozen = false): PricedPart => {
  const plan = planPrice(priced_from);
  const period = periodAt(calendar, 0);
  const whole_minor = (plan.discounted ?? plan).price_minor;
  const ranges = [[0, owned]] as const;
  return periodPart({
    ...{ calendar, period, service_end: null, currency: 'EUR', whole_minor, ranges, total: 30, mode: 'day' },
    amount_minor: ownedMinor(whole_minor, { ranges, total: 30 }, 'EUR'),
    is_prorated: true,
    from: period.start,
    to: new Date(period.start.getTime() + owned * 86_400_000),
    priced_from: isFrozen ? null : priced_from,
    taxes: ratesOf(plan, calendar, period).map(({ rate, gross_minor: weight }) => ({ rate, weight })),
  });
};
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

  it('name the days of terms that held for a part, and what was charged before', () => {
    const booked = bookedPart(1190, 'EUR', [{ rate: 0.19, weight: 1190 }]);
    const [used, before] = suppliesOf(made(april(priced([seat]), 15), booked), context);
    expect(used).toMatchObject({
      ...{ name: 'Seat', reason: 'used', total_minor: 595, unit_minor: null },
      ...{ share: { part: 15, of: 30, unit: 'day' }, tax: { rate: 0.19 } },
      period: { start: new Date('2026-04-01'), end: new Date('2026-04-16') },
    });
    expect(before).toMatchObject({ name: 'Seat', reason: 'charged_before', total_minor: -1190 });
  });

  it('of a price that was charged before have the names of that charge', () => {
    const frozen = april(priced([book]), 15, true);
    expect(settlesEarlier(made(april(priced([seat])), frozen))).toBe(true);
    expect(settlesEarlier(made(april(priced([seat])), april(priced([book]), 15)))).toBe(false);
    const chargedAt = (start: number) => ratesChargedAt([made(april(priced([book])))], start, context);
    expect(short(made(frozen), { chargedAt })).toEqual([['Book', 'used', 535, 0.07]]);
    expect(short(made(frozen))).toEqual([['Team', 'used', 535, 0.07]]);
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
