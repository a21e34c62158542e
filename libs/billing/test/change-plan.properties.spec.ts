import fc from 'fast-check';

import { isWithin } from './change-model.js';
import { ModelledHistory } from './modelled-history.js';
import { change, changes, changesAndRefunds, plansOf, starts } from './random-changes.js';
import type { ScenarioFixture } from './fixture.js';

/** The history agrees with the second model, and no payment has given back more than it collected. */
function holds(history: ModelledHistory): void {
  const { exact, cuts } = history.sum;
  if (!isWithin(history.net_minor, exact, cuts)) {
    const wanted = (Number((1000n * exact.over) / exact.under) / 1000).toFixed(3);
    throw new Error(
      `${history.net_minor} is not ${wanted} (${cuts} parts):\n${history.scenario.lines.join('\n')}`,
    );
  }
  for (const { key, paid_minor, refunded_minor } of history.scenario.payments) {
    if (refunded_minor > paid_minor) throw new Error(`${key} has given back more than it collected`);
  }
}

function agrees(plans: fc.Arbitrary<ScenarioFixture>): void {
  fc.assert(
    fc.property(plans, starts, changes, (fixture, start, acts) => {
      holds(new ModelledHistory(fixture, start).play(acts).settle());
    }),
    { numRuns: 100 },
  );
}

describe('the money of any number of changes', () => {
  it('equals the exact sum of its parts where the interval stays', () => {
    agrees(plansOf({ intervals: false, prepay: false }));
  });

  it('equals the exact sum of its parts where the interval changes', () => {
    agrees(plansOf({ intervals: true, prepay: false }));
  });

  it('equals the exact sum of its parts between prepaid plans and others', () => {
    agrees(plansOf({ intervals: true, prepay: true }));
  });
});

describe('the preview of a change', () => {
  it('shows what is then charged, after any other changes and refunds', () => {
    const plans = plansOf({ intervals: true, prepay: true });
    fc.assert(
      fc.property(plans, starts, changesAndRefunds, change, (fixture, start, acts, last) => {
        const [shown, charged] = new ModelledHistory(fixture, start).play(acts).previewed(last);
        expect(charged).toEqual(shown);
      }),
      { numRuns: 100 },
    );
  });
});
