import { minorStep, toMajor, toMinor, type PriceLine } from '@commerce/kernel';
import fc from 'fast-check';
import { accruedCharge, type PeriodPrice } from './accrual.js';
import {
  breakdownOf,
  outstandingPart,
  periodPart,
  prorationPart,
  recompute,
  setupPart,
  type Breakdown,
  type BreakdownPart,
  type PricedPart,
} from './breakdown.js';
import { periodAt, type BillingCalendar, type CalendarPeriod } from '../calendar/calendar.js';
import { planPrice, type PlanPriceInput } from './pricing.js';
import { usedAndUnused, type ProrationInput } from './proration.js';

const brokenDown = (currency: string, parts: readonly PricedPart[]): Breakdown =>
  breakdownOf(currency, parts).breakdown;
const stored = (breakdown: Breakdown) => JSON.parse(JSON.stringify(breakdown)) as Breakdown;
const yearly: BillingCalendar = {
  anchor: new Date('2025-01-31T10:30:00Z'),
  timezone: 'Europe/Berlin',
  interval_unit: 'ANNUAL',
  interval_count: 1,
  billing_interval: 'MONTH',
  billing_interval_count: 1,
};
const thousand = { price_minor: 100_000, currency: 'EUR', is_prorated: true };
const period = (
  calendar: BillingCalendar,
  price: PeriodPrice,
  period: CalendarPeriod,
  service_end: Date | null = null,
  priced_from: PlanPriceInput | null = null,
) => periodPart({ calendar, price, period, service_end, priced_from });
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
const item: PriceLine = {
  product: 'p',
  quantity: 2,
  price: 500,
  discount: 0,
  vat: 0.24,
  item_discount: 0,
  sub_products: [],
};

describe('the breakdown of a payment', () => {
  it('joins the setup fee and the first period', () => {
    const monthly = { ...yearly, anchor: new Date('2025-04-01'), interval_unit: 'MONTH' as const };
    const price = { ...thousand, price_minor: 3000 };
    const breakdown = brokenDown('EUR', [
      setupPart(1000, 'EUR'),
      period(monthly, price, periodAt(monthly, 0)),
    ]);
    expect(breakdown.amount).toBe(40);
    expect(recompute(stored(breakdown))).toBe(4000);
  });

  it('takes the proration of a stop off the last period in arrears', () => {
    const monthly = { ...yearly, anchor: april.start, timezone: 'UTC', interval_unit: 'MONTH' as const };
    const breakdown = brokenDown('EUR', [
      period(monthly, { ...thousand, price_minor: 3000 }, periodAt(monthly, 0)),
      prorationPart(april, 'stop'),
      outstandingPart(4000, 'EUR'),
    ]);
    expect(breakdown.parts.map(({ amount }) => amount)).toEqual([30, -15, 40]);
    expect(breakdown.amount).toBe(55);
    expect(recompute(stored(breakdown))).toBe(5500);
  });

  it('shows the inputs, the rounding steps and the VAT of a period', () => {
    const from: PlanPriceInput = {
      currency: 'EUR',
      tax_behavior: 'inclusive',
      total_amount: null,
      items: [item],
    };
    expect(period(yearly, thousand, periodAt(yearly, 1), null, from).part).toEqual({
      kind: 'period',
      amount: 83.34,
      anchor: Date.parse('2025-01-31T10:30:00Z'),
      timezone: 'Europe/Berlin',
      interval_unit: 'ANNUAL',
      interval_count: 1,
      billing_interval: 'MONTH',
      billing_interval_count: 1,
      slice: 1,
      start: Date.parse('2025-02-28T10:30:00Z'),
      end: Date.parse('2025-03-31T09:30:00Z'),
      service_end: null,
      price: 1000,
      priced_from: from,
      is_prorated: true,
      vat: [{ rate: 0.24, net: 67.21, vat: 16.13, gross: 83.34 }],
      steps: [
        { rule: 'price.final', of: 'p', exact: '500', rounded: 500 },
        { rule: 'price.line', of: 'p', exact: '1000', rounded: 1000 },
        { rule: 'vat.included', of: '0.24', exact: '6000/31', rounded: 193.55 },
        { rule: 'period.accrued_at_end', exact: '500/3', rounded: 166.67 },
        { rule: 'period.accrued_at_start', exact: '250/3', rounded: 83.33 },
        { rule: 'vat.included', of: '0.24', exact: '12501/775', rounded: 16.13 },
      ],
    });
  });

  it.each([
    // 3 x (10.00 + 19 % and 3.33 + 7 %) and 3 x (10.00 and 3.33), their VAT included.
    ['exclusive', 3 * 1546, [0.07, 0.19]],
    ['inclusive', 3 * 1333, [0.07, 0.19]],
  ] as const)(
    'multiplies the price, and the VAT of several rates adds up to it: %s',
    (behavior, amount, rates) => {
      const items = [
        { ...item, quantity: 1, price: 10, vat: 0.19 },
        { ...item, quantity: 1, price: 3.33, vat: 0.07 },
      ];
      const from: PlanPriceInput = {
        currency: 'EUR',
        tax_behavior: behavior,
        total_amount: null,
        items,
        quantity: 3,
      };
      const yearlyAtOnce = { ...yearly, billing_interval: 'ANNUAL' } as const;
      const price = { ...thousand, price_minor: amount };
      const { part, amount_minor } = period(yearlyAtOnce, price, periodAt(yearlyAtOnce, 0), null, from);
      expect(amount_minor).toBe(amount);
      expect(part.vat.map(({ rate }) => rate)).toEqual(rates);
      const gross = part.vat.reduce((sum, line) => sum + toMinor(line.gross, 'EUR'), 0);
      expect(gross).toBe(amount);
      for (const { net, vat, gross: whole } of part.vat) {
        expect(toMinor(net, 'EUR') + toMinor(vat, 'EUR')).toBe(toMinor(whole, 'EUR'));
      }
      expect(recompute(stored(brokenDown('EUR', [{ amount_minor, part }])))).toBe(amount);
    },
  );

  it('of an earlier version, without counts and quantity, leads back to its amount', () => {
    const from: PlanPriceInput = {
      currency: 'EUR',
      tax_behavior: 'inclusive',
      total_amount: 1000,
      items: [],
    };
    const breakdown = brokenDown('EUR', [
      period(yearly, thousand, periodAt(yearly, 1), null, from),
      prorationPart({ ...april, mode: 'thirty' }, 'unused'),
    ]);
    const earlier = stored(breakdown);
    const added = ['interval_count', 'billing_interval_count', 'count'];
    const parts = earlier.parts.map((part) =>
      Object.fromEntries(Object.entries(part).filter(([name]) => !added.includes(name))),
    ) as unknown as readonly BreakdownPart[];
    expect(recompute({ ...earlier, parts })).toBe(recompute(breakdown));
  });

  it('cannot show a price other than the one that was charged', () => {
    const from: PlanPriceInput = {
      currency: 'EUR',
      tax_behavior: 'inclusive',
      total_amount: 999,
      items: [],
    };
    expect(() => period(yearly, thousand, periodAt(yearly, 0), null, from)).toThrow(RangeError);
  });

  it('gives another amount when an input was changed afterwards', () => {
    const breakdown = brokenDown('EUR', [period(yearly, thousand, periodAt(yearly, 0))]);
    const [part] = breakdown.parts;
    expect(recompute({ ...breakdown, parts: [{ ...part, price: 1200 } as BreakdownPart] })).toBe(10_000);
    expect(recompute({ ...breakdown, parts: [{ ...part, amount: 1 } as BreakdownPart] })).toBe(8333);
  });

  const units = fc.constantFrom('DAY', 'WEEK', 'MONTH', 'MONTH_END', 'ANNUAL');
  const counts = fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 60 }));
  const charged = fc
    .record({
      currency: fc.constantFrom('EUR', 'JPY', 'KWD'),
      anchor: fc.integer({ min: Date.UTC(2015, 0), max: Date.UTC(2040, 0) }),
      timezone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York'),
      interval_unit: units,
      interval_count: counts,
      billing_interval: units,
      billing_interval_count: counts,
      index: fc.nat(40),
      price: fc.nat(1_000_000),
      is_prorated: fc.boolean(),
      cut: fc.option(fc.double({ min: 0, max: 1.5, noNaN: true })),
      fromItems: fc.boolean(),
    })
    .map(({ anchor, index, price, cut, fromItems, currency, is_prorated, ...rest }) => {
      const calendar = { ...rest, anchor: new Date(anchor) };
      const period = periodAt(calendar, index);
      const length = period.end.getTime() - period.start.getTime();
      const end = cut === null ? null : new Date(period.start.getTime() + Math.round(cut * length));
      const items = [{ ...item, price: toMajor(price * minorStep(currency), currency), discount: 0.15 }];
      const from: PlanPriceInput = { currency, tax_behavior: 'exclusive', total_amount: null, items };
      const price_minor = fromItems ? planPrice(from).price_minor : price * minorStep(currency);
      return {
        calendar,
        period,
        end,
        from: fromItems ? from : null,
        price: { price_minor, currency, is_prorated },
      };
    });

  it('leads back to the amount, from its stored form alone', () => {
    fc.assert(
      fc.property(charged, fc.nat(5000), ({ calendar, period: of, end, from, price }, fixed) => {
        const { currency } = price;
        const { amount_minor } = accruedCharge(calendar, price, of, end);
        const proration: ProrationInput = {
          mode: 'day',
          timezone: calendar.timezone,
          unit: calendar.billing_interval,
          count: calendar.billing_interval_count,
          base_minor: amount_minor,
          currency,
          start: of.start,
          end: of.end,
          at: end ?? of.start,
          is_prorated: price.is_prorated,
        };
        const fee = fixed * minorStep(currency);
        const breakdown = brokenDown(currency, [
          setupPart(fee, currency),
          period(calendar, price, of, end, from),
          prorationPart(proration, 'stop'),
          prorationPart(proration, 'used'),
          prorationPart(proration, 'unused'),
        ]);
        const { used_minor, unused_minor } = usedAndUnused(proration);
        const expected = fee + amount_minor - unused_minor + used_minor + unused_minor;
        expect(toMinor(breakdown.amount, currency)).toBe(expected);
        expect(recompute(stored(breakdown))).toBe(expected);
        expect(stored(breakdown)).toEqual(breakdown);
      }),
      { numRuns: 300 },
    );
  });
});
