import { wallTimeOf } from '@commerce/kernel';

import type { Interval } from '../calendar/calendar.js';
import { countDays } from './day-count.js';

/** The days of the table that are left from a date on, and all of them. */
const thirty = (interval: Interval, start: string, end: string, at: string): readonly number[] => {
  const counting = { mode: 'thirty', timezone: 'UTC', interval } as const;
  const count = countDays(new Date(start), new Date(end), counting);
  return [count.from(wallTimeOf(new Date(at), 'UTC').day), count.total];
};
const one = (unit: Interval['unit'], start: string, end: string, at: string) =>
  thirty({ unit, count: 1 }, start, end, at);

describe('days by 30/360', () => {
  it('give every month thirty', () => {
    expect(one('MONTH', '2025-03-01', '2025-04-01', '2025-03-11')).toEqual([20, 30]);
    expect(one('MONTH', '2025-02-01', '2025-03-01', '2025-02-15')).toEqual([16, 30]);
    expect(one('MONTH', '2025-02-01', '2025-03-01', '2025-02-01')).toEqual([30, 30]);
    expect(one('MONTH_END', '2025-03-01', '2025-04-01', '2025-03-31')).toEqual([1, 30]);
  });

  it('give a month between clamped days thirty too', () => {
    expect(one('MONTH', '2025-01-31', '2025-02-28', '2025-01-31')).toEqual([30, 30]);
    expect(one('MONTH', '2025-01-31', '2025-02-28', '2025-02-15')).toEqual([15, 30]);
    expect(one('MONTH', '2025-02-28', '2025-03-31', '2025-02-28')).toEqual([30, 30]);
    expect(one('MONTH', '2025-02-28', '2025-03-31', '2025-03-01')).toEqual([29, 30]);
    expect(one('MONTH', '2025-01-29', '2025-02-28', '2025-01-29')).toEqual([30, 30]);
  });

  it('give a quarter 90 and a year 360', () => {
    expect(thirty({ unit: 'MONTH', count: 3 }, '2026-01-31', '2026-04-30', '2026-03-15')).toEqual([45, 90]);
    expect(one('ANNUAL', '2025-01-01', '2026-01-01', '2025-07-01')).toEqual([180, 360]);
    expect(one('ANNUAL', '2024-02-29', '2025-02-28', '2024-02-29')).toEqual([360, 360]);
    expect(one('ANNUAL', '2027-02-28', '2028-02-29', '2027-02-28')).toEqual([360, 360]);
  });

  it('give a week seven and a day one', () => {
    expect(one('WEEK', '2025-02-26', '2025-03-05', '2025-02-27')).toEqual([6, 7]);
    expect(thirty({ unit: 'WEEK', count: 4 }, '2026-01-01', '2026-01-29', '2026-01-11')).toEqual([18, 28]);
    expect(one('DAY', '2025-02-28', '2025-03-01', '2025-02-28')).toEqual([1, 1]);
  });

  it('divide the stub of a calendar month by its own days', () => {
    expect(one('MONTH_END', '2025-02-10', '2025-03-01', '2025-02-10')).toEqual([21, 21]);
    expect(one('MONTH_END', '2025-02-10', '2025-03-01', '2025-02-20')).toEqual([11, 21]);
  });
});
