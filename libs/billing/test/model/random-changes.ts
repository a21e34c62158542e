import fc from 'fast-check';

import type { PlanChangeInput } from '../../src/domain/actions/change-plan.js';
import type { ScenarioPlan } from '../fixture.js';
import type { ModelEnd, ModelFixture } from './model-end.js';

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
      readonly more: Partial<Pick<PlanChangeInput, 'collect' | 'credit'>>;
      readonly answer: Answer;
      /** The coupon that the change brings. */
      readonly coupon?: Coupon | null;
    }
  /** `uncoupon` ends the discount of the coupon. */
  | { readonly do: 'withdraw' | 'pause' | 'uncoupon' }
  /** Resumes, or takes back a stop. */
  | { readonly do: 'start'; readonly reanchor: boolean }
  | { readonly do: 'stop'; readonly ahead: number | null }
  /** The outcome of the charges from now on. */
  | { readonly do: 'card'; readonly outcome: 'yes' | 'soft' | 'hard' | 'auth' }
  /** The provider reports that one of the newest unpaid payments has succeeded after all. */
  | { readonly do: 'late'; readonly nth: number }
  /** A person gives back a share of one of the newest payments. */
  | { readonly do: 'refund'; readonly nth: number; readonly percent: number };

/** The outcome of the charge of a change: `late` authenticates an hour later, `expires` never. */
export type Answer = 'yes' | 'hard' | 'soft' | 'late' | 'expires';

/** The first outcome of that charge. */
export function scriptOf(answer: Answer): ('yes' | 'hard' | 'soft' | 'auth')[] {
  return [answer === 'late' || answer === 'expires' ? 'auth' : answer];
}

/** `off_minor` is taken off in minor units where it is not a percentage. */
export interface Coupon {
  readonly off: { readonly percent: number } | { readonly off_minor: number };
  /** Lowers as many intervals; null: all. */
  readonly intervals: number | null;
  /** Names of the plans that it is good for; null: all. */
  readonly plans: readonly string[] | null;
  /** It falls on the item `seat` alone. */
  readonly onSeat: boolean;
}

const PLAN_NAMES = ['a', 'b', 'c'] as const;

const hours = fc.integer({ min: 1, max: 24 * 45 });

type Intervals = Pick<
  ScenarioPlan,
  'interval_unit' | 'interval_count' | 'billing_interval' | 'billing_interval_count'
>;

function collected(
  interval_unit: Intervals['interval_unit'],
  interval_count: number,
  billing_interval = interval_unit,
  billing_interval_count = interval_count,
): Intervals {
  return { interval_unit, interval_count, billing_interval, billing_interval_count };
}

/** Intervals that are collected once. */
const once = fc.constantFrom(
  collected('WEEK', 1),
  collected('MONTH', 1),
  collected('MONTH', 3),
  collected('ANNUAL', 1),
);

const calendarMonths = fc.constantFrom(
  collected('MONTH_END', 1),
  collected('MONTH_END', 3),
  collected('MONTH_END', 3, 'MONTH_END', 1),
  collected('MONTH_END', 1, 'WEEK', 2),
);

const inParts = fc.constantFrom(
  collected('ANNUAL', 1, 'MONTH', 1),
  collected('ANNUAL', 1, 'MONTH', 3),
  collected('MONTH', 3, 'MONTH', 1),
  collected('ANNUAL', 1, 'MONTH_END', 1),
);

const unit = fc.constantFrom<Intervals['interval_unit']>('DAY', 'WEEK', 'MONTH', 'MONTH_END', 'ANNUAL');
const count = fc.constantFrom(1, 2, 3, 5);
const every = fc
  .tuple(unit, count, unit, count)
  // A day collected by years is a thousand intervals in a charge.
  .map(([own, number, other, each]) => collected(own, own === 'DAY' ? 10 * number : number, other, each));

export const INTERVALS = { once, calendarMonths, inParts, every };

const anyEnd: fc.Arbitrary<ModelEnd> = fc.oneof(
  fc.integer({ min: 1, max: 24 * 150 }).map((ahead) => ({ hours: ahead })),
  fc.integer({ min: 1, max: 150 }).map((days) => ({ hours: 24 * days })),
  fc.integer({ min: 1, max: 5 }).map((number) => ({ intervals: number })),
);

export interface Variety {
  /** Of all plans. */
  readonly intervals: fc.Arbitrary<Intervals>;
  /** Each plan has its own intervals. */
  readonly mixed?: boolean;
  /** Each plan has its own `prepay`. */
  readonly prepay?: boolean;
  readonly trial?: boolean;
  /** Each plan may have a setup fee. */
  readonly setup?: boolean;
  /** It starts with an end: a date, or a number of intervals. */
  readonly ends?: boolean;
}

/** Plans that the subscription may have. */
export function plansOf({
  intervals,
  mixed,
  prepay,
  trial,
  setup,
  ends,
}: Variety): fc.Arbitrary<ModelFixture> {
  const plan = fc.record({
    intervals,
    prepay: fc.boolean(),
    is_prorated: fc.constantFrom(true, true, true, false),
    price: fc.constantFrom(0, 0.01, 9.99, 15, 29.99, 30, 60, 300),
    setup_fee: setup === true ? fc.constantFrom(0, 4.99, 10) : fc.constant(0),
  });
  const first = fc.record({
    plan,
    quantity: fc.constantFrom(1, 1, 3, 7),
    seat: fc.constantFrom(undefined, 0, 5, 29.99),
    trial_days: trial === true ? fc.constantFrom(3, 14, 45) : fc.constant(0),
  });
  const settings = fc.record({
    timezone: fc.constantFrom('UTC', 'Europe/Berlin'),
    proration_mode: fc.constantFrom<'day' | 'second' | 'thirty'>('day', 'second', 'thirty'),
  });
  const end = ends === true ? anyEnd : fc.constant(undefined);
  return fc.tuple(first, fc.tuple(plan, plan, plan), settings, end).map(([own, others, company, last]) => {
    const terms = (one: typeof own.plan) => ({
      ...(mixed === true ? one.intervals : own.plan.intervals),
      prepay: prepay === true ? one.prepay : own.plan.prepay,
      ...{ is_prorated: one.is_prorated, setup_fee: one.setup_fee },
    });
    const [a, b, c] = others.map((one) => ({ ...terms(one), price: one.price }));
    const plans = { ...(a && { a }), ...(b && { b }), ...(c && { c }) };
    const { quantity, seat, trial_days } = own;
    return {
      plan: { ...terms(own.plan), trial_days },
      ...{ price: own.plan.price, quantity, settings: company, plans },
      ...(seat === undefined ? {} : { seat }),
      ...(last === undefined ? {} : { end: last }),
    };
  });
}

export const coupon: fc.Arbitrary<Coupon> = fc.record({
  off: fc.oneof(
    fc.constantFrom(10, 25, 50, 100).map((percent) => ({ percent })),
    fc.constantFrom(1, 500, 4000).map((off_minor) => ({ off_minor })),
  ),
  intervals: fc.constantFrom(1, 2, 3, null),
  plans: fc.constantFrom(null, null, ['first', 'a'], ['b']),
  onSeat: fc.constantFrom(false, false, true),
});

const changed = {
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
};

export const change = fc.record(changed);
const changeWithCoupon = fc.record({ ...changed, coupon: fc.option(coupon, { freq: 2 }) });

const gap: fc.Arbitrary<Gap> = fc.oneof(
  { weight: 3, arbitrary: hours },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 20 }).map((days) => days * 24) },
  { weight: 1, arbitrary: fc.constant('none' as const) },
  { weight: 1, arbitrary: fc.constant('boundary' as const) },
);

type Weighted = fc.WeightedArbitrary<Act>;

const withdraw = { weight: 1, arbitrary: fc.record({ do: fc.constant('withdraw' as const) }) };
const uncoupon = { weight: 2, arbitrary: fc.record({ do: fc.constant('uncoupon' as const) }) };

export const ACTS = {
  stop: fc.record({ do: fc.constant('stop' as const), ahead: fc.option(hours, { freq: 4 }) }),
  pause: fc.record({ do: fc.constant('pause' as const) }),
  start: fc.record({ do: fc.constant('start' as const), reanchor: fc.constantFrom(false, false, true) }),
  card: fc.record({
    do: fc.constant('card' as const),
    outcome: fc.constantFrom<'yes' | 'soft' | 'hard' | 'auth'>('yes', 'yes', 'soft', 'hard', 'auth'),
  }),
  late: fc.record({ do: fc.constant('late' as const), nth: fc.constantFrom(1, 1, 2, 3) }),
  refund: fc.record({
    do: fc.constant('refund' as const),
    nth: fc.constantFrom(1, 1, 2),
    percent: fc.constantFrom(10, 50, 90, 100),
  }),
};

/** Changes, and other acts by their weights. */
export function stepsOf(weights: Partial<Record<keyof typeof ACTS, number>> = {}): fc.Arbitrary<Step[]> {
  return steps([{ weight: 8, arbitrary: change }, withdraw], weights);
}

/** Changes, some with a coupon, removals of coupons, and other acts by their weights. */
export function stepsWithCoupons(
  weights: Partial<Record<keyof typeof ACTS, number>> = {},
): fc.Arbitrary<Step[]> {
  return steps([{ weight: 8, arbitrary: changeWithCoupon }, withdraw, uncoupon], weights);
}

function steps(
  acts: readonly Weighted[],
  weights: Partial<Record<keyof typeof ACTS, number>>,
): fc.Arbitrary<Step[]> {
  const names = Object.keys(ACTS) as (keyof typeof ACTS)[];
  const others = names.map((name): Weighted => ({ weight: weights[name] ?? 0, arbitrary: ACTS[name] }));
  const act = fc.oneof(...acts, ...others.filter(({ weight }) => weight > 0));
  return fc.array(fc.record({ gap, swept: fc.boolean(), act }), { minLength: 1, maxLength: 8, size: 'max' });
}

/** A first of a month or another day, at midnight of Berlin or UTC, or in the day. */
export const starts = fc.constantFrom(
  '2026-04-01',
  '2026-03-31T22:00',
  '2026-01-31T10:00',
  '2024-02-29',
  '2026-10-10T15:30',
);
