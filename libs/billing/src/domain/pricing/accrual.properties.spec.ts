import { minorStep } from '@commerce/kernel';
import fc from 'fast-check';
import { accruedCharge, wholePeriodMinor } from './accrual.js';
import { endOfUnits, periodAt, periodBoundary, periodIndexAt, unitBoundary } from '../calendar/calendar.js';

const UNITS = ['DAY', 'WEEK', 'MONTH', 'MONTH_END', 'ANNUAL'] as const;

describe('any pair of price and billing interval', () => {
  const anyCount = fc.oneof(fc.constant(1), fc.integer({ min: 2, max: 12 }), fc.integer({ min: 1, max: 60 }));
  const anyCalendar = fc.record({
    anchor: fc.oneof(
      fc.integer({ min: Date.UTC(2010, 0), max: Date.UTC(2040, 0) }).map((ms) => new Date(ms)),
      fc.integer({ min: 0, max: 9000 }).map((day) => new Date(Date.UTC(2010, 0, 1 + day))),
      fc.integer({ min: 0, max: 300 }).map((month) => new Date(Date.UTC(2010, month, 1))),
    ),
    timezone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'America/Sao_Paulo'),
    interval_unit: fc.constantFrom(...UNITS),
    interval_count: anyCount,
    billing_interval: fc.constantFrom(...UNITS),
    billing_interval_count: anyCount,
  });
  const price = fc.constantFrom('EUR', 'JPY', 'KWD').chain((currency) =>
    fc.record({
      price_minor: fc.integer({ min: 0, max: 5_000_000 }).map((n) => n * minorStep(currency)),
      currency: fc.constant(currency),
      is_prorated: fc.constant(true),
    }),
  );

  it('is charged the price of each unit, to the last step of the currency', () => {
    fc.assert(
      fc.property(anyCalendar, price, fc.integer({ min: 1, max: 3 }), (of, terms, units) => {
        const end = endOfUnits(of, units + 1);
        const first = unitBoundary(of, 1);
        const from = periodIndexAt(of, first);
        const to = periodIndexAt(of, new Date(end.getTime() - 1));
        const upTo = (until: Date, last: number) => {
          let sum = 0;
          for (let i = 0; i <= last; i += 1) {
            const { amount_minor } = accruedCharge(of, terms, periodAt(of, i), until);
            expect(amount_minor).toBeGreaterThanOrEqual(0);
            expect(amount_minor % minorStep(terms.currency)).toBe(0);
            sum += amount_minor;
          }
          return sum;
        };
        // The first unit may be a stub; all later ones cost the price.
        expect(upTo(end, to) - upTo(first, from)).toBe(units * terms.price_minor);
        const isStub = of.interval_unit === 'MONTH_END';
        if (!isStub) expect(upTo(first, from)).toBe(terms.price_minor);
      }),
      { numRuns: 150 },
    );
  });

  it('costs the same for a whole period without the roundings', () => {
    const lower = fc.option(fc.record({ price_minor: fc.constant(0), from: fc.integer({ min: 0, max: 9 }) }));
    fc.assert(
      fc.property(
        anyCalendar,
        price,
        fc.boolean(),
        lower,
        fc.integer({ min: 0, max: 40 }),
        (of, terms, isOne, less, index) => {
          const { interval_unit: billing_interval, interval_count: billing_interval_count } = of;
          const calendar = isOne ? { ...of, billing_interval, billing_interval_count } : of;
          const discounted = less && { ...less, until: null };
          const period = periodAt(calendar, index);
          const { amount_minor } = accruedCharge(calendar, { ...terms, discounted }, period, null);
          expect(wholePeriodMinor(calendar, { ...terms, discounted }, period)).toBe(amount_minor);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('never costs more for a part than for the whole, nor less for more', () => {
    fc.assert(
      fc.property(
        anyCalendar,
        price,
        fc.nat(40),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (of, terms, index, a, b) => {
          const period = periodAt(of, index);
          const at = (share: number) =>
            new Date(period.start.getTime() + share * (period.end.getTime() - period.start.getTime()));
          const part = (share: number) => accruedCharge(of, terms, period, at(share)).amount_minor;
          expect(part(Math.min(a, b))).toBeLessThanOrEqual(part(Math.max(a, b)));
          expect(part(Math.max(a, b))).toBeLessThanOrEqual(
            accruedCharge(of, terms, period, null).amount_minor,
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  it('charges a period the same amount from any starting point', () => {
    fc.assert(
      fc.property(anyCalendar, price, fc.nat(60), (of, terms, index) => {
        const period = { index, start: periodBoundary(of, index), end: periodBoundary(of, index + 1) };
        expect(accruedCharge(of, terms, period, null)).toEqual(
          accruedCharge(of, terms, periodAt(of, index), period.end),
        );
      }),
    );
  });
});
