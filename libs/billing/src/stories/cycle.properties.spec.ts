import fc from 'fast-check';
import { isFault, toMajor, toMinor } from '@commerce/kernel';
import { chargeForSlice } from '../domain/pricing/accrual.js';
import {
  sliceAt,
  sliceIndexAt,
  type BillingCalendar,
  type IntervalUnit,
} from '../domain/calendar/calendar.js';
import { hasStarted, type SubscriptionState } from '../domain/lifecycle/subscription-state.js';
import { usedAndUnused } from '../domain/pricing/proration.js';
import { Story, type Outcome, type StorySetting } from './story.js';

const HOUR = 3_600_000;
const START = Date.UTC(2024, 0, 1);

const units = fc.constantFrom<IntervalUnit>('DAY', 'WEEK', 'MONTH', 'MONTH_END', 'ANNUAL');

const setting: fc.Arbitrary<StorySetting> = fc.record({
  price: fc.constantFrom(0, 0.01, 9.99, 30, 100),
  plan: fc.record({
    interval_unit: units,
    billing_interval: fc.constantFrom<IntervalUnit>('WEEK', 'MONTH', 'MONTH_END'),
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

type Action =
  | { do: 'run'; hours: number; lag: boolean }
  | { do: 'start'; ahead: number | null; total: number | null; reanchor: boolean; method: boolean }
  | { do: 'stop'; ahead: number | null }
  | { do: 'pause'; ahead: number | null }
  | { do: 'change'; ahead: number | null; total: number | null; infinite: boolean; method: boolean }
  | { do: 'answer'; outcome: 'yes' | 'soft' | 'hard' | 'auth' }
  | { do: 'card'; can: boolean };

const hours = fc.integer({ min: 1, max: 24 * 70 });
const maybe = fc.option(hours);
const total = fc.option(fc.integer({ min: 1, max: 5 }));

const action: fc.Arbitrary<Action> = fc.oneof(
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

const outcome = fc.constantFrom<Outcome>('yes', 'yes', 'yes', 'soft', 'hard', 'auth', 'silent');

function iso(at: number): string {
  return new Date(at).toISOString().slice(0, -1);
}

/** Plays the actions; a refusal by a fault is an answer like any other. */
function play(story: Story, actions: readonly Action[]): void {
  let at = START;
  for (const one of actions) {
    const later = (ahead: number | null) => (ahead === null ? null : new Date(at + ahead * HOUR));
    try {
      switch (one.do) {
        case 'run':
          at += one.hours * HOUR;
          if (one.lag) story.wake(iso(at));
          else story.runTo(new Date(at));
          break;
        case 'start':
          story.start(iso(at), {
            starting_date: story.it.status === 'CREATED' ? later(one.ahead) : null,
            ...(one.total === null ? {} : { interval_total: one.total }),
            reanchor: one.reanchor,
            new_payment_method: one.method,
          });
          break;
        case 'stop':
          story.stop(iso(at), later(one.ahead)?.toISOString().slice(0, -1));
          break;
        case 'pause':
          story.pause(iso(at), later(one.ahead)?.toISOString().slice(0, -1));
          break;
        case 'change':
          story.change(iso(at), {
            ...(one.infinite ? { infinite: true } : {}),
            ...(one.ahead === null ? {} : { ending_date: later(one.ahead) }),
            ...(one.total === null ? {} : { interval_total: one.total }),
            new_payment_method: one.method,
          });
          break;
        case 'answer': {
          const waiting = story.payments.find(({ status }) => status === 'PROCESSING');
          if (waiting) story.answer(iso(at), waiting.key, one.outcome);
          break;
        }
        case 'card':
          story.canPay = one.can;
          break;
      }
    } catch (error) {
      if (!isFault(error, 'subscription.state_conflict') && !isFault(error, 'value.invalid')) throw error;
    }
  }
}

describe('any history of a subscription', () => {
  it('stays within the lifecycle, charges nothing twice, and always has a date or an end', () => {
    fc.assert(
      fc.property(
        setting,
        fc.array(action, { minLength: 10, maxLength: 40, size: 'max' }),
        fc.array(outcome, { maxLength: 30 }),
        fc.boolean(),
        (set, actions, script, hasMethod) => {
          const story = new Story(set).create(iso(START), { has_payment_method: hasMethod });
          story.script = [...script];
          // Story holds the invariants at every step.
          play(story, [
            { do: 'start', ahead: null, total: null, reanchor: false, method: false },
            ...actions,
          ]);
        },
      ),
      { numRuns: 300 },
    );
  });
});

/** Where the subscription ends by its own term. */
function endOf(state: SubscriptionState): Date | null {
  return hasStarted(state) ? state.schedule.end : null;
}

/** [from, to) in which service was granted. */
type Span = { from: number; to: number };

/** What the days of service come to, computed from the calendar alone. */
function worth(story: Story, spans: readonly Span[], end: Date | null): number {
  const { anchor } = story.it;
  if (anchor === null || spans.length === 0) return 0;
  const { plan, settings } = story.terms;
  const { timezone, proration_mode: mode } = settings;
  const { interval_unit, billing_interval, currency, is_prorated } = plan;
  const calendar: BillingCalendar = { anchor, timezone, interval_unit, billing_interval };
  const price = { price_minor: toMinor(story.price, currency), currency, is_prorated };
  const until = Math.max(...spans.map(({ to }) => to));
  let sum = 0;
  for (let index = 0; index <= sliceIndexAt(calendar, new Date(until - 1)); index += 1) {
    const slice = sliceAt(calendar, index);
    const last = end !== null && end < slice.end ? end : slice.end;
    if (last <= slice.start) continue;
    const base_minor = chargeForSlice(calendar, price, slice, end).amount_minor;
    const unused = (at: number) =>
      usedAndUnused({
        mode,
        timezone,
        unit: billing_interval,
        base_minor,
        currency,
        start: slice.start,
        end: last,
        at: new Date(at),
        is_prorated,
      }).unused_minor;
    for (const { from, to } of spans) {
      if (from >= last.getTime() || to <= slice.start.getTime()) continue;
      sum +=
        (from <= slice.start.getTime() ? base_minor : unused(from)) - (to >= last.getTime() ? 0 : unused(to));
    }
  }
  return toMajor(sum, currency);
}

const spell = fc.record({
  runs: fc.array(fc.record({ hours, lag: fc.boolean() }), { maxLength: 3 }),
  rests: fc.array(fc.record({ hours, lag: fc.boolean() }), { maxLength: 3 }),
});

describe('the money of a subscription', () => {
  it('is what its days of service come to: collected, less given back, plus what is still owed', () => {
    fc.assert(
      fc.property(
        setting,
        fc.array(spell, { minLength: 1, maxLength: 4, size: 'max' }),
        fc.option(fc.integer({ min: 1, max: 6 })),
        fc.option(hours),
        fc.array(fc.constantFrom<Outcome>('yes', 'yes', 'soft', 'hard', 'auth'), { maxLength: 40 }),
        (set, spells, interval_total, stopAhead, script) => {
          const plan = {
            ...set.plan,
            max_fail_attempts: null,
            initial_fail_amount_action: 'CONTINUE' as const,
          };
          const story = new Story({ ...set, plan }).start(iso(START), { interval_total });
          story.script = [...script];
          // No move falls on the boundary of a slice.
          let at = START + 7 * 60_000;
          const spans: Span[] = [];
          const run = (parts: readonly { hours: number; lag: boolean }[]): void => {
            for (const part of parts) {
              at += part.hours * HOUR;
              if (part.lag) story.wake(iso(at));
              else story.runTo(new Date(at));
            }
          };
          let from = START;
          for (const { runs, rests } of spells) {
            run([...runs, { hours: 1, lag: false }]);
            if (story.it.status !== 'ACTIVE' || !story.it.active) break;
            story.pause(iso(at));
            spans.push({ from, to: at });
            run([...rests, { hours: 1, lag: false }]);
            story.start(iso(at));
            from = at;
          }
          run([{ hours: 2, lag: false }]);
          const naturally = endOf(story.current);
          const end = naturally?.getTime() ?? Infinity;
          if (story.it.status === 'ACTIVE' && story.it.active) {
            const stop = Math.min(at + (stopAhead ?? 0) * HOUR, end);
            story.stop(iso(at), stopAhead === null ? undefined : iso(stop));
            // A stop in trial is one at once.
            spans.push({ from, to: story.seen.at(-1) === 'CANCELLED' ? at : stop });
          } else spans.push({ from, to: Infinity });
          story.runTo(new Date(at + 5 * 366 * 24 * HOUR));
          expect(['CANCELLED', 'COMPLETED']).toContain(story.it.status);
          const served = spans.map((span) => ({ from: span.from, to: Math.min(span.to, end) }));
          // A stop in trial charges nothing any more, a setup fee that is being retried neither.
          const dropped = story.lines.some((line) => line.endsWith('payment.not_owed'));
          const setup = story.it.setup_charged && !dropped ? story.plan.setup_fee : 0;
          const owed = toMinor(story.it.outstanding_amount, 'EUR') + toMinor(story.net, 'EUR');
          expect(toMajor(owed, 'EUR')).toBe(
            toMajor(toMinor(worth(story, served, naturally), 'EUR') + toMinor(setup, 'EUR'), 'EUR'),
          );
        },
      ),
      { numRuns: 300 },
    );
  });
});
