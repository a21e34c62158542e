import { isFault } from '@commerce/kernel';
import fc from 'fast-check';

import type { Ahead } from '../src/domain/ahead/ahead.js';
import { ActionScenario, NOTHING, facts } from './action-scenario.js';
import { HOUR, START, action, fixture, iso, outcome, play } from './random-scenario.js';

describe('the preview of a stop, 30.00 in April, on 16 April', () => {
  const april = (plan: object = {}): ActionScenario =>
    new ActionScenario({ plan }).start('2025-04-01').runTo('2025-04-16');

  it('gives back the unused days of a prepaid period at its end', () => {
    expect(facts(april().previewStop())).toEqual({
      ...NOTHING,
      refunds: [['2025-05-01', 15, 0]],
      cancelled: '2025-05-01',
      prorate_amount: -15,
    });
  });

  it('charges the used days in arrears', () => {
    expect(facts(april({ prepay: false }).previewStop())).toEqual({
      ...NOTHING,
      charges: [['2025-05-01', 15]],
      cancelled: '2025-05-01',
      prorate_amount: -15,
    });
  });

  it('deducts nothing where the plan is not prorated', () => {
    const kept = { ...NOTHING, cancelled: '2025-05-01', prorate_amount: 0 };
    expect(facts(april({ is_prorated: false }).previewStop())).toEqual(kept);
  });

  it('at 16 June charges the periods until then, the last of them up to it', () => {
    expect(facts(april().previewStop('2025-06-16'))).toEqual({
      charges: [
        ['2025-05-01', 30],
        ['2025-06-01', 15],
      ],
      refunds: [],
      cancelled: '2025-07-01',
      prorate_amount: -15,
      outstanding_amount: 0,
    });
  });

  it('writes off the debt for the unused days of a period that was never paid', () => {
    const scenario = new ActionScenario();
    scenario.otherwise = 'hard';
    scenario.start('2025-04-01').runTo('2025-04-16');
    expect(facts(scenario.previewStop())).toEqual({
      ...NOTHING,
      cancelled: '2025-05-01',
      prorate_amount: -15,
      outstanding_amount: 15,
    });
  });

  it('gives back no more than a refund by a person has left', () => {
    const scenario = new ActionScenario().start('2025-04-01').runTo('2025-04-16');
    scenario.giveBackShare(5 / 6);
    expect(facts(scenario.previewStop())).toMatchObject({
      refunds: [['2025-05-01', 5, 0]],
      prorate_amount: -15,
    });
  });

  it('gives back to the balance what the balance paid', () => {
    const scenario = new ActionScenario();
    scenario.balance_minor = 2000;
    scenario.start('2025-04-01').runTo('2025-04-16');
    expect(facts(scenario.previewStop())).toMatchObject({ refunds: [['2025-05-01', 10, 5]] });
  });

  it('ends in a trial without a charge', () => {
    const scenario = new ActionScenario({ plan: { trial_days: 30 } }).start('2025-04-01').runTo('2025-04-16');
    expect(facts(scenario.previewStop())).toEqual({ ...NOTHING, cancelled: '2025-04-16', prorate_amount: 0 });
  });

  it('lists no more charges than asked for, and still computes the end', () => {
    const shown = april().previewStop('2027-06-16', { count: 3, most: 400 });
    expect(shown.charges).toHaveLength(3);
    expect(facts(shown)).toMatchObject({ refunds: [], cancelled: '2027-07-01' });
    const cut = april().previewStop('2027-06-16', { count: 3, most: 10 });
    expect(facts(cut)).toMatchObject({ refunds: [], cancelled: null, prorate_amount: 0 });
  });
});

describe('the preview of a pause, 30.00 in April, on 11 April', () => {
  const april = (plan: object = {}): ActionScenario =>
    new ActionScenario({ plan }).start('2025-04-01').runTo('2025-04-11');

  it('gives back the unused days of a prepaid period at once', () => {
    const paused = { ...NOTHING, refunds: [['2025-04-11', 20, 0]], cancelled: null, prorate_amount: 0 };
    expect(facts(april().previewPause())).toEqual(paused);
  });

  it('charges the used days in arrears at once', () => {
    const paused = { ...NOTHING, charges: [['2025-04-11', 10]], cancelled: null, prorate_amount: 0 };
    expect(facts(april({ prepay: false }).previewPause())).toEqual(paused);
  });

  it('until 21 April charges the rest of the period then', () => {
    const { charges, refunds } = facts(april().previewPause('2025-04-21'));
    expect(refunds).toEqual([['2025-04-11', 20, 0]]);
    expect(charges.slice(0, 2)).toEqual([
      ['2025-04-21', 10],
      ['2025-05-01', 30],
    ]);
  });
});

const chosen = fc.record({
  does: fc.constantFrom('stop', 'stop', 'pause'),
  ahead: fc.option(fc.integer({ min: 0, max: 24 * 200 })),
  balance_minor: fc.integer({ min: 0, max: 20_000 }),
  given_back: fc.option(fc.integer({ min: 1, max: 100 })),
});

describe('the preview of a stop or pause after any history', () => {
  it('shows the charges and refunds, the end and the debt that follow', () => {
    let compared = 0;
    fc.assert(
      fc.property(
        fixture,
        fc.array(action, { minLength: 2, maxLength: 10, size: 'max' }),
        fc.array(outcome, { maxLength: 10 }),
        chosen,
        (set, actions, script, { does, ahead: hours, balance_minor, given_back }) => {
          const scenario = new ActionScenario(set);
          scenario.create(iso(START), { has_payment_method: true });
          scenario.script = script.filter((one) => one !== 'silent');
          play(scenario, [
            { do: 'start', ahead: null, total: null, reanchor: false, method: false },
            ...actions.filter((one) => one.do !== 'stop'),
          ]);
          const now = scenario.now.getTime();
          scenario.runTo(new Date(now));
          // From here on each payment succeeds as it is opened.
          scenario.script = [];
          if (scenario.current.receivable.open_payments.length > 0) return;
          scenario.balance_minor = balance_minor;
          if (given_back !== null) scenario.giveBackShare(given_back / 100);
          const at = hours === null ? undefined : iso(now + hours * HOUR);
          let shown: Ahead;
          try {
            shown = does === 'stop' ? scenario.previewStop(at) : scenario.previewPause(at);
          } catch (error) {
            if (!isFault(error)) throw error;
            return;
          }
          const before = scenario.payments.length;
          const given = scenario.refunds.length;
          if (does === 'stop') scenario.stop(iso(now), at);
          else scenario.pause(iso(now), at);
          const last = shown.charges.at(-1)?.date ?? scenario.now;
          const goesOn = scenario.it.status === 'PAUSED' && hours !== null;
          scenario.runTo(goesOn ? last : new Date(now + 366 * 24 * HOUR));
          const charged = scenario.charged.slice(before);
          expect(charged.slice(0, shown.charges.length)).toEqual(shown.charges);
          expect(scenario.refunds.slice(given, given + shown.refunds.length)).toEqual(shown.refunds);
          compared += 1;
          if (goesOn) return;
          expect(charged.slice(0, 36)).toEqual(shown.charges);
          expect(scenario.refunds.slice(given)).toEqual(shown.refunds);
          expect(shown.outstanding_amount).toBe(scenario.it.outstanding_amount);
          expect(shown.prorate_amount).toBe(scenario.it.prorate_amount);
          expect(shown.cancelled_at).toEqual(scenario.cancelledAt);
        },
      ),
      { numRuns: 300 },
    );
    expect(compared).toBeGreaterThan(30);
  });
});
