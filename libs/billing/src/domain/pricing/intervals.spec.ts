import { toMajor, toMinor } from '@commerce/kernel';
import {
  endOfUnits,
  periodAt,
  unitsUpTo,
  type BillingCalendar,
  type IntervalUnit,
} from '../calendar/calendar.js';
import { accruedCharge } from './accrual.js';

type Every = readonly [count: number, unit: IntervalUnit];

const calendar = (anchor: string, price: Every, charge: Every = price): BillingCalendar => ({
  anchor: new Date(anchor),
  timezone: 'UTC',
  interval_unit: price[1],
  interval_count: price[0],
  billing_interval: charge[1],
  billing_interval_count: charge[0],
});

const dates = (of: BillingCalendar, count: number) =>
  Array.from({ length: count }, (_, i) => periodAt(of, i).end.toISOString().slice(0, 10));

const charge = (of: BillingCalendar, price: number, index: number, end: string | null = null) =>
  accruedCharge(
    of,
    { price_minor: toMinor(price, 'EUR'), currency: 'EUR', is_prorated: true },
    periodAt(of, index),
    end === null ? null : new Date(end),
  ).amount_minor;

const charges = (of: BillingCalendar, price: number, count: number) =>
  Array.from({ length: count }, (_, i) => toMajor(charge(of, price, i), 'EUR'));

describe('intervals of several units', () => {
  it('are counted from the anchor: a quarter from the 31st does not drift', () => {
    const quarters = calendar('2026-01-31', [3, 'MONTH']);
    expect(dates(quarters, 4)).toEqual(['2026-04-30', '2026-07-31', '2026-10-31', '2027-01-31']);
    expect(charges(quarters, 90, 4)).toEqual([90, 90, 90, 90]);
  });

  it('of four weeks are 28 local days', () => {
    const berlin = { ...calendar('2026-03-08T23:00:00Z', [4, 'WEEK']), timezone: 'Europe/Berlin' };
    expect(periodAt(berlin, 0).end).toEqual(new Date('2026-04-05T22:00:00Z'));
    expect(dates(calendar('2026-03-01', [28, 'DAY']), 2)).toEqual(
      dates(calendar('2026-03-01', [4, 'WEEK']), 2),
    );
    // A day of four weeks is a 28th.
    expect(charge(berlin, 28, 0, '2026-03-18T23:00:00Z')).toBe(1000);
  });

  it('of calendar months begin with a stub that costs its part of one month', () => {
    const quarters = calendar('2026-02-10', [3, 'MONTH_END']);
    expect(dates(quarters, 3)).toEqual(['2026-03-01', '2026-06-01', '2026-09-01']);
    expect(charges(quarters, 84, 3)).toEqual([19, 84, 84]);
    expect(charges(calendar('2026-03-01', [3, 'MONTH_END']), 84, 2)).toEqual([84, 84]);
    // Collected by the month: 28.00 each.
    expect(charges(calendar('2026-02-10', [3, 'MONTH_END'], [1, 'MONTH_END']), 84, 5)).toEqual([
      19, 28, 28, 28, 28,
    ]);
  });

  it('count as one of interval_total each', () => {
    const quarters = calendar('2026-01-31', [3, 'MONTH'], [1, 'MONTH']);
    expect(endOfUnits(quarters, 2)).toEqual(new Date('2026-07-31'));
    expect(unitsUpTo(quarters, new Date('2026-07-30'))).toBe(1);
    expect(unitsUpTo(quarters, new Date('2026-07-31'))).toBe(2);
  });

  it('come in equal parts where the money is collected in whole months', () => {
    expect(charges(calendar('2026-01-31', [1, 'ANNUAL'], [3, 'MONTH']), 1000, 4)).toEqual([
      250, 250, 250, 250,
    ]);
    expect(charges(calendar('2026-01-31', [3, 'MONTH'], [1, 'MONTH']), 100, 3)).toEqual([
      33.33, 33.34, 33.33,
    ]);
    expect(charges(calendar('2026-01-31', [2, 'ANNUAL'], [1, 'ANNUAL']), 1000, 2)).toEqual([500, 500]);
    // Neither divides the other: two months' price in a quarter is one and a half of it.
    expect(charges(calendar('2026-01-31', [2, 'MONTH'], [3, 'MONTH']), 40, 2)).toEqual([60, 60]);
    expect(charges(calendar('2026-01-31', [1, 'ANNUAL'], [5, 'MONTH']), 120, 3)).toEqual([50, 50, 50]);
  });

  it('grow by local days within a part that an end cuts', () => {
    // The first quarter of 2026 has 90 days; 45 of them end on 15 February.
    expect(charge(calendar('2026-01-01', [3, 'MONTH']), 90, 0, '2026-02-15')).toBe(4500);
    expect(charge(calendar('2026-01-01', [1, 'ANNUAL'], [3, 'MONTH']), 360, 0, '2026-02-15')).toBe(4500);
  });
});
