import fc from 'fast-check';

import type { Interval, Unit } from './calendar.js';
import type { Mode } from './cost.js';
import type { Plan } from './subscription.js';

export type At = 'now' | 'period_end' | number;

export type Act =
  | { do: 'wait' }
  | { do: 'stop'; ahead: number | null }
  | { do: 'pause'; ahead: number | null }
  | { do: 'start'; reanchor: boolean }
  | { do: 'end'; ahead: number | null; total: number | null }
  | { do: 'change'; plan: number; quantity: number; at: At; refund: boolean }
  | { do: 'withdraw' }
  /** A person gives back some quarters of what a payment still holds. */
  | { do: 'refund'; payment: number; quarters: number }
  /** A payment is disputed, or its dispute ends. */
  | { do: 'dispute'; payment: number; becomes: 'disputed' | 'won' | 'lost' };

/** Time passes: by hours, to the next local midnight, to what is due next, or not at all. */
export type Pass = number | 'midnight' | 'due' | 'none';

export interface Step {
  readonly pass: Pass;
  /** The worker was away, and does everything at the end of the step. */
  readonly late: boolean;
  readonly act: Act;
}

export interface History {
  readonly currency: 'EUR' | 'JPY' | 'KWD';
  readonly zone: string;
  readonly mode: Mode;
  readonly plans: readonly Plan[];
  readonly start: number;
  /** Whether it may have an end of its own within a period: its prices are then such that a day costs whole cents. */
  readonly ends: boolean;
  /** Whether it may end after a number of intervals: never within a period, of which a part would be rounded. */
  readonly totals: boolean;
  /** Whether the card is refused, by payment; later ones succeed. What is refused stays owed. */
  readonly refused: readonly boolean[];
  readonly steps: readonly Step[];
}

/** Divides by 28, 29, 30 and 31. */
const DAYS_OF_MONTHS = 12_180 * 31 * 2;

/** The card provider takes dinars in steps of 0.010. */
export const STEPS = { EUR: 1, JPY: 1, KWD: 10 } as const;

const HOUR = 3_600_000;

const hours = fc.oneof(fc.integer({ min: 1, max: 24 * 40 }), fc.integer({ min: 1, max: 48 }));
const maybe = fc.option(hours);

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('stop' as const), ahead: fc.option(hours, { freq: 4 }) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pause' as const), ahead: maybe }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('start' as const), reanchor: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('end' as const),
      ahead: maybe,
      total: fc.option(fc.integer({ min: 1, max: 4 })),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('change' as const),
      plan: fc.integer({ min: 0, max: 2 }),
      quantity: fc.constantFrom(1, 1, 3),
      at: fc.oneof(fc.constantFrom<At>('now', 'now', 'period_end'), hours),
      refund: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('withdraw' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('refund' as const),
      payment: fc.nat(5),
      quarters: fc.integer({ min: 1, max: 4 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('dispute' as const),
      payment: fc.nat(5),
      becomes: fc.constantFrom('disputed' as const, 'won' as const, 'lost' as const),
    }),
  },
);

const step: fc.Arbitrary<Step> = fc.record({
  pass: fc.oneof<fc.Arbitrary<Pass>[]>(hours, fc.constantFrom<Pass>('midnight', 'due', 'none')),
  late: fc.boolean(),
  act,
});

/** Whether all its periods have 28, 29, 30, 31, 7 or 1 days. */
function isExact({ priced, billed }: Omit<Plan, 'name'>): boolean {
  return priced.count === 1 && priced.unit !== 'ANNUAL' && billed.unit === priced.unit && billed.count === 1;
}

const interval: fc.Arbitrary<Interval> = fc.record({
  unit: fc.constantFrom<Unit>('MONTH', 'MONTH', 'MONTH_END', 'ANNUAL', 'WEEK', 'DAY'),
  count: fc.constantFrom(1, 1, 1, 2, 3),
});

const plan = fc
  .record({
    price: fc.constantFrom(1, 999, 2999, 3000, 6000, 60_000),
    priced: interval,
    billed: fc.option(interval, { freq: 2 }),
    prepay: fc.boolean(),
    prorated: fc.constantFrom(true, true, true, false),
  })
  .map(({ billed, ...one }) => ({ ...one, billed: billed ?? one.priced }));

const isSame = (a: Interval, b: Interval): boolean => a.unit === b.unit && a.count === b.count;

/** Plans B and C; C, and often B, have the calendar of A. */
export const histories: fc.Arbitrary<History> = fc
  .record({
    currency: fc.constantFrom('EUR' as const, 'EUR' as const, 'JPY' as const, 'KWD' as const),
    zone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Africa/Cairo'),
    mode: fc.constantFrom<Mode>('day', 'day', 'second'),
    plans: fc.tuple(plan, plan, plan),
    isAlike: fc.boolean(),
    ends: fc.boolean(),
    refused: fc.array(fc.constantFrom(false, false, true), { maxLength: 10 }),
    start: fc.integer({ min: 0, max: 400 * 24 }),
    steps: fc.array(step, { minLength: 1, maxLength: 14, size: 'max' }),
  })
  .map(({ plans: [a, b, c], isAlike, start, ends: isAsked, ...rest }) => {
    const ends = isAsked && rest.mode !== 'second' && [a, b, c].every(isExact);
    const same = { priced: a.priced, billed: a.billed };
    const three = [a, isAlike ? { ...b, ...same } : b, { ...c, ...same }];
    const plans = three.map((one, index) => ({
      ...one,
      ...(ends && { prorated: a.prorated }),
      price: one.price * (ends ? DAYS_OF_MONTHS : 1) * STEPS[rest.currency],
      name: 'ABC'.charAt(index),
    }));
    const totals = three.every(({ priced, billed }) => isSame(priced, billed));
    return { ...rest, ends, totals, plans, start: Date.UTC(2024, 0, 1) + start * HOUR };
  });
