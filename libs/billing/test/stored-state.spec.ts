import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { hydrate, newId } from '@commerce/records';
import type { SubscriptionState } from '../src/domain/lifecycle/subscription-state.js';
import { PlanRecord } from '../src/plans/plan.record.js';
import { SubscriptionRecord } from '../src/subscription-record/subscription.record.js';
import {
  changesOf,
  stateOf,
  type StoredState,
} from '../src/subscription-record/subscription-state.adapter.js';
import { action, iso, outcome, play, fixture, START } from './random-scenario.js';
import { Scenario } from './scenario.js';

const _id = newId();
const at = new Date('2025-06-01');

/** Reads the record of a subscription with tampered fields. */
function read(scenario: Scenario, changes: Partial<StoredState>): SubscriptionState {
  return stateOf({ _id, ...scenario.it, ...changes }, scenario.terms.plan);
}

const created = new Scenario().create('2025-04-01');
const running = new Scenario().start('2025-04-01').runTo('2025-04-10');
const paused = new Scenario().start('2025-04-01').runTo('2025-04-10').pause('2025-04-10');
const ending = new Scenario().start('2025-04-01').runTo('2025-04-10').stop('2025-04-10', '2025-05-10');
const cancelled = new Scenario().start('2025-04-01').stop('2025-04-10').runTo('2025-06-01');
const retrying = new Scenario({ plan: { should_retry_payments: true } }).start('2025-04-01');
retrying.script = ['soft'];
retrying.runTo('2025-04-01');

describe('the state of a subscription in its record', () => {
  it('round-trips in any history', () => {
    fc.assert(
      fc.property(
        fixture,
        fc.array(action, { minLength: 5, maxLength: 25, size: 'max' }),
        fc.array(outcome, { maxLength: 20 }),
        (set, actions, script) => {
          const scenario = new Scenario(set).create(iso(START), { has_payment_method: true });
          scenario.script = [...script];
          // Scenario checks it after every transition, too.
          play(scenario, [
            { do: 'start', ahead: null, total: null, reanchor: false, method: false },
            ...actions,
          ]);
          const state = read(scenario, {});
          expect(isDeepStrictEqual(state, scenario.current)).toBe(true);
          expect(changesOf(state)).toEqual(scenario.it);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('is independent of the other fields of the record', () => {
    const record = { _id, ...running.it, in_session_until: at, note: 'Leave it at the door' };
    expect(stateOf(record, running.terms.plan)).toEqual(running.current);
  });

  it('drops fields that only another status has', () => {
    expect(paused.it.paused_at).not.toBeNull();
    const resumed = new Scenario().start('2025-04-01').runTo('2025-04-10').pause('2025-04-10', '2025-04-20');
    resumed.runTo('2025-04-21');
    expect(resumed.it).toMatchObject({ paused_at: null, resume_at: null });
    expect(cancelled.it).toMatchObject({ term_before_stop: null });
  });
});

describe('a record from before intervals of several units and quantities', () => {
  it('is for one unit and one of the plan', () => {
    expect(hydrate(PlanRecord, { interval_unit: 'ANNUAL', billing_interval: 'MONTH' })).toMatchObject({
      interval_count: 1,
      billing_interval_count: 1,
    });
    expect(hydrate(SubscriptionRecord, {}).quantity).toBe(1);
  });
});

describe('an impossible record', () => {
  const { periods } = running.it;
  const { open_payments } = retrying.it;

  it.each<[string, Scenario, Partial<StoredState>, keyof StoredState]>([
    ['a pause while running', running, { paused_at: at }, 'paused_at'],
    ['a date to resume while running', running, { resume_at: at }, 'resume_at'],
    ['a reason while running', running, { reason: 'max_fail_attempts' }, 'reason'],
    ['a proration while running', running, { prorate_amount: -15 }, 'prorate_amount'],
    ['two terms at once', running, { interval_total: 3, ending_date: at }, 'interval_total'],
    ['an end of what has none', running, { infinite: true, ending_date: at }, 'ending_date'],
    ['no calendar after the start', running, { anchor: null }, 'anchor'],
    ['no timezone after the start', running, { timezone: null }, 'timezone'],
    ['a trial without an end', running, { in_trial: true }, 'trial_ending_date'],
    ['a period before the start', created, { periods }, 'periods'],
    ['a calendar before the start', created, { anchor: at }, 'anchor'],
    ['service before the start', created, { active: true }, 'active'],
    ['a pause without a date', paused, { paused_at: null }, 'paused_at'],
    ['service in a pause', paused, { active: true }, 'active'],
    ['a stop without a date', ending, { ending_date: null }, 'ending_date'],
    ['a stop that forgot the term', ending, { term_before_stop: null }, 'term_before_stop'],
    ['a trial of what is cancelled', cancelled, { in_trial: true }, 'in_trial'],
    ['an amount of half a cent', running, { outstanding_amount: 0.005 }, 'outstanding_amount'],
    ['a book of less than nothing', running, { periods: periods.map(creditedTwice) }, 'periods'],
    ['a price of half a cent', running, { periods: periods.map(atHalfACent) }, 'periods'],
    [
      'a retry without a date',
      retrying,
      { open_payments: open_payments.map((one) => ({ ...one, retry_at: null })) },
      'open_payments',
    ],
    [
      'a payment in flight with a date',
      retrying,
      { open_payments: open_payments.map((one) => ({ ...one, state: 'IN_FLIGHT' as const })) },
      'open_payments',
    ],
  ])('such as %s is refused by name', (_case, scenario, changes, field) => {
    const name = `Subscription ${_id.toHexString()} is corrupted: ${field} `;
    expect(() => read(scenario, changes)).toThrow(name);
  });
});

function atHalfACent(period: StoredState['periods'][number]): StoredState['periods'][number] {
  const terms = period.terms.map((one) => ({ ...one, price: one.price && { ...one.price, price: 0.005 } }));
  return { ...period, terms };
}

function creditedTwice(period: StoredState['periods'][number]): StoredState['periods'][number] {
  return { ...period, books: period.books.map((entry) => ({ ...entry, credited: entry.paid + 1 })) };
}
