import { isFault } from '@commerce/kernel';
import fc from 'fast-check';

import type { Ahead } from '../src/domain/ahead/ahead.js';
import { ActionScenario, NOTHING, facts } from './action-scenario.js';
import { HOUR, START, action, fixture, iso, outcome, play, type Action } from './random-scenario.js';
import { date } from './scenario-text.js';

describe('the preview of a start, 30.00 a month in advance', () => {
  const first = (shown: Ahead): unknown => facts({ ...shown, charges: shown.charges.slice(0, 2) });
  const next = (...charges: [string, number][]): object => ({
    ...NOTHING,
    charges,
    cancelled: null,
    prorate_amount: 0,
  });

  it('of a new subscription charges the setup fee and the first period', () => {
    const scenario = new ActionScenario({ plan: { setup_fee: 10 } }).create('2025-04-01');
    expect(first(scenario.previewStart())).toEqual(next(['2025-04-01', 40], ['2025-05-01', 30]));
    const later = scenario.previewStart({ starting_date: date('2025-04-10') });
    expect(first(later)).toEqual(next(['2025-04-10', 40], ['2025-05-10', 30]));
  });

  it('of a trial charges at its end, and nothing where nobody can pay', () => {
    const scenario = new ActionScenario({ plan: { trial_days: 10 } }).create('2025-04-01');
    expect(first(scenario.previewStart())).toEqual(next(['2025-04-11', 30], ['2025-05-11', 30]));
    scenario.canPay = false;
    expect(first(scenario.previewStart())).toEqual(next());
  });

  it('on 21 April, after a pause on 11 April, charges the rest of the period', () => {
    const scenario = new ActionScenario().start('2025-04-01').runTo('2025-04-11').pause('2025-04-11');
    scenario.runTo('2025-04-21');
    expect(first(scenario.previewStart())).toEqual(next(['2025-04-21', 10], ['2025-05-01', 30]));
    const anew = scenario.previewStart({ reanchor: true });
    expect(first(anew)).toEqual(next(['2025-04-21', 30], ['2025-05-21', 30]));
  });

  it('takes back a stop that is still to come, and charges as if there had been none', () => {
    const scenario = new ActionScenario().start('2025-04-01').runTo('2025-04-11');
    scenario.stop('2025-04-11', '2025-04-16');
    expect(first(scenario.previewStart())).toEqual(next(['2025-05-01', 30], ['2025-06-01', 30]));
  });
});

const BOUNDS = { count: 10, most: 10 };

const begun = fc.record({
  from: fc.constantFrom('created', 'paused', 'stopped'),
  ahead: fc.option(fc.integer({ min: 1, max: 24 * 70 })),
  waits: fc.integer({ min: 0, max: 24 * 40 }),
  reanchor: fc.boolean(),
  balance_minor: fc.integer({ min: 0, max: 20_000 }),
  given_back: fc.option(fc.integer({ min: 1, max: 100 })),
});

describe('the preview of a start after any history', () => {
  it('shows the charges, refunds and end that follow', () => {
    const compared = { CREATED: 0, PAUSED: 0, NON_RENEWING: 0 };
    fc.assert(
      fc.property(
        fixture,
        fc.array(action, { maxLength: 8, size: 'max' }),
        fc.array(outcome, { maxLength: 10 }),
        fc.boolean(),
        begun,
        (set, actions, script, can, { from, ahead, waits, reanchor, balance_minor, given_back }) => {
          const scenario = new ActionScenario(set);
          scenario.create(iso(START), { has_payment_method: true });
          scenario.script = script.filter((one) => one !== 'silent');
          if (from !== 'created') play(scenario, historyUntil(from, actions, waits));
          scenario.runTo(scenario.now);
          scenario.script = [];
          const { status } = scenario.it;
          if (scenario.current.receivable.open_payments.length > 0 || !(status in compared)) return;
          scenario.canPay = can;
          scenario.balance_minor = balance_minor;
          if (given_back !== null) scenario.giveBackShare(given_back / 100);
          const now = scenario.now.getTime();
          const starting_date = from === 'created' && ahead !== null ? new Date(now + ahead * HOUR) : null;
          const input = { starting_date, reanchor };
          let shown: Ahead;
          try {
            shown = scenario.previewStart(input, BOUNDS);
          } catch (error) {
            if (!isFault(error)) throw error;
            expect(() => scenario.start(iso(now), input)).toThrow(error.message);
            return;
          }
          const [before, given] = [scenario.payments.length, scenario.refunds.length];
          scenario.start(iso(now), input);
          const isWhole = shown.charges.length < BOUNDS.count;
          scenario.runTo(
            isWhole ? new Date(now + 36 * 366 * 24 * HOUR) : (shown.charges.at(-1)?.date ?? scenario.now),
          );
          expect(scenario.charged.slice(before, before + BOUNDS.count)).toEqual(shown.charges);
          expect(scenario.refunds.slice(given, given + shown.refunds.length)).toEqual(shown.refunds);
          compared[status as keyof typeof compared] += 1;
          if (!isWhole) return;
          expect(scenario.refunds.slice(given)).toEqual(shown.refunds);
          expect(shown.outstanding_amount).toBe(scenario.it.outstanding_amount);
          expect(shown.cancelled_at).toEqual(scenario.cancelledAt);
        },
      ),
      { numRuns: 200 },
    );
    expect(Math.min(...Object.values(compared))).toBeGreaterThan(20);
  });
});

/** A history that ends with a pause, or with a stop that is still to come. */
function historyUntil(to: 'paused' | 'stopped', actions: readonly Action[], waits: number): Action[] {
  const begin: Action = { do: 'start', ahead: null, total: null, reanchor: false, method: false };
  const run: Action = { do: 'run', hours: waits + 1, lag: false };
  const before = [begin, ...actions.filter((one) => one.do !== 'stop'), begin];
  return to === 'paused'
    ? [...before, { do: 'pause', ahead: null }, run]
    : [...before, { do: 'stop', ahead: waits + 2 }, run];
}
