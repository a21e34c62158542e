import { isFault } from '@commerce/kernel';
import fc from 'fast-check';

import type { IntervalUnit } from '../src/domain/calendar/calendar.js';
import type { Outcome } from './scenario-payment.js';
import type { Scenario } from './scenario.js';
import type { ScenarioFixture } from './fixture.js';

export const HOUR = 3_600_000;
export const START = Date.UTC(2024, 0, 1);

const counts = fc.constantFrom(1, 1, 2, 3, 5);
const units = fc.constantFrom<IntervalUnit>('DAY', 'WEEK', 'MONTH', 'MONTH_END', 'ANNUAL');

export const fixture: fc.Arbitrary<ScenarioFixture> = fc.record({
  price: fc.constantFrom(0, 0.01, 9.99, 30, 100),
  quantity: fc.constantFrom(1, 1, 3, 7),
  plan: fc.record({
    interval_unit: units,
    interval_count: counts,
    billing_interval: fc.constantFrom<IntervalUnit>('WEEK', 'MONTH', 'MONTH_END'),
    billing_interval_count: counts,
    prepay: fc.boolean(),
    is_prorated: fc.boolean(),
    setup_fee: fc.constantFrom(0, 10),
    trial_days: fc.constantFrom(0, 0, 10),
    auto_bill_amount: fc.boolean(),
    initial_fail_amount_action: fc.constantFrom<'CONTINUE' | 'CANCEL'>('CONTINUE', 'CANCEL'),
    max_fail_attempts: fc.constantFrom(null, 1, 3),
    should_retry_payments: fc.boolean(),
    max_payment_retries: fc.constantFrom(0, 2, 4),
    retry_payment_in_minutes: fc.constantFrom(720, 60 * 24 * 5),
  }),
  settings: fc.record({
    timezone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York'),
    proration_mode: fc.constantFrom<'day' | 'second' | 'thirty'>('day', 'second', 'thirty'),
  }),
});

export type Action =
  | { do: 'run'; hours: number; lag: boolean }
  | { do: 'start'; ahead: number | null; total: number | null; reanchor: boolean; method: boolean }
  | { do: 'stop'; ahead: number | null }
  | { do: 'pause'; ahead: number | null }
  | { do: 'change'; ahead: number | null; total: number | null; infinite: boolean; method: boolean }
  | { do: 'answer'; outcome: 'yes' | 'soft' | 'hard' | 'auth' }
  | { do: 'card'; can: boolean };

export const hours = fc.integer({ min: 1, max: 24 * 70 });
const maybe = fc.option(hours);
const total = fc.option(fc.integer({ min: 1, max: 5 }));

export const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('run' as const), hours, lag: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('start' as const),
      ahead: fc.option(hours, { freq: 2 }),
      total,
      reanchor: fc.boolean(),
      method: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('stop' as const), ahead: maybe }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pause' as const), ahead: maybe }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('change' as const),
      ahead: maybe,
      total,
      infinite: fc.boolean(),
      method: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('answer' as const),
      outcome: fc.constantFrom<'yes' | 'soft' | 'hard' | 'auth'>('yes', 'yes', 'soft', 'hard', 'auth'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('card' as const), can: fc.boolean() }) },
);

export const outcome = fc.constantFrom<Outcome>(
  'yes',
  'yes',
  'yes',
  'soft',
  'hard',
  'auth',
  'silent',
  'slow',
);

export function iso(at: number): string {
  return new Date(at).toISOString().slice(0, -1);
}

/** Plays the actions; a fault is an answer like any other. */
export function play(scenario: Scenario, actions: readonly Action[]): void {
  let at = START;
  for (const one of actions) {
    if (one.do === 'run') at += one.hours * HOUR;
    try {
      act(scenario, one, at);
    } catch (error) {
      // Billing itself is never refused.
      const isRefused = isFault(error, 'subscription.state_conflict') || isFault(error, 'value.invalid');
      if (!isRefused || one.do === 'run') throw error;
    }
  }
}

function act(scenario: Scenario, one: Action, at: number): void {
  const now = iso(at);
  const later = (ahead: number | null): Date | null => (ahead === null ? null : new Date(at + ahead * HOUR));
  const laterText = (ahead: number | null): string | undefined => later(ahead)?.toISOString().slice(0, -1);
  switch (one.do) {
    case 'run':
      if (one.lag) scenario.wake(now);
      else scenario.runTo(new Date(at));
      break;
    case 'start':
      scenario.start(now, {
        starting_date: scenario.it.status === 'CREATED' ? later(one.ahead) : null,
        ...(one.total === null ? {} : { interval_total: one.total }),
        reanchor: one.reanchor,
        new_payment_method: one.method,
      });
      break;
    case 'stop':
      scenario.stop(now, laterText(one.ahead));
      break;
    case 'pause':
      scenario.pause(now, laterText(one.ahead));
      break;
    case 'change':
      scenario.change(now, {
        ...(one.infinite ? { infinite: true } : {}),
        ...(one.ahead === null ? {} : { ending_date: later(one.ahead) }),
        ...(one.total === null ? {} : { interval_total: one.total }),
        new_payment_method: one.method,
      });
      break;
    case 'answer': {
      const waiting = scenario.payments.find(({ status }) => status === 'PROCESSING');
      if (waiting) scenario.answer(now, waiting.key, one.outcome);
      break;
    }
    case 'card':
      scenario.canPay = one.can;
      break;
  }
}
