import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { DAY_MS, instantOfWall, isTimezone, wallTimeOf, type WallTime } from './local-time.js';

const wall = (text: string): WallTime => {
  const local = Date.parse(`${text}Z`);
  return { day: Math.floor(local / DAY_MS), ms: ((local % DAY_MS) + DAY_MS) % DAY_MS };
};
const instant = (text: string, timezone: string) => instantOfWall(wall(text), timezone).toISOString();

const TIMEZONES = [
  'UTC',
  'Europe/Berlin',
  'Europe/Dublin',
  'America/New_York',
  'America/Los_Angeles',
  'America/St_Johns',
  'America/Sao_Paulo',
  'America/Havana',
  'Africa/Casablanca',
  'Africa/Cairo',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Asia/Beirut',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Kiritimati',
  'Antarctica/Troll',
];

describe('wall time', () => {
  it('stays the same across a change of clocks', () => {
    expect(instant('2025-03-29T12:00:00', 'Europe/Berlin')).toBe('2025-03-29T11:00:00.000Z');
    expect(instant('2025-03-30T12:00:00', 'Europe/Berlin')).toBe('2025-03-30T10:00:00.000Z');
  });

  it('that does not exist means the first instant after the gap', () => {
    for (const time of ['02:00:00', '02:30:00', '02:59:59.999', '03:00:00']) {
      expect(instant(`2015-03-08T${time}`, 'America/Los_Angeles')).toBe('2015-03-08T10:00:00.000Z');
    }
    expect(instant('2011-12-30T10:00:00', 'Pacific/Apia')).toBe('2011-12-30T10:00:00.000Z');
  });

  it('that occurs twice means the first of the two', () => {
    expect(instant('2025-10-26T02:30:00', 'Europe/Berlin')).toBe('2025-10-26T00:30:00.000Z');
    expect(instant('2025-11-02T01:00:00', 'America/New_York')).toBe('2025-11-02T05:00:00.000Z');
  });

  it('of the instant that ends a gap is where the gap began', () => {
    expect(wallTimeOf(new Date('2015-03-08T10:00:00Z'), 'America/Los_Angeles')).toEqual(
      wall('2015-03-08T02:00:00'),
    );
    // In São Paulo that day had no midnight.
    expect(wallTimeOf(new Date('2018-11-04T03:00:00Z'), 'America/Sao_Paulo')).toEqual(
      wall('2018-11-04T00:00:00'),
    );
    expect(wallTimeOf(new Date('2018-11-04T03:00:00.001Z'), 'America/Sao_Paulo')).toEqual(
      wall('2018-11-04T01:00:00.001'),
    );
  });

  const moment = fc.integer({ min: Date.UTC(1970, 0), max: Date.UTC(2120, 0) }).map((ms) => new Date(ms));

  it('agrees with Temporal in every timezone', () => {
    fc.assert(
      fc.property(moment, fc.constantFrom(...TIMEZONES), (at, timezone) => {
        const zoned = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timezone);
        const { day, ms } = wallTimeOf(at, timezone);
        const read = new Date(day * DAY_MS + ms).toISOString().slice(0, -1);
        expect(read).toBe(zoned.toPlainDateTime().toString({ fractionalSecondDigits: 3 }));
      }),
      { numRuns: 300 },
    );
  });

  it('means the same instant as for Temporal', () => {
    fc.assert(
      fc.property(moment, fc.constantFrom(...TIMEZONES), (local, timezone) => {
        const plain = Temporal.PlainDateTime.from(local.toISOString().slice(0, -1));
        const earlier = plain.toZonedDateTime(timezone, { disambiguation: 'earlier' });
        const later = plain.toZonedDateTime(timezone, { disambiguation: 'later' });
        const found = instantOfWall(wall(local.toISOString().slice(0, -1)), timezone).getTime();
        if (earlier.toPlainDateTime().equals(plain)) {
          expect(found).toBe(earlier.epochMilliseconds);
          return;
        }
        expect(found).toBe(earlier.getTimeZoneTransition('next')?.epochMilliseconds);
        expect(found).toBeLessThanOrEqual(later.epochMilliseconds);
      }),
      { numRuns: 300 },
    );
  });

  it('never runs backwards', () => {
    fc.assert(
      fc.property(
        moment,
        fc.integer({ min: 1, max: 3 * DAY_MS }),
        fc.constantFrom(...TIMEZONES),
        (a, more, timezone) => {
          const later = new Date(a.getTime() + more);
          expect(instantOfWall(wall(a.toISOString().slice(0, -1)), timezone).getTime()).toBeLessThanOrEqual(
            instantOfWall(wall(later.toISOString().slice(0, -1)), timezone).getTime(),
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  it('stays right for more dates and timezones than are remembered', () => {
    const read = (year: number, timezone: string): string => {
      const { day, ms } = wallTimeOf(new Date(Date.UTC(year, 6, 1, 10)), timezone);
      return new Date(day * DAY_MS + ms).toISOString();
    };
    const spellings = Array.from({ length: 620 }, (_, index) =>
      [...'Europe/Berlin']
        .map((letter, at) => ((index >> at) & 1 ? letter.toUpperCase() : letter.toLowerCase()))
        .join(''),
    );
    for (const year of [2000, 2100]) {
      for (const spelling of spellings)
        expect(read(year, spelling)).toBe(`${String(year)}-07-01T12:00:00.000Z`);
    }
    for (let turn = 0; turn < 2; turn += 1) {
      for (let year = 1981; year < 2200; year += 1) {
        expect(read(year, 'Europe/Berlin')).toBe(`${String(year)}-07-01T12:00:00.000Z`);
      }
    }
  });

  it('is refused beyond the range of a Date and in an unknown timezone', () => {
    expect(() => wallTimeOf(new Date(8.64e15), 'UTC')).toThrow(
      expect.objectContaining({ code: 'date.out_of_range' }),
    );
    expect(() => wallTimeOf(new Date(NaN), 'UTC')).toThrow(
      expect.objectContaining({ code: 'date.out_of_range' }),
    );
    expect(() => wallTimeOf(new Date(0), 'Mars/Olympus')).toThrow(
      expect.objectContaining({ code: 'timezone.unknown' }),
    );
  });
});

describe('timezones', () => {
  it.each(['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'US/Eastern', 'Etc/GMT+5'])(
    'include %s',
    (name) => expect(isTimezone(name)).toBe(true),
  );

  it.each(['+02:00', '-08', 'Z', '', 'Mars/Olympus', 'Europe/Berlin[x]', ' UTC'])(
    'do not include %p',
    (name) => expect(isTimezone(name)).toBe(false),
  );
});
