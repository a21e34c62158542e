import fc from 'fast-check';
import { toMajor, toMinor } from '@commerce/kernel';
import {
  chargeInterval,
  intervalsOf,
  periodAt,
  periodIndexAt,
  type BillingCalendar,
} from '../src/domain/calendar/calendar.js';
import { hasStarted, lineOf, type SubscriptionState } from '../src/domain/lifecycle/subscription-state.js';
import { accruedCharge } from '../src/domain/pricing/accrual.js';
import { cost, totalMinor } from '../src/domain/lines/cost.js';
import { HOUR, hours, iso, fixture, START } from './random-scenario.js';
import { Scenario } from './scenario.js';
import type { Outcome } from './scenario-payment.js';

/** The end of the subscription by its own term. */
function endOf(state: SubscriptionState): Date | null {
  return hasStarted(state) ? lineOf(state).schedule.end : null;
}

/** [from, to) during which service was granted. */
type Span = { from: number; to: number };

/** The price of the days of service, computed from the calendar alone. */
function worth(scenario: Scenario, spans: readonly Span[], end: Date | null): number {
  const { anchor } = scenario.it;
  if (anchor === null || spans.length === 0) return 0;
  const { plan, settings } = scenario.terms;
  const { timezone, proration_mode: mode } = settings;
  const { currency, is_prorated } = plan;
  const calendar: BillingCalendar = { anchor, timezone, ...intervalsOf(plan) };
  const price_minor = scenario.terms.quantity * toMinor(scenario.price, currency);
  const price = { price_minor, currency, is_prorated };
  const until = Math.max(...spans.map(({ to }) => to));
  let sum = 0;
  for (let index = 0; index <= periodIndexAt(calendar, new Date(until - 1)); index += 1) {
    const period = periodAt(calendar, index);
    const last = end !== null && end < period.end ? end : period.end;
    if (last <= period.start) continue;
    const whole_minor = accruedCharge(calendar, price, period, end).amount_minor;
    const held = spans.map(({ from, to }) => ({ from: new Date(from), to: new Date(to), terms: 0 }));
    const parts = cost(
      { start: period.start, end: last, spans: held, service_end: null, yields: [] },
      {
        currency,
        counting: { mode, timezone, interval: chargeInterval(plan) },
        priceOf: () => ({ whole_minor, is_prorated }),
        same: (a, b) => a === b,
      },
    );
    sum += totalMinor(parts);
  }
  return toMajor(sum, currency);
}

const spell = fc.record({
  runs: fc.array(fc.record({ hours, lag: fc.boolean() }), { maxLength: 3 }),
  rests: fc.array(fc.record({ hours, lag: fc.boolean() }), { maxLength: 3 }),
});

describe('the money of a subscription', () => {
  it('equals the price of its days of service: collected, less refunds, plus debt', () => {
    fc.assert(
      fc.property(
        fixture,
        fc.array(spell, { minLength: 1, maxLength: 4, size: 'max' }),
        fc.option(fc.integer({ min: 1, max: 6 })),
        fc.record({ stopAhead: fc.option(hours), inPause: fc.boolean() }),
        fc.array(fc.constantFrom<Outcome>('yes', 'yes', 'soft', 'hard', 'auth'), { maxLength: 40 }),
        (set, spells, interval_total, { stopAhead, inPause }, script) => {
          const plan = {
            ...set.plan,
            max_fail_attempts: null,
            initial_fail_amount_action: 'CONTINUE' as const,
          };
          const scenario = new Scenario({ ...set, plan }).start(iso(START), { interval_total });
          scenario.script = [...script];
          // No action falls on the boundary of a period.
          let at = START + 7 * 60_000;
          const spans: Span[] = [];
          const run = (parts: readonly { hours: number; lag: boolean }[]): void => {
            for (const part of parts) {
              at += part.hours * HOUR;
              if (part.lag) scenario.wake(iso(at));
              else scenario.runTo(new Date(at));
            }
          };
          let from = START;
          for (const { runs, rests } of spells) {
            run([...runs, { hours: 1, lag: false }]);
            if (scenario.it.status !== 'ACTIVE' || !scenario.it.active) break;
            scenario.pause(iso(at));
            spans.push({ from, to: at });
            run([...rests, { hours: 1, lag: false }]);
            scenario.start(iso(at));
            from = at;
          }
          run([{ hours: 2, lag: false }]);
          if (inPause && scenario.it.status === 'ACTIVE' && scenario.it.active) scenario.pause(iso(at));
          const naturally = endOf(scenario.current);
          const end = naturally?.getTime() ?? Infinity;
          if (scenario.it.status === 'PAUSED') {
            scenario.stop(iso(at));
            spans.push({ from, to: at });
          } else if (scenario.it.status === 'ACTIVE' && scenario.it.active) {
            const stop = Math.min(at + (stopAhead ?? 0) * HOUR, end);
            scenario.stop(iso(at), stopAhead === null ? undefined : iso(stop));
            spans.push({ from, to: stop });
          } else spans.push({ from, to: Infinity });
          scenario.runTo(new Date(at + 5 * 366 * 24 * HOUR));
          expect(['CANCELLED', 'COMPLETED']).toContain(scenario.it.status);
          const served = spans.map((span) => ({ from: span.from, to: Math.min(span.to, end) }));
          // A stop in trial without a date abandons a setup fee that is being retried.
          const dropped = scenario.lines.some((line) => line.endsWith('payment.not_owed'));
          const setup = scenario.it.setup_charged && !dropped ? scenario.plan.setup_fee : 0;
          const owed = toMinor(scenario.it.outstanding_amount, 'EUR') + toMinor(scenario.net, 'EUR');
          expect(toMajor(owed, 'EUR')).toBe(
            toMajor(toMinor(worth(scenario, served, naturally), 'EUR') + toMinor(setup, 'EUR'), 'EUR'),
          );
        },
      ),
      { numRuns: 300 },
    );
  });
});
