import { toMinor } from '@commerce/kernel';
import { newId } from '@commerce/records';
import fc from 'fast-check';

import type { ForecastCharge } from '../src/domain/ahead/forecast.js';
import { forecastCharges } from '../src/domain/ahead/forecast-charges.js';
import type { AheadInput } from '../src/domain/ahead/lookahead.js';
import { chargesAhead } from '../src/domain/ahead/charges-ahead.js';
import { renewalsOf, renewingOf } from '../src/domain/ahead/renewals.js';
import type { Discount } from '../src/domain/pricing/discount.js';
import { renewingFrom } from '../src/subscription-record/renewing.adapter.js';
import { changesOf } from '../src/subscription-record/subscription-state.adapter.js';
import { BalanceScenario } from './balance-scenario.js';
import { HOUR, START, action, fixture, iso, outcome, play } from './random-scenario.js';

const YEAR = 366 * 24 * HOUR;

/** Every decision taken, as billing takes them. */
function theLongWay(inputs: readonly AheadInput[], balance_minor: number, to: Date): ForecastCharge[] {
  const charges: ForecastCharge[] = [];
  for (const { date, amount, credit_applied, breakdown } of chargesAhead(inputs, balance_minor)) {
    if (date >= to) break;
    const { currency } = breakdown;
    const [amount_minor, credit_minor] = [toMinor(amount, currency), toMinor(credit_applied, currency)];
    charges.push({ date, amount_minor, credit_minor, currency });
  }
  return charges;
}

/** None, or that of a coupon. */
const discount: fc.Arbitrary<Discount | null> = fc.option(
  fc
    .record({
      off: fc.constantFrom({ percent_off: 0.15 }, { amount_off: 5 }),
      from: fc.integer({ min: -2, max: 3 }),
      until: fc.option(fc.integer({ min: 4, max: 9 })),
    })
    .map((one) => ({ ...one, coupon: 'coupon', code: 'CODE', plans: null })),
);

describe('the charges of a forecast after any history', () => {
  it('are those that billing decides one by one', () => {
    const taken = { short: 0, long: 0 };
    fc.assert(
      fc.property(
        fixture,
        fc.array(action, { maxLength: 8, size: 'max' }),
        fc.array(outcome, { maxLength: 10 }),
        fc.record({
          can: fc.boolean(),
          minimum_minor: fc.constantFrom(0, 50, 2000),
          balance_minor: fc.constantFrom(0, 0, 0, 5000),
          late: fc.constantFrom(0, 0, 24 * 100),
          discount,
        }),
        (set, actions, script, { can, minimum_minor, balance_minor, late, discount: coupon }) => {
          const scenario = new BalanceScenario({ ...set, ...(coupon && { discount: coupon }) });
          scenario.create(iso(START), { has_payment_method: true });
          scenario.script = script;
          play(scenario, [
            { do: 'start', ahead: null, total: null, reanchor: false, method: false },
            ...actions,
          ]);
          const now = new Date(scenario.now.getTime() + late * HOUR);
          const { current: state, currentTerms: terms } = scenario;
          const input: AheadInput = { state, terms, now, canPay: can, minimum_minor };
          const to = new Date(now.getTime() + YEAR);
          const found = [...forecastCharges([input], { balance_minor, to })];
          expect(found).toEqual(theLongWay([input], balance_minor, to));
          const renewing = renewingOf(state);
          const record = { ...changesOf(state), _id: newId(), user: newId(), held: null };
          expect(renewingFrom(record, terms.plan)).toEqual(renewing);
          const { due } = state.derived;
          const short = renewing && renewalsOf(renewing, terms, { now, due, to, minimum_minor });
          taken[short === null ? 'long' : 'short'] += 1;
          if (short !== null && balance_minor === 0) expect(short).toEqual(found);
        },
      ),
      { numRuns: 400 },
    );
    expect(Math.min(taken.short, taken.long)).toBeGreaterThan(50);
  });

  it('have the last one of a subscription that ends before its period does, beyond the forecast', () => {
    const scenario = new BalanceScenario({
      price: 30,
      plan: { prepay: false, billing_interval_count: 3 },
    });
    scenario.create('2024-01-01', { has_payment_method: true, interval_total: 10 }).start('2024-01-01');
    const { current: state, currentTerms: terms, now } = scenario;
    const to = new Date(now.getTime() + YEAR);
    const found = [...forecastCharges([{ state, terms, now, canPay: true }], { balance_minor: 0, to })];
    expect(found.map(({ date, amount_minor }) => [date.toISOString().slice(0, 10), amount_minor])).toEqual([
      ['2024-04-01', 9000],
      ['2024-07-01', 9000],
      ['2024-10-01', 9000],
      ['2024-11-01', 3000],
    ]);
  });
});
