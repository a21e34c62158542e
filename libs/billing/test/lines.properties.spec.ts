import fc from 'fast-check';

import { periodAt } from '../src/domain/calendar/calendar.js';
import { bookedMinor, owedBy } from '../src/domain/lines/books.js';
import { compacted } from '../src/domain/lines/compact.js';
import { cost, totalMinor, type CostBasis } from '../src/domain/lines/cost.js';
import { holding, type Span } from '../src/domain/lines/spans.js';
import { accruedCharge } from '../src/domain/pricing/accrual.js';
import { BY_DAYS, LinePlay } from './line-fixture.js';

const HOUR = 3_600_000;
const MODES = ['day', 'second', 'thirty'] as const;
const NAMES = ['a', 'b', 'c'] as const;
const START = new Date('2025-04-01T00:00Z');
const END = new Date('2025-05-01T00:00Z');
const HOURS = 720;

const hours = fc.integer({ min: 0, max: HOURS - 1 });
const named = fc.option(fc.constantFrom(...NAMES), { freq: 3 });
const event = fc.record({ at: hours, terms: named });
const history = fc.record({
  mode: fc.constantFrom(...MODES),
  prices: fc.tuple(minor(), minor(), minor()),
  first: fc.constantFrom(...NAMES),
  events: fc.array(event, { maxLength: 8 }),
  end: fc.option(fc.integer({ min: 1, max: HOURS })),
});
type History = typeof history extends fc.Arbitrary<infer H> ? H : never;

function minor() {
  return fc.oneof(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 1_000_000 }));
}

function at(hour: number): Date {
  return new Date(START.getTime() + hour * HOUR);
}

function basisOf({ mode, prices }: Pick<History, 'mode' | 'prices'>): CostBasis<string> {
  return {
    currency: 'EUR',
    counting: { ...BY_DAYS, mode },
    priceOf: (name) => ({ whole_minor: prices[NAMES.indexOf(name as 'a')] ?? 0, is_prorated: true }),
    same: (a, b) => a === b,
  };
}

function spansOf({ first, events }: Pick<History, 'first' | 'events'>): readonly Span<string>[] {
  const inOrder = events.toSorted((a, b) => a.at - b.at);
  return inOrder.reduce<readonly Span<string>[]>(
    (spans, one) => holding(spans, at(one.at), one.terms, (a, b) => a === b),
    [{ from: START, to: null, terms: first }],
  );
}

function periodOf(one: History) {
  const service_end = one.end === null ? null : at(one.end);
  return { start: START, end: END, spans: spansOf(one), service_end, yields: [] };
}

const costOf = (one: History): number => totalMinor(cost(periodOf(one), basisOf(one)));

describe('the cost of any period', () => {
  it('is that of each day by the dearest terms in it', () => {
    fc.assert(
      fc.property(history, (one) => {
        const day = { ...one, mode: 'day' as const };
        const { priceOf } = basisOf(day);
        const until = at(one.end ?? HOURS).getTime();
        let exact = 0;
        for (let index = 0; index < 30; index += 1) {
          const [from, to] = [at(24 * index).getTime(), Math.min(until, at(24 * index + 24).getTime())];
          const held = spansOf(day).filter(
            (span) => Math.max(from, span.from.getTime()) < Math.min(to, span.to?.getTime() ?? Infinity),
          );
          const dear = held.map(({ terms }) => (terms === null ? 0 : priceOf(terms).whole_minor));
          exact += Math.max(0, ...dear) / 30;
        }
        expect(Math.abs(costOf(day) - exact)).toBeLessThanOrEqual(spansOf(day).length / 2 + 1e-6);
      }),
    );
  });

  it('does not change where a span is split, or where spans that decide nothing are dropped', () => {
    fc.assert(
      fc.property(history, hours, (one, hour) => {
        const period = periodOf(one);
        const basis = basisOf(one);
        const split = period.spans.flatMap((span) =>
          at(hour) <= span.from || (span.to !== null && at(hour) >= span.to)
            ? [span]
            : [
                { ...span, to: at(hour) },
                { ...span, from: at(hour) },
              ],
        );
        expect(totalMinor(cost({ ...period, spans: split }, basis))).toBe(costOf(one));
        const { counting, same, priceOf } = basis;
        const rank = (name: string): number => priceOf(name).whole_minor;
        const fewer = compacted(period.spans, { ...period, counting, same, rank, now: END });
        expect(fewer.length).toBeLessThanOrEqual(period.spans.length);
        const ends = { ...period, service_end: null };
        expect(cost({ ...ends, spans: fewer }, basis)).toEqual(cost(ends, basis));
      }),
    );
  });

  it('grows with each price and with the time held, to a minor unit a part', () => {
    fc.assert(
      fc.property(history, fc.nat({ max: 2 }), fc.integer({ min: 0, max: HOURS }), (one, index, end) => {
        const prices = one.prices.map((price, i) => (i === index ? price + 100 : price)) as [
          number,
          number,
          number,
        ];
        expect(costOf({ ...one, prices })).toBeGreaterThanOrEqual(costOf(one) - NAMES.length);
        const longer = { ...one, end: Math.max(end, one.end ?? HOURS) };
        expect(costOf(longer)).toBeGreaterThanOrEqual(costOf(one) - NAMES.length);
      }),
    );
  });

  it('is the whole price, to the minor unit, where one of the terms holds throughout', () => {
    const interval = fc.constantFrom('DAY', 'WEEK', 'MONTH', 'MONTH_END', 'ANNUAL' as const);
    const calendar = fc.record({
      anchor: fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2030, 0) }).map((ms) => new Date(ms)),
      timezone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York'),
      ...{ interval_unit: interval, interval_count: fc.integer({ min: 1, max: 4 }) },
      ...{ billing_interval: interval, billing_interval_count: fc.integer({ min: 1, max: 4 }) },
    });
    fc.assert(
      fc.property(
        calendar,
        minor(),
        fc.nat({ max: 9 }),
        fc.constantFrom(...MODES),
        (of, price_minor, index, mode) => {
          const { start, end } = periodAt(of, index);
          const price = { price_minor, currency: 'EUR', is_prorated: true };
          const whole_minor = accruedCharge(of, price, { start, end }, null).amount_minor;
          const { timezone, billing_interval: unit, billing_interval_count: count } = of;
          const parts = cost(
            { start, end, spans: [{ from: start, to: null, terms: 'a' }], service_end: null, yields: [] },
            {
              currency: 'EUR',
              counting: { mode, timezone, interval: { unit, count } },
              priceOf: () => ({ whole_minor, is_prorated: true }),
              same: Object.is,
            },
          );
          expect(totalMinor(parts)).toBe(whole_minor);
        },
      ),
    );
  });
});

describe('the bills of any history', () => {
  const move = fc.record({
    at: hours,
    do: fc.constantFrom('change', 'pause', 'resume', 'end', 'endless' as const),
    terms: fc.constantFrom(...NAMES),
    ends: hours,
    hand: fc.integer({ min: 0, max: 100 }),
  });

  it.each(['advance', 'arrears'] as const)('add up to the cost, in %s', (timing) => {
    fc.assert(
      fc.property(history, fc.array(move, { maxLength: 10 }), ({ mode, prices, first }, moves) => {
        const major = Object.fromEntries(NAMES.map((name, index) => [name, (prices[index] ?? 0) / 100]));
        const line = new LinePlay(major, { timing, counting: { mode } }).begin(first);
        let isPaused = false;
        for (const one of moves.toSorted((a, b) => a.at - b.at)) {
          const text = at(one.at).toISOString().slice(0, 19);
          const ends = at(Math.max(one.at, one.ends)).toISOString().slice(0, 19);
          if (one.do === 'end') line.endAt(text, ends);
          if (one.do === 'endless') line.endAt(text, null);
          if (one.do === 'change' && !isPaused) line.change(text, one.terms);
          if (one.do === 'resume' && isPaused) line.resume(text, one.terms);
          if (one.do === 'pause' && !isPaused) line.pause(text);
          isPaused = one.do === 'pause' || (isPaused && one.do !== 'resume');
          for (const entry of line.books) {
            expect(entry.credited).toBeLessThanOrEqual(entry.paid);
            expect(owedBy(entry)).toBeGreaterThanOrEqual(0);
          }
          expect(bookedMinor(line.books)).toBeGreaterThanOrEqual(0);
        }
        line.finish();
        expect(bookedMinor(line.books)).toBe(line.cost_minor);
        // Nothing new: no bill.
        expect(line.cost_minor - bookedMinor(line.books)).toBe(0);
      }),
    );
  });

  it('come to the same whatever the order of an end and a change', () => {
    fc.assert(
      fc.property(history, hours, hours, ({ prices, mode, first }, change, end) => {
        const major = Object.fromEntries(NAMES.map((name, index) => [name, (prices[index] ?? 0) / 100]));
        const text = (hour: number): string => at(hour).toISOString().slice(0, 19);
        const begun = (): LinePlay => new LinePlay(major, { counting: { mode } }).begin(first);
        const ends = text(Math.max(change + 1, end));
        const one = begun().endAt(text(change), ends).change(text(change), 'b').finish();
        const other = begun().change(text(change), 'b').endAt(text(change), ends).finish();
        expect(one.booked).toBe(other.booked);
      }),
    );
  });
});
