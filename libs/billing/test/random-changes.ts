import fc from 'fast-check';

import type { PlanChangeInput } from '../src/domain/actions/change-plan.js';
import type { ScenarioFixture, ScenarioPlan } from './fixture.js';

/** The time between two actions: hours, none, or up to the next boundary of the calendar. */
export type Gap = number | 'none' | 'boundary';

/** An action, `gap` after the one before; unless `swept`, billing has not seen its instant yet. */
export interface Step {
  readonly gap: Gap;
  readonly swept: boolean;
  readonly act: Act;
}

export type Act =
  | {
      readonly do: 'change';
      readonly plan: string;
      readonly quantity: number;
      readonly ahead: number | 'now' | 'period_end';
      readonly more: Partial<PlanChangeInput>;
      readonly answer: Answer;
    }
  | { readonly do: 'withdraw' | 'pause' }
  /** Resumes, or takes back a stop. */
  | { readonly do: 'start'; readonly reanchor: boolean }
  | { readonly do: 'stop'; readonly ahead: number | null }
  /** The outcome of the charges from now on. */
  | { readonly do: 'card'; readonly outcome: 'yes' | 'soft' | 'hard' | 'auth' }
  /** A person gives back a share of one of the newest payments. */
  | { readonly do: 'refund'; readonly nth: number; readonly percent: number };

/** The outcome of the charge of a change: `late` authenticates an hour later, `expires` never. */
export type Answer = 'yes' | 'hard' | 'soft' | 'late' | 'expires';

const PLAN_NAMES = ['a', 'b', 'c'] as const;

const hours = fc.integer({ min: 1, max: 24 * 45 });
const intervals = fc.constantFrom<Partial<ScenarioPlan>>(
  { interval_unit: 'WEEK', interval_count: 1 },
  { interval_unit: 'MONTH', interval_count: 1 },
  { interval_unit: 'MONTH', interval_count: 3 },
  { interval_unit: 'ANNUAL', interval_count: 1 },
);

/** Plans that the subscription may have; all of them with one interval and `prepay` unless `mixed`. */
export function plansOf(mixed: {
  readonly intervals: boolean;
  readonly prepay: boolean;
}): fc.Arbitrary<ScenarioFixture> {
  const plan = fc.record({
    interval: intervals,
    prepay: fc.boolean(),
    is_prorated: fc.constantFrom(true, true, true, false),
    price: fc.constantFrom(0, 0.01, 9.99, 15, 29.99, 30, 60, 300),
  });
  const first = fc.record({ plan, quantity: fc.constantFrom(1, 1, 3, 7) });
  const settings = fc.record({
    timezone: fc.constantFrom('UTC', 'Europe/Berlin'),
    proration_mode: fc.constantFrom<'day' | 'second' | 'thirty'>('day', 'second', 'thirty'),
  });
  return fc.tuple(first, fc.tuple(plan, plan, plan), settings).map(([own, others, company]) => {
    const terms = (one: typeof own.plan) => ({
      ...(mixed.intervals ? one.interval : own.plan.interval),
      prepay: mixed.prepay ? one.prepay : own.plan.prepay,
      is_prorated: one.is_prorated,
    });
    const [a, b, c] = others.map((one) => ({ ...terms(one), price: one.price }));
    const plans = { ...(a && { a }), ...(b && { b }), ...(c && { c }) };
    const { price } = own.plan;
    return {
      plan: terms(own.plan),
      price,
      quantity: own.quantity,
      settings: company,
      plans,
    };
  });
}

export const change = fc.record({
  do: fc.constant('change' as const),
  plan: fc.constantFrom('first', ...PLAN_NAMES),
  quantity: fc.constantFrom(1, 1, 2, 5),
  ahead: fc.oneof(
    { weight: 4, arbitrary: fc.constant('now' as const) },
    { weight: 1, arbitrary: fc.constant('period_end' as const) },
    { weight: 1, arbitrary: hours },
  ),
  more: fc.record({
    collect: fc.constantFrom<'first' | 'later'>('first', 'later'),
    credit: fc.constantFrom<'balance' | 'refund'>('balance', 'refund'),
  }),
  answer: fc.constantFrom<Answer>('yes', 'yes', 'yes', 'hard', 'soft', 'late', 'expires'),
});

const gap: fc.Arbitrary<Gap> = fc.oneof(
  { weight: 3, arbitrary: hours },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 20 }).map((days) => days * 24) },
  { weight: 1, arbitrary: fc.constant('none' as const) },
  { weight: 1, arbitrary: fc.constant('boundary' as const) },
);

const withdraw = fc.record({ do: fc.constant('withdraw' as const) });
const refund = fc.record({
  do: fc.constant('refund' as const),
  nth: fc.constantFrom(1, 1, 2),
  percent: fc.constantFrom(10, 50, 90, 100),
});

function stepsOf(...acts: readonly fc.WeightedArbitrary<Act>[]): fc.Arbitrary<Step[]> {
  const act = fc.oneof({ weight: 8, arbitrary: change }, { weight: 1, arbitrary: withdraw }, ...acts);
  return fc.array(fc.record({ gap, swept: fc.boolean(), act }), { minLength: 1, maxLength: 8, size: 'max' });
}

const pause = fc.record({ do: fc.constant('pause' as const) });
const start = fc.record({ do: fc.constant('start' as const), reanchor: fc.constantFrom(false, false, true) });
const stop = fc.record({ do: fc.constant('stop' as const), ahead: fc.option(hours, { freq: 4 }) });
const card = fc.record({
  do: fc.constant('card' as const),
  outcome: fc.constantFrom<'yes' | 'soft' | 'hard' | 'auth'>('yes', 'yes', 'soft', 'hard', 'auth'),
});

export const changes = stepsOf();
export const changesAndFailures = stepsOf({ weight: 4, arbitrary: card });
export const changesAndStops = stepsOf({ weight: 2, arbitrary: stop }, { weight: 2, arbitrary: start });
export const changesAndPauses = stepsOf({ weight: 4, arbitrary: pause }, { weight: 4, arbitrary: start });
export const anything = stepsOf(
  { weight: 2, arbitrary: pause },
  { weight: 3, arbitrary: start },
  { weight: 1, arbitrary: stop },
  { weight: 3, arbitrary: card },
);
export const changesAndRefunds = stepsOf({ weight: 3, arbitrary: refund });

/** A first of a month or another day, at midnight of Berlin or UTC, or in the day. */
export const starts = fc.constantFrom(
  '2026-04-01',
  '2026-03-31T22:00',
  '2026-01-31T10:00',
  '2024-02-29',
  '2026-10-10T15:30',
);
