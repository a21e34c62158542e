import fc from 'fast-check';
import { action, iso, outcome, play, setting, START } from './random-scenario.js';
import { Story } from './scenario.js';

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
          // Story checks the invariants at every step.
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
