import fc from 'fast-check';
import {
  anchorWall,
  endOfUnits,
  periodAt,
  periodBoundary,
  periodIndexAt,
  startsWithMonth,
  unitBoundary,
  unitsBegunBefore,
  unitsUpTo,
  type BillingCalendar,
  type IntervalUnit,
} from './calendar.js';

const UNITS = ['DAY', 'WEEK', 'MONTH', 'MONTH_END', 'ANNUAL'] as const;
const TIMEZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Sao_Paulo',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
];

const calendar = (
  anchor: string,
  interval_unit: IntervalUnit,
  timezone = 'UTC',
  billing_interval: IntervalUnit = interval_unit,
): BillingCalendar => ({
  anchor: new Date(anchor),
  timezone,
  interval_unit,
  interval_count: 1,
  billing_interval,
  billing_interval_count: 1,
});

const dates = (of: BillingCalendar, count: number) =>
  Array.from({ length: count }, (_, i) =>
    periodBoundary(of, i + 1)
      .toISOString()
      .slice(0, 10),
  );

const minutes = (of: BillingCalendar, from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) =>
    periodBoundary(of, from + i)
      .toISOString()
      .slice(0, 16),
  );

describe('boundaries', () => {
  it('of months are counted from the anchor, clamped to each month', () => {
    expect(dates(calendar('2025-01-31', 'MONTH'), 4)).toEqual([
      '2025-02-28',
      '2025-03-31',
      '2025-04-30',
      '2025-05-31',
    ]);
    expect(dates(calendar('2024-01-30', 'MONTH'), 3)).toEqual(['2024-02-29', '2024-03-30', '2024-04-30']);
    expect(dates(calendar('2024-12-31', 'MONTH'), 14)).toEqual([
      '2025-01-31',
      '2025-02-28',
      '2025-03-31',
      '2025-04-30',
      '2025-05-31',
      '2025-06-30',
      '2025-07-31',
      '2025-08-31',
      '2025-09-30',
      '2025-10-31',
      '2025-11-30',
      '2025-12-31',
      '2026-01-31',
      '2026-02-28',
    ]);
  });

  it('of years keep the 29th of February', () => {
    const leap = calendar('2024-02-29', 'ANNUAL');
    expect(dates(leap, 4)).toEqual(['2025-02-28', '2026-02-28', '2027-02-28', '2028-02-29']);
    const noon = new Date('2025-02-28T12:00:00Z');
    expect(periodIndexAt(leap, noon)).toBe(1);
    expect(periodIndexAt(leap, new Date('2025-02-27T23:59:59.999Z'))).toBe(0);
  });

  it('of calendar months begin with a stub where the start lies inside a month', () => {
    expect(dates(calendar('2025-02-10', 'MONTH_END'), 3)).toEqual(['2025-03-01', '2025-04-01', '2025-05-01']);
    expect(dates(calendar('2025-02-01', 'MONTH_END'), 2)).toEqual(['2025-03-01', '2025-04-01']);
    expect(minutes(calendar('2025-02-01T10:30:00Z', 'MONTH_END'), 0, 2)).toEqual([
      '2025-02-01T10:30',
      '2025-03-01T00:00',
      '2025-04-01T00:00',
    ]);
  });

  it('of days and weeks are local ones', () => {
    expect(dates(calendar('2024-02-28', 'DAY'), 2)).toEqual(['2024-02-29', '2024-03-01']);
    expect(minutes(calendar('2025-03-29T23:00:00Z', 'DAY', 'Europe/Berlin'), 0, 2)).toEqual([
      '2025-03-29T23:00',
      '2025-03-30T22:00',
      '2025-03-31T22:00',
    ]);
    expect(minutes(calendar('2025-10-20T07:00:00Z', 'WEEK', 'Europe/Berlin'), 0, 2)).toEqual([
      '2025-10-20T07:00',
      '2025-10-27T08:00',
      '2025-11-03T08:00',
    ]);
  });

  it('take the day of the anchor from the local clock', () => {
    // 23:30 on 31 January in New York is 1 February in UTC.
    expect(minutes(calendar('2025-02-01T04:30:00Z', 'MONTH', 'America/New_York'), 1, 3)).toEqual([
      '2025-03-01T04:30',
      '2025-04-01T03:30',
      '2025-05-01T03:30',
    ]);
  });

  it('continue at the hour of a start that fell into a gap', () => {
    // 02:00 on 8 March 2015 did not exist in Los Angeles: the first instant after it is 10:00 UTC.
    expect(minutes(calendar('2015-03-08T10:00:00Z', 'MONTH', 'America/Los_Angeles'), 0, 2)).toEqual([
      '2015-03-08T10:00',
      '2015-04-08T09:00',
      '2015-05-08T09:00',
    ]);
    const from2am = calendar('2015-02-08T10:00:00Z', 'MONTH', 'America/Los_Angeles');
    expect(minutes(from2am, 0, 2)).toEqual(['2015-02-08T10:00', '2015-03-08T10:00', '2015-04-08T09:00']);
  });

  it('take the first of an hour that occurs twice, except for the anchor itself', () => {
    expect(minutes(calendar('2025-09-26T00:30:00Z', 'MONTH', 'Europe/Berlin'), 0, 2)).toEqual([
      '2025-09-26T00:30',
      '2025-10-26T00:30',
      '2025-11-26T01:30',
    ]);
    const second = calendar('2025-10-26T01:30:00Z', 'DAY', 'Europe/Berlin');
    expect(minutes(second, 0, 1)).toEqual(['2025-10-26T01:30', '2025-10-27T01:30']);
    expect(periodIndexAt(second, new Date('2025-10-26T01:30:00Z'))).toBe(0);
  });

  it('pass one boundary for the two sweeps of the day that holds it', () => {
    const paris = calendar('2025-03-23T22:30:00Z', 'WEEK', 'Europe/Paris');
    const sweeps = Array.from({ length: 28 }, (_, day) => [
      new Date(Date.UTC(2025, 2, 24 + day, 20)),
      new Date(Date.UTC(2025, 2, 24 + day, 23)),
    ]).flat();
    const periods = sweeps.map((now) => periodIndexAt(paris, now));
    const steps = periods.slice(1).map((period, i) => period - (periods[i] ?? 0));
    expect(Math.max(...steps)).toBe(1);
    expect(periods.at(-1)).toBe(4);
  });

  it('count from 0, and end where dates do', () => {
    expect(() => periodBoundary(calendar('2025-01-31', 'MONTH'), -1)).toThrow(RangeError);
    for (const unit of UNITS) {
      expect(() => endOfUnits(calendar('2025-01-31', unit), 1e15)).toThrow(
        expect.objectContaining({ code: 'date.out_of_range' }),
      );
    }
  });
});

describe('units', () => {
  it('end interval_total after the anchor', () => {
    const months = calendar('2025-01-31', 'MONTH');
    expect(endOfUnits(months, 3)).toEqual(new Date('2025-04-30'));
    expect(periodAt(months, 2)).toEqual({
      index: 2,
      start: new Date('2025-03-31'),
      end: new Date('2025-04-30'),
    });
    expect(endOfUnits(calendar('2025-02-10', 'MONTH_END'), 2)).toEqual(new Date('2025-04-01'));
    expect(endOfUnits(calendar('2024-02-28', 'DAY', 'UTC', 'MONTH'), 2)).toEqual(new Date('2024-03-01'));
  });

  it('are counted when they have ended', () => {
    const months = calendar('2025-01-31', 'MONTH', 'UTC', 'WEEK');
    expect(unitsUpTo(months, new Date('2025-01-30'))).toBe(0);
    expect(unitsUpTo(months, new Date('2025-01-31'))).toBe(0);
    expect(unitsUpTo(months, new Date('2025-02-27T23:59:59.999Z'))).toBe(0);
    expect(unitsUpTo(months, new Date('2025-02-28'))).toBe(1);
    expect(unitsUpTo(months, new Date('2027-03-01'))).toBe(25);
    expect(periodIndexAt(months, new Date('2025-01-30'))).toBe(-1);
  });

  it('have begun before an instant without the one that begins at it', () => {
    const months = calendar('2025-01-31', 'MONTH', 'UTC', 'WEEK');
    expect(unitsBegunBefore(months, new Date('2025-01-31'))).toBe(0);
    expect(unitsBegunBefore(months, new Date('2025-01-31T00:00:00.001Z'))).toBe(1);
    expect(unitsBegunBefore(months, new Date('2025-02-28'))).toBe(1);
    expect(unitsBegunBefore(months, new Date('2025-02-28T00:00:00.001Z'))).toBe(2);
  });
});

describe('any calendar', () => {
  const anyCount = fc.oneof(fc.constant(1), fc.integer({ min: 2, max: 12 }), fc.integer({ min: 1, max: 60 }));
  const anyCalendar = fc.record({
    anchor: fc.oneof(
      fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2060, 0) }).map((ms) => new Date(ms)),
      fc.integer({ min: 0, max: 20_000 }).map((day) => new Date(Date.UTC(2000, 0, 1 + day))),
    ),
    timezone: fc.constantFrom(...TIMEZONES),
    interval_unit: fc.constantFrom(...UNITS),
    interval_count: anyCount,
    billing_interval: fc.constantFrom(...UNITS),
    billing_interval_count: anyCount,
  });

  it('tiles time without gap or overlap', () => {
    fc.assert(
      fc.property(anyCalendar, fc.nat(200), (of, index) => {
        const [period, next] = [periodAt(of, index), periodAt(of, index + 1)];
        expect(period.end).toEqual(next.start);
        expect(period.start.getTime()).toBeLessThan(period.end.getTime());
        expect(periodIndexAt(of, period.start)).toBe(index);
        expect(periodIndexAt(of, new Date(period.end.getTime() - 1))).toBe(index);
        expect(periodIndexAt(of, period.end)).toBe(index + 1);
      }),
      { numRuns: 400 },
    );
  });

  it('puts every instant into one period', () => {
    fc.assert(
      fc.property(anyCalendar, fc.nat(30 * 366 * 86_400_000), (of, after) => {
        const at = new Date(of.anchor.getTime() + after);
        const { start, end } = periodAt(of, periodIndexAt(of, at));
        expect(start.getTime()).toBeLessThanOrEqual(at.getTime());
        expect(end.getTime()).toBeGreaterThan(at.getTime());
      }),
      { numRuns: 400 },
    );
  });

  it('never drifts: the local date of boundary n follows from the anchor alone', () => {
    const local = (at: Date, timezone: string) => {
      const parts = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' }).format(at);
      const [year = 0, month = 0, day = 0] = parts.split('-').map(Number);
      return { year, month, day };
    };
    const monthsAfter = (from: { year: number; month: number }, months: number, day: number) => {
      const length = new Date(Date.UTC(from.year, from.month + months, 0)).getUTCDate();
      return new Date(Date.UTC(from.year, from.month - 1 + months, Math.min(day, length)));
    };
    fc.assert(
      fc.property(anyCalendar, fc.integer({ min: 1, max: 60 }), (of, n) => {
        const from = local(of.anchor, of.timezone);
        const units = of.interval_count * n;
        const isStub = of.interval_unit === 'MONTH_END' && !startsWithMonth(anchorWall(of));
        const months = {
          MONTH: units,
          ANNUAL: 12 * units,
          MONTH_END: isStub ? units - of.interval_count + 1 : units,
        };
        const days = { DAY: units, WEEK: 7 * units };
        const date =
          of.interval_unit === 'DAY' || of.interval_unit === 'WEEK'
            ? new Date(Date.UTC(from.year, from.month - 1, from.day + days[of.interval_unit]))
            : monthsAfter(from, months[of.interval_unit], of.interval_unit === 'MONTH_END' ? 1 : from.day);
        expect(local(unitBoundary(of, n), of.timezone)).toEqual(local(date, 'UTC'));
      }),
      { numRuns: 400 },
    );
  });

  it('has a year end where its twelfth month ends', () => {
    fc.assert(
      fc.property(anyCalendar, fc.integer({ min: 1, max: 40 }), (of, years) => {
        expect(unitBoundary({ ...of, interval_unit: 'ANNUAL' }, years)).toEqual(
          unitBoundary({ ...of, interval_unit: 'MONTH' }, 12 * years),
        );
      }),
    );
  });
});
