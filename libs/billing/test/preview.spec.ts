import fc from 'fast-check';
import type { IntervalUnit } from '../src/domain/calendar/calendar.js';
import { previewCharges } from './previewed-charges.js';
import { Scenario } from './scenario.js';

describe('a preview', () => {
  it('shows the dates, amounts and breakdowns of the next charges', () => {
    const scenario = new Scenario({ plan: { setup_fee: 10 } }).start('2024-01-31');
    const shown = previewCharges(scenario.current, scenario.terms, scenario.now, 3);
    expect(shown.map(({ date, amount, kind }) => [date, amount, kind])).toEqual([
      [new Date('2024-01-31'), 40, 'period'],
      [new Date('2024-02-29'), 30, 'period'],
      [new Date('2024-03-31'), 30, 'period'],
    ]);
    expect(shown[0]?.breakdown.amount).toBe(40);
    expect(scenario.payments).toEqual([]);
  });

  it('ends with the subscription', () => {
    const scenario = new Scenario().start('2024-01-31', { interval_total: 2 });
    expect(previewCharges(scenario.current, scenario.terms, scenario.now, 36)).toHaveLength(2);
  });

  it('shows later charges', () => {
    const unit = fc.constantFrom<IntervalUnit>('DAY', 'WEEK', 'MONTH', 'MONTH_END', 'ANNUAL');
    const plan = fc.record({
      interval_unit: unit,
      billing_interval: unit,
      prepay: fc.boolean(),
      is_prorated: fc.boolean(),
      setup_fee: fc.constantFrom(0, 10),
      trial_days: fc.constantFrom(0, 10),
    });
    const start = fc.date({ min: new Date('2024-01-01'), max: new Date('2025-12-31'), noInvalidDate: true });
    const timezone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/Los_Angeles');
    const ends = fc.record({
      interval_total: fc.option(fc.integer({ min: 1, max: 4 })),
      days: fc.option(fc.integer({ min: 1, max: 60 })),
    });
    const ahead = fc.constantFrom(0, 86_400_000 * 40);
    fc.assert(
      fc.property(plan, start, timezone, ends, ahead, (terms, at, zone, { interval_total, days }, later) => {
        const scenario = new Scenario({ plan: terms, settings: { timezone: zone }, price: 29.99 });
        const text = at.toISOString().slice(0, -1);
        scenario.start(text, { interval_total, starting_date: new Date(at.getTime() + later) });
        if (days !== null && interval_total === null) {
          scenario.stop(text, new Date(at.getTime() + days * 86_400_000).toISOString().slice(0, -1));
        }
        const shown = previewCharges(scenario.current, scenario.terms, scenario.now, 12);
        const last = shown.at(-1)?.date;
        if (last !== undefined) scenario.runTo(last);
        const charged = scenario.payments.map(({ at: date, charge }) => ({
          date,
          amount: charge.breakdown.amount,
          credit_applied: 0,
          kind: charge.kind,
          period_start: charge.period_start,
          period_end: charge.period_end,
          breakdown: charge.breakdown,
        }));
        expect(charged.slice(0, shown.length)).toEqual(shown);
      }),
      { numRuns: 300 },
    );
  });
});
