import fc from 'fast-check';
import { action, iso, outcome, play, fixture, START } from './random-scenario.js';
import { Scenario } from './scenario.js';

describe('any history of a subscription', () => {
  it('stays within the lifecycle, charges nothing twice, and always has a date or an end', () => {
    fc.assert(
      fc.property(
        fixture,
        fc.array(action, { minLength: 10, maxLength: 40, size: 'max' }),
        fc.array(outcome, { maxLength: 30 }),
        fc.boolean(),
        (set, actions, script, hasMethod) => {
          const scenario = new Scenario(set).create(iso(START), { has_payment_method: hasMethod });
          scenario.script = [...script];
          // Scenario checks the invariants at every step.
          play(scenario, [
            { do: 'start', ahead: null, total: null, reanchor: false, method: false },
            ...actions,
          ]);
        },
      ),
      { numRuns: 300 },
    );
  });
});
