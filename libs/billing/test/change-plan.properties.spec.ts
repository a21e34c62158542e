import fc from 'fast-check';

import { beyond } from './change-model.js';
import { ModelledHistory } from './modelled-history.js';
import {
  anything,
  change,
  changes,
  changesAndFailures,
  changesAndPauses,
  changesAndRefunds,
  changesAndStops,
  plansOf,
  starts,
} from './random-changes.js';
import type { ScenarioFixture } from './fixture.js';

/**
 * The history agrees with the second model, and no payment has given back more than it collected. A refund by a person
 * lowers the sum, and by as much less as the credit of a change later counts it.
 */
function holds({ sum, net_minor, refunded_minor, scenario }: ModelledHistory): void {
  const { exact, cuts } = sum;
  const difference = beyond(net_minor, exact, cuts);
  if (difference > 0 || difference < -refunded_minor) {
    const wanted = (Number((1000n * exact.over) / exact.under) / 1000).toFixed(3);
    throw new Error(`${net_minor} is not ${wanted} (${cuts} parts):\n${scenario.lines.join('\n')}`);
  }
  for (const { key, paid_minor, refunded_minor: given } of scenario.payments) {
    if (given > paid_minor) throw new Error(`${key} has given back more than it collected`);
  }
}

function agrees(plans: fc.Arbitrary<ScenarioFixture>, steps = changes): void {
  fc.assert(
    fc.property(plans, starts, steps, (fixture, start, acts) => {
      holds(new ModelledHistory(fixture, start).play(acts).settle());
    }),
    { numRuns: 60 },
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

  const mixed = plansOf({ intervals: true, prepay: true });

  it('equals the exact sum of its parts while charges fail', () => {
    agrees(mixed, changesAndFailures);
  });

  it('equals the exact sum of its parts up to a stop', () => {
    agrees(mixed, changesAndStops);
  });

  it('equals the exact sum of its parts around pauses', () => {
    agrees(mixed, changesAndPauses);
  });

  it('lies below the exact sum of its parts by no more than a person has given back', () => {
    agrees(mixed, changesAndRefunds);
  });

  it('equals the exact sum of its parts after any of these', () => {
    agrees(mixed, anything);
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
      { numRuns: 60 },
    );
  });
});
