import { minorStep, toMajor, toMinor } from '@commerce/kernel';
import fc from 'fast-check';
import { periodAt, type BillingCalendar, type IntervalUnit } from '../calendar/calendar.js';
import { prorateStop, usedAndUnused, type ProrationInput, type ProrationMode } from './proration.js';

const MODES = ['day', 'second', 'thirty'] as const;

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
/** The proration of 29.99 for March, local time of Berlin. */
const march: ProrationInput = {
  ...april,
  timezone: 'Europe/Berlin',
  base_minor: 2999,
  start: new Date('2025-02-28T23:00:00Z'),
  end: new Date('2025-03-31T22:00:00Z'),
  at: new Date('2025-03-10T23:00:00Z'),
};
const prorate = (input: ProrationInput) => toMajor(prorateStop(input), input.currency);
const at = (date: string) => ({ at: new Date(date) });

describe('prorate_amount of a stop', () => {
  it('is the unused days of the period, taken off', () => {
    expect(prorate(april)).toBe(-15);
    for (const mode of MODES) expect(prorate({ ...april, mode })).toBe(-15);
  });

  it('ignores the change of clocks by day, but not by second', () => {
    expect(prorate(march)).toBe(-20.32);
    expect(prorate({ ...march, mode: 'second' })).toBe(-20.3);
  });

  it('counts the day of the stop as used, except at exactly 00:00', () => {
    expect(prorate({ ...april, ...at('2025-04-16T00:00:00.001Z') })).toBe(-14);
    expect(prorate({ ...april, ...at('2025-04-15T23:59:59Z') })).toBe(-15);
    expect(prorate({ ...april, ...at('2025-04-01') })).toBe(-30);
    expect(prorate({ ...april, ...at('2025-04-01T00:00:01Z') })).toBe(-29);
  });

  it('is 0 on the last day, and after it', () => {
    for (const date of ['2025-04-30T00:00:01Z', '2025-05-01', '2025-06-01']) {
      expect(Object.is(prorate({ ...april, ...at(date) }), 0)).toBe(true);
    }
    expect(prorate({ ...april, ...at('2025-04-30') })).toBe(-1);
  });

  it('is all of a period that has not begun', () => {
    expect(prorate({ ...april, ...at('2025-03-20T12:00:00Z') })).toBe(-30);
  });

  it('is 0 of a price that is not prorated', () => {
    expect(Object.is(prorateStop({ ...april, is_prorated: false }), 0)).toBe(true);
    expect(usedAndUnused({ ...april, is_prorated: false }).used_minor).toBe(3000);
  });

  it('reads the day off the local clock of the company', () => {
    const newYork = {
      ...april,
      timezone: 'America/New_York',
      start: new Date('2025-04-01T04:00:00Z'),
      end: new Date('2025-05-01T04:00:00Z'),
    };
    // 16 April in UTC is still the 15th in New York.
    expect(prorate({ ...newYork, ...at('2025-04-16T03:00:00Z') })).toBe(-15);
    expect(prorate({ ...newYork, ...at('2025-04-16T04:00:00Z') })).toBe(-15);
    expect(prorate({ ...newYork, ...at('2025-04-16T05:00:00Z') })).toBe(-14);
  });

  it('rounds halves away from zero and to the step of the currency', () => {
    expect(prorateStop({ ...april, base_minor: 5 })).toBe(-3);
    expect(prorateStop({ ...april, currency: 'KWD', base_minor: 8330 })).toBe(-4170);
    expect(prorateStop({ ...april, currency: 'JPY', base_minor: 833 })).toBe(-417);
  });

  it('of a period that lasts less than a day is all or nothing', () => {
    const hours = {
      ...april,
      start: new Date('2025-04-01T08:00:00Z'),
      end: new Date('2025-04-01T18:00:00Z'),
    };
    expect(prorate({ ...hours, ...at('2025-04-01T12:00:00Z') })).toBe(0);
    expect(prorate({ ...hours, ...at('2025-04-01T07:00:00Z') })).toBe(-30);
  });
});

describe('days by 30/360', () => {
  const stop = (unit: IntervalUnit, start: string, end: string, date: string) => {
    const { unused, total } = usedAndUnused({
      ...april,
      mode: 'thirty',
      unit,
      start: new Date(start),
      end: new Date(end),
      at: new Date(date),
    });
    return [unused, total];
  };

  it('give every month thirty', () => {
    expect(stop('MONTH', '2025-03-01', '2025-04-01', '2025-03-11')).toEqual([20, 30]);
    expect(stop('MONTH', '2025-02-01', '2025-03-01', '2025-02-15')).toEqual([16, 30]);
    expect(stop('MONTH', '2025-02-01', '2025-03-01', '2025-02-01')).toEqual([30, 30]);
    expect(stop('MONTH_END', '2025-03-01', '2025-04-01', '2025-03-31')).toEqual([1, 30]);
  });

  it('give a month between clamped days thirty too', () => {
    expect(stop('MONTH', '2025-01-31', '2025-02-28', '2025-01-31')).toEqual([30, 30]);
    expect(stop('MONTH', '2025-01-31', '2025-02-28', '2025-02-15')).toEqual([15, 30]);
    expect(stop('MONTH', '2025-02-28', '2025-03-31', '2025-02-28')).toEqual([30, 30]);
    expect(stop('MONTH', '2025-02-28', '2025-03-31', '2025-03-01')).toEqual([29, 30]);
    expect(stop('MONTH', '2025-01-29', '2025-02-28', '2025-01-29')).toEqual([30, 30]);
  });

  it('give a year 360', () => {
    expect(stop('ANNUAL', '2025-01-01', '2026-01-01', '2025-07-01')).toEqual([180, 360]);
    expect(stop('ANNUAL', '2024-02-29', '2025-02-28', '2024-02-29')).toEqual([360, 360]);
    expect(stop('ANNUAL', '2027-02-28', '2028-02-29', '2027-02-28')).toEqual([360, 360]);
  });

  it('give a week seven and a day one', () => {
    expect(stop('WEEK', '2025-02-26', '2025-03-05', '2025-02-27')).toEqual([6, 7]);
    expect(stop('DAY', '2025-02-28', '2025-03-01', '2025-02-28')).toEqual([1, 1]);
    expect(stop('DAY', '2025-02-28', '2025-03-01', '2025-02-28T10:00:00Z')).toEqual([0, 1]);
  });

  it('divide the stub of a calendar month by its own days', () => {
    expect(stop('MONTH_END', '2025-02-10', '2025-03-01', '2025-02-10')).toEqual([21, 21]);
    expect(stop('MONTH_END', '2025-02-10', '2025-03-01', '2025-02-20')).toEqual([11, 21]);
  });
});

describe('pause and resume', () => {
  it('bill the used part and collect the rest, which together are the charge', () => {
    const { used_minor, unused_minor } = usedAndUnused({ ...april, ...at('2025-04-10T09:00:00Z') });
    expect([used_minor, unused_minor]).toEqual([1000, 2000]);
    expect(usedAndUnused({ ...april, ...at('2025-04-20T09:00:00Z') }).unused_minor).toBe(1000);
  });

  it('explain the amounts', () => {
    expect(usedAndUnused({ ...april, base_minor: 1000 })).toEqual({
      used_minor: 500,
      unused_minor: 500,
      unused: 15,
      total: 30,
      steps: [{ rule: 'proration.unused_by_day', exact: '5', rounded: 5 }],
    });
  });

  const anyInput = fc
    .record({
      mode: fc.constantFrom<ProrationMode>(...MODES),
      timezone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York'),
      unit: fc.constantFrom<IntervalUnit>('DAY', 'WEEK', 'MONTH', 'MONTH_END', 'ANNUAL'),
      count: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 60 })),
      anchor: fc.oneof(
        fc.integer({ min: Date.UTC(2015, 0), max: Date.UTC(2040, 0) }),
        fc.nat(5000).map((day) => Date.UTC(2015, 0, 1 + day)),
      ),
      index: fc.nat(30),
      currency: fc.constantFrom('EUR', 'JPY', 'KWD'),
      amount: fc.nat(10_000_000),
      share: fc.double({ min: -0.1, max: 1.1, noNaN: true }),
      is_prorated: fc.boolean(),
    })
    .map(({ anchor, index, amount, share, ...rest }): ProrationInput => {
      const calendar: BillingCalendar = {
        anchor: new Date(anchor),
        timezone: rest.timezone,
        interval_unit: rest.unit,
        interval_count: rest.count,
        billing_interval: rest.unit,
        billing_interval_count: rest.count,
      };
      const { start, end } = periodAt(calendar, index);
      const length = end.getTime() - start.getTime();
      return {
        ...rest,
        start,
        end,
        at: new Date(start.getTime() + Math.round(share * length)),
        base_minor: amount * minorStep(rest.currency),
      };
    });

  it('divide any charge without loss', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const { used_minor, unused_minor, unused, total } = usedAndUnused(input);
        expect(used_minor + unused_minor).toBe(input.base_minor);
        expect(Math.min(used_minor, unused_minor)).toBeGreaterThanOrEqual(0);
        expect(unused_minor % minorStep(input.currency)).toBe(0);
        expect(unused).toBeGreaterThanOrEqual(0);
        expect(unused).toBeLessThanOrEqual(total);
        expect(toMinor(toMajor(prorateStop(input), input.currency), input.currency)).toBe(0 - unused_minor);
      }),
      { numRuns: 400 },
    );
  });

  it('take all before the period, nothing from its end on, and ever less in between', () => {
    fc.assert(
      fc.property(anyInput, fc.nat(40 * 86_400_000), (some, more) => {
        const input = { ...some, is_prorated: true };
        const later = { ...input, at: new Date(input.at.getTime() + more) };
        expect(usedAndUnused(later).unused_minor).toBeLessThanOrEqual(usedAndUnused(input).unused_minor);
        const before = { ...input, at: new Date(input.start.getTime() - 1) };
        expect(usedAndUnused(before).unused_minor).toBe(input.base_minor);
        expect(usedAndUnused({ ...input, at: input.end }).unused_minor).toBe(0);
      }),
      { numRuns: 400 },
    );
  });

  it('mirror: a credit is prorated as its charge', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const credit = { ...input, base_minor: 0 - input.base_minor };
        expect(usedAndUnused(credit).unused_minor).toBe(0 - usedAndUnused(input).unused_minor);
      }),
    );
  });
});
