import { minorStep, toMajor, toMinor, type PriceLine } from '@commerce/kernel';
import fc from 'fast-check';
import { accruedCharge } from './accrual.js';
import {
  breakdownOf,
  bookedPart,
  outstandingPart,
  periodPart,
  recompute,
  setupPart,
  type Breakdown,
  type BreakdownPart,
  type PeriodInput,
  type PeriodPart,
  type PricedPart,
} from './breakdown.js';
import { periodAt, type BillingCalendar, type CalendarPeriod } from '../calendar/calendar.js';
import { planPrice, type PlanPriceInput } from './pricing.js';
import { ratesOf } from './period-rates.js';
import { ownedMinor } from './proration.js';

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
const THOUSAND: PlanPriceInput = {
  currency: 'EUR',
  tax_behavior: 'inclusive',
  total_amount: 1000,
  items: [],
};

/** `owned` of `total` days of a period at a price, which was charged before where it is frozen. */
interface Case {
  readonly priced_from: PlanPriceInput;
  readonly is_prorated?: boolean;
  readonly service_end?: Date | null;
  readonly share?: readonly [owned: number, total: number];
  readonly isFrozen?: boolean;
}

const period = (calendar: BillingCalendar, at: CalendarPeriod, one: Case): PricedPart<PeriodPart> => {
  const { priced_from, is_prorated = true, service_end = null, share = [1, 1], isFrozen = false } = one;
  const { currency } = priced_from;
  const plan = planPrice(priced_from);
  const { price_minor, discounted } = plan;
  const price = { price_minor, discounted, currency, is_prorated };
  const whole_minor = accruedCharge(calendar, price, at, service_end).amount_minor;
  const [owned, total] = share;
  const ranges = owned === 0 ? [] : ([[0, owned]] as const);
  return periodPart({
    ...{ calendar, period: at, service_end, currency, whole_minor, ranges, total, is_prorated },
    amount_minor: ownedMinor(whole_minor, { ranges, total }, currency),
    mode: 'day',
    from: at.start,
    to: at.end,
    priced_from: isFrozen ? null : priced_from,
    taxes: ratesOf(plan, calendar, at).map(({ rate, gross_minor: weight }) => ({ rate, weight })),
  });
};
const monthly = {
  ...yearly,
  anchor: new Date('2025-04-01'),
  timezone: 'UTC',
  interval_unit: 'MONTH',
} as const;
const THIRTY = { ...THOUSAND, total_amount: 30 };
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
    const breakdown = brokenDown('EUR', [
      setupPart(1000, 'EUR'),
      period(monthly, periodAt(monthly, 0), { priced_from: THIRTY }),
    ]);
    expect(breakdown.amount).toBe(40);
    expect(recompute(stored(breakdown))).toBe(4000);
  });

  it('has a part of the period for all terms that held, less what its books hold', () => {
    const april = periodAt(monthly, 0);
    const breakdown = brokenDown('EUR', [
      period(monthly, april, { priced_from: THIRTY, share: [15, 30], isFrozen: true }),
      period(monthly, april, { priced_from: { ...THIRTY, total_amount: 60 }, share: [15, 30] }),
      bookedPart(3000, 'EUR', undefined),
      outstandingPart(4000, 'EUR'),
    ]);
    expect(breakdown.parts.map(({ amount }) => amount)).toEqual([15, 30, -30, 40]);
    expect(breakdown.amount).toBe(55);
    expect(recompute(stored(breakdown))).toBe(5500);
    expect(breakdown.parts[1]).toMatchObject({
      ...{ whole: 60, ranges: [[0, 15]], total: 30, mode: 'day' },
      steps: [
        { rule: 'period.accrued_at_end' },
        { rule: 'period.accrued_at_start' },
        { rule: 'proration.rest_by_day' },
      ],
    });
  });

  it('shows the inputs, the rounding steps and the VAT of a period', () => {
    const from: PlanPriceInput = {
      currency: 'EUR',
      tax_behavior: 'inclusive',
      total_amount: null,
      items: [item],
    };
    const { part: shown } = period(yearly, periodAt(yearly, 1), { priced_from: from });
    expect(shown).toEqual({
      kind: 'period',
      amount: 83.34,
      anchor: Date.parse('2025-01-31T10:30:00Z'),
      timezone: 'Europe/Berlin',
      interval_unit: 'ANNUAL',
      interval_count: 1,
      billing_interval: 'MONTH',
      billing_interval_count: 1,
      index: 1,
      start: Date.parse('2025-02-28T10:30:00Z'),
      end: Date.parse('2025-03-31T09:30:00Z'),
      service_end: null,
      from: Date.parse('2025-02-28T10:30:00Z'),
      to: Date.parse('2025-03-31T09:30:00Z'),
      whole: 83.34,
      priced_from: from,
      mode: 'day',
      ranges: [[0, 1]],
      total: 1,
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
      const { part, amount_minor } = period(yearlyAtOnce, periodAt(yearlyAtOnce, 0), { priced_from: from });
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

  it('cannot show a price other than the one that was charged', () => {
    const { part } = period(yearly, periodAt(yearly, 0), { priced_from: THOUSAND });
    const input: PeriodInput = {
      ...{ calendar: yearly, period: periodAt(yearly, 0), service_end: null, currency: 'EUR' },
      ...{ whole_minor: 8332, amount_minor: 8332, ranges: [[0, 1]], total: 1, is_prorated: true },
      ...{ from: new Date(part.from), to: new Date(part.to), priced_from: THOUSAND, taxes: [] },
      mode: 'day',
    };
    expect(() => periodPart(input)).toThrow(RangeError);
  });

  it('gives another amount when an input was changed afterwards', () => {
    const breakdown = brokenDown('EUR', [period(yearly, periodAt(yearly, 0), { priced_from: THOUSAND })]);
    const [part] = breakdown.parts;
    const dearer = { ...part, priced_from: { ...THOUSAND, total_amount: 1200 } } as BreakdownPart;
    expect(recompute({ ...breakdown, parts: [dearer] })).toBe(10_000);
    expect(recompute({ ...breakdown, parts: [{ ...part, total: 2 } as BreakdownPart] })).toBe(4166);
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
      const amount = toMajor(price * minorStep(currency), currency);
      const items = fromItems ? [{ ...item, price: amount, discount: 0.15 }] : [];
      const priced_from: PlanPriceInput = {
        ...{ currency, tax_behavior: 'exclusive', items },
        total_amount: fromItems ? null : amount,
      };
      return { calendar, period, end, priced_from, is_prorated };
    });

  it('leads back to the amount, from its stored form alone', () => {
    fc.assert(
      fc.property(charged, fc.nat(5000), fc.nat(30), fc.boolean(), (one, fixed, owned, isFrozen) => {
        const { calendar, period: of, end: service_end, priced_from, is_prorated } = one;
        const { currency } = priced_from;
        const fee = fixed * minorStep(currency);
        const share = [owned, 30] as const;
        const own = period(calendar, of, { priced_from, is_prorated, service_end, share, isFrozen });
        const breakdown = brokenDown(currency, [
          setupPart(fee, currency),
          own,
          bookedPart(own.amount_minor, currency, undefined),
        ]);
        expect(toMinor(breakdown.amount, currency)).toBe(fee);
        expect(recompute(stored(breakdown))).toBe(fee);
        expect(stored(breakdown)).toEqual(breakdown);
      }),
      { numRuns: 300 },
    );
  });
});
