import { toMajor, toMinor } from '@commerce/kernel';
import { accruedCharge } from './accrual.js';
import { endOfUnits, periodAt, type BillingCalendar, type IntervalUnit } from '../calendar/calendar.js';

const calendar = (
  anchor: string,
  interval_unit: IntervalUnit,
  billing_interval: IntervalUnit = interval_unit,
  timezone = 'UTC',
): BillingCalendar => ({
  anchor: new Date(anchor),
  timezone,
  interval_unit,
  interval_count: 1,
  billing_interval,
  billing_interval_count: 1,
});

interface Terms {
  currency?: string;
  is_prorated?: boolean;
  end?: string;
}

const charge = (of: BillingCalendar, price: number, index: number, terms: Terms = {}) => {
  const { currency = 'EUR', is_prorated = true, end } = terms;
  return accruedCharge(
    of,
    { price_minor: toMinor(price, currency), currency, is_prorated },
    periodAt(of, index),
    end === undefined ? null : new Date(end),
  );
};

const charges = (of: BillingCalendar, price: number, count: number, terms: Terms = {}) =>
  Array.from({ length: count }, (_, i) =>
    toMajor(charge(of, price, i, terms).amount_minor, terms.currency ?? 'EUR'),
  );

const four = (...amounts: number[]) => [...amounts, ...amounts, ...amounts, ...amounts];

describe('a year collected monthly', () => {
  it('comes in twelve equal parts that add up to the price', () => {
    const months = calendar('2025-01-01', 'ANNUAL', 'MONTH');
    expect(charges(months, 1000, 12)).toEqual(four(83.33, 83.34, 83.33));
    expect(charges(months, 10_000, 12, { currency: 'JPY' })).toEqual(four(833, 834, 833));
    expect(charges(months, 100, 12, { currency: 'KWD' })).toEqual(four(8.33, 8.34, 8.33));
    expect(charges(months, 1000, 24).slice(12)).toEqual(four(83.33, 83.34, 83.33));
  });

  it('comes so from the 31st, the 29th of February and in any timezone too', () => {
    for (const anchor of ['2025-01-31T15:30:00Z', '2024-02-29', '2024-10-26T22:30:00Z']) {
      expect(charges(calendar(anchor, 'ANNUAL', 'MONTH', 'Europe/Berlin'), 1000, 12)).toEqual(
        four(83.33, 83.34, 83.33),
      );
    }
  });

  it('comes in equal parts by calendar months when it starts with one', () => {
    expect(charges(calendar('2025-03-01', 'ANNUAL', 'MONTH_END'), 1000, 12)).toEqual(
      four(83.33, 83.34, 83.33),
    );
    const newYork = calendar('2025-03-01T05:00:00Z', 'ANNUAL', 'MONTH_END', 'America/New_York');
    expect(charges(newYork, 1000, 12)).toEqual(four(83.33, 83.34, 83.33));
  });

  it('comes by days when a calendar month cuts across', () => {
    const year = charges(calendar('2025-01-15', 'ANNUAL', 'MONTH_END'), 365, 13);
    expect(year).toEqual([17, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31, 31]);
    // The start at an hour of the day changes nothing: its day counts.
    expect(charges(calendar('2025-01-15T10:30:00Z', 'ANNUAL', 'MONTH_END'), 365, 13)).toEqual(year);
  });

  it('costs its part of the month when an end cuts it', () => {
    const months = calendar('2025-01-01', 'ANNUAL', 'MONTH');
    // Accrued up to 16 April: 3.5 of 12 months, 291.67; before April: 250.00.
    const cut = charge(months, 1000, 3, { end: '2025-04-16' });
    expect(cut.amount_minor).toBe(4167);
  });
});

describe('a billing interval longer than the unit', () => {
  it('costs one price per day of the month', () => {
    const days = calendar('2025-01-01', 'DAY', 'MONTH');
    expect(charges(days, 1, 3)).toEqual([31, 28, 31]);
    expect(charges(calendar('2024-01-31', 'DAY', 'MONTH'), 1, 3)).toEqual([29, 31, 30]);
    expect(charges(calendar('2024-02-01', 'DAY', 'MONTH'), 1, 1)).toEqual([29]);
  });

  it('counts the day of the start up to the next 1st', () => {
    const days = calendar('2025-01-10T10:30:00Z', 'DAY', 'MONTH_END');
    expect(charges(days, 1, 3)).toEqual([22, 28, 31]);
    // Thirty days end on 9 February at 10:30.
    expect(charge(days, 1, 1, { end: '2025-02-09T10:30:00Z' }).amount_minor).toBe(800);
  });

  it('adds whole weeks and the days of the partial one', () => {
    expect(charges(calendar('2025-06-02', 'WEEK', 'MONTH'), 7, 2)).toEqual([30, 31]);
    expect(charges(calendar('2025-01-01', 'MONTH', 'ANNUAL'), 10, 2)).toEqual([120, 120]);
    expect(charges(calendar('2025-01-15', 'MONTH_END', 'ANNUAL'), 31, 1)).toEqual([17 + 11 * 31 + 14]);
  });
});

describe('weekly periods of a month', () => {
  const weeks = calendar('2025-06-01', 'MONTH', 'WEEK');

  it('run on across the month and take each month’s own days', () => {
    expect(charges(weeks, 100, 5)).toEqual([23.33, 23.34, 23.33, 23.33, 22.8]);
  });

  it('cost nothing more than the month when it is the last', () => {
    const end = endOfUnits(weeks, 1).toISOString();
    expect(charges(weeks, 100, 4)).toEqual([23.33, 23.34, 23.33, 23.33]);
    expect(charge(weeks, 100, 4, { end }).amount_minor).toBe(667);
  });

  it('are the same by the local days of a month in which the clocks change', () => {
    const berlin = calendar('2025-02-28T23:00:00Z', 'MONTH', 'WEEK', 'Europe/Berlin');
    expect(charges(berlin, 31, 4)).toEqual([7, 7, 7, 7]);
  });
});

describe('calendar months', () => {
  const start = calendar('2025-02-10', 'MONTH_END');

  it('begin with a stub that costs its days', () => {
    expect(charges(start, 28, 3)).toEqual([19, 28, 28]);
    expect(charges(calendar('2025-02-10T17:45:00Z', 'MONTH_END'), 28, 2)).toEqual([19, 28]);
    expect(charges(calendar('2025-01-31T23:59:59Z', 'MONTH_END'), 31, 2)).toEqual([1, 31]);
  });

  it('begin with a free stub when the price is not prorated', () => {
    expect(charges(start, 28, 2, { is_prorated: false })).toEqual([0, 28]);
  });

  it('are whole from a 1st at 00:00 on', () => {
    expect(charges(calendar('2025-02-01', 'MONTH_END'), 28, 2, { is_prorated: false })).toEqual([28, 28]);
    // In São Paulo 1 November 2015 at 00:00 is 02:00 UTC.
    const local = calendar('2015-11-01T02:00:00Z', 'MONTH_END', 'MONTH_END', 'America/Sao_Paulo');
    expect(charges(local, 28, 1, { is_prorated: false })).toEqual([28]);
  });

  it('collected by the week follow the stub and then each month', () => {
    const weeks = calendar('2025-02-10', 'MONTH_END', 'WEEK');
    // 19 stub days at 1.00, then March at 28/31 a day.
    expect(charges(weeks, 28, 4)).toEqual([7, 7, 6.81, 6.32]);
    expect(charges(weeks, 28, 3, { is_prorated: false })).toEqual([0, 0, 1.81]);
  });
});

describe('a period that a known end cuts', () => {
  const april = calendar('2025-04-01', 'MONTH');

  it('costs its days when the price is prorated', () => {
    expect(charge(april, 30, 0, { end: '2025-04-16' }).amount_minor).toBe(1500);
  });

  it('counts the day in which the service ends', () => {
    expect(charge(april, 30, 0, { end: '2025-04-16T12:00:00Z' }).amount_minor).toBe(1600);
    expect(charge(april, 30, 0, { end: '2025-04-30T23:59:59Z' }).amount_minor).toBe(3000);
    const fromNoon = calendar('2025-04-01T12:00:00Z', 'MONTH');
    expect(charge(fromNoon, 30, 0, { end: '2025-04-16T00:00:00Z' }).amount_minor).toBe(1500);
    expect(charge(fromNoon, 30, 0, { end: '2025-04-16T12:00:00Z' }).amount_minor).toBe(1600);
  });

  it('costs the whole when the price is not prorated', () => {
    expect(charge(april, 30, 0, { end: '2025-04-16', is_prorated: false }).amount_minor).toBe(3000);
  });

  it('costs nothing when the service ended before it', () => {
    for (const is_prorated of [true, false]) {
      expect(charge(april, 30, 1, { end: '2025-05-01', is_prorated }).amount_minor).toBe(0);
    }
  });

  it('is whole when the end comes with it or later', () => {
    expect(charge(april, 30, 0, { end: '2025-05-01' }).amount_minor).toBe(3000);
    expect(charge(april, 30, 0, { end: '2026-05-01' }).amount_minor).toBe(3000);
  });
});

describe('the rounding steps of a charge', () => {
  it('are the two points between which it lies', () => {
    expect(charge(calendar('2025-01-01', 'ANNUAL', 'MONTH'), 1000, 1).steps).toEqual([
      { rule: 'period.accrued_at_end', exact: '500/3', rounded: 166.67 },
      { rule: 'period.accrued_at_start', exact: '250/3', rounded: 83.33 },
    ]);
  });

  it('refuse a price that the currency does not have', () => {
    const of = calendar('2025-01-01', 'MONTH');
    for (const [price_minor, currency] of [
      [1005, 'KWD'],
      [0.5, 'EUR'],
      [NaN, 'EUR'],
    ] as const) {
      expect(() =>
        accruedCharge(of, { price_minor, currency, is_prorated: true }, periodAt(of, 0), null),
      ).toThrow(expect.objectContaining({ code: 'amount.invalid' }));
    }
  });
});
