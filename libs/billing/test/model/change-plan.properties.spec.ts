import fc from 'fast-check';

import { beyond } from './change-model.js';
import { fraction, plus, type Fraction } from './fraction.js';
import { ModelledHistory } from './modelled-history.js';
import type { ModelFixture } from './model-end.js';
import { RefundedHistory } from './refunded-history.js';
import {
  change,
  coupon,
  INTERVALS,
  plansOf,
  starts,
  stepsOf,
  stepsWithCoupons,
  type Coupon,
  type Step,
} from './random-changes.js';

const RUNS = 60;

/**
 * The history agrees with the second model, and no payment has given back more than it collected. A cut rounds its part
 * once, by half a minor unit at most; whole periods are rounded by both in the same way, and may not differ.
 */
function holds(history: ModelledHistory, exact = expectedOf(history)): void {
  const { sum, net_minor, scenario } = history;
  const { cuts } = sum;
  scenario.agree();
  if (beyond(net_minor, exact, cuts) !== 0) {
    const wanted = (Number((1000n * exact.over) / exact.under) / 1000).toFixed(3);
    throw new Error(`${net_minor} is not ${wanted} (${cuts} parts):\n${scenario.lines.join('\n')}`);
  }
  for (const { key, paid_minor, refunded_minor: given } of scenario.payments) {
    if (given > paid_minor) throw new Error(`${key} has given back more than it collected`);
  }
}

/** The exact sum, less the money that a person gave back, plus what was credited less for it. */
function expectedOf({ sum, given_minor, scenario }: ModelledHistory): Fraction {
  return plus(sum.exact, fraction(scenario.ledger.lost_minor - given_minor));
}

function agrees(
  plans: fc.Arbitrary<ModelFixture>,
  steps: fc.Arbitrary<Step[]>,
  coupons: fc.Arbitrary<Coupon | null> = fc.constant(null),
): void {
  fc.assert(
    fc.property(plans, starts, steps, coupons, (fixture, start, acts, first) => {
      holds(new ModelledHistory(fixture, start, first).play(acts).settle());
    }),
    { numRuns: RUNS },
  );
}

const { once, calendarMonths, inParts, every } = INTERVALS;
const ANYTHING = { pause: 2, start: 3, stop: 1, card: 3, late: 2 };

describe('the money of any number of changes', () => {
  it('equals the exact sum of its parts where the interval stays', () => {
    agrees(plansOf({ intervals: once }), stepsOf());
  });

  it('equals the exact sum of its parts where the interval changes', () => {
    agrees(plansOf({ intervals: once, mixed: true }), stepsOf());
  });

  const mixed = plansOf({ intervals: once, mixed: true, prepay: true });

  it('equals the exact sum of its parts between prepaid plans and others', () => {
    agrees(mixed, stepsOf());
  });

  it('equals the exact sum of its parts while charges fail', () => {
    agrees(mixed, stepsOf({ card: 4 }));
  });

  it('equals the exact sum of its parts where failed charges succeed late', () => {
    agrees(mixed, stepsOf({ card: 4, late: 4 }));
  });

  it('equals the exact sum of its parts up to a stop', () => {
    agrees(mixed, stepsOf({ stop: 2, start: 2 }));
  });

  it('equals the exact sum of its parts around pauses', () => {
    agrees(mixed, stepsOf({ pause: 4, start: 4 }));
  });

  it('equals the exact sum of its parts after any of these', () => {
    agrees(mixed, stepsOf(ANYTHING));
  });
});

describe('the money of changes with setup fees', () => {
  it('has the fee of the first plan once, whatever fails, pauses or stops', () => {
    const intervals = fc.oneof(once, calendarMonths, inParts);
    agrees(plansOf({ intervals, setup: true }), stepsOf(ANYTHING));
    agrees(plansOf({ intervals, mixed: true, prepay: true, setup: true }), stepsOf(ANYTHING));
  });

  it('has it where a trial comes first', () => {
    const plans = plansOf({ intervals: once, mixed: true, prepay: true, trial: true, setup: true });
    agrees(plans, stepsOf(ANYTHING));
  });
});

describe('the money of changes in other calendars', () => {
  const all = fc.oneof(once, calendarMonths, inParts);

  it('adds up over calendar months that begin inside one', () => {
    agrees(plansOf({ intervals: calendarMonths, mixed: true, prepay: true }), stepsOf(ANYTHING));
  });

  it('adds up where an interval is collected in parts', () => {
    agrees(plansOf({ intervals: inParts }), stepsOf(ANYTHING));
    agrees(plansOf({ intervals: inParts, mixed: true, prepay: true }), stepsOf(ANYTHING));
  });

  it('adds up in any interval, collected by any other', () => {
    agrees(plansOf({ intervals: every }), stepsOf(ANYTHING));
    agrees(plansOf({ intervals: every, mixed: true, prepay: true }), stepsOf(ANYTHING));
  });

  it('adds up after a trial in which it changed, stopped or paused', () => {
    agrees(plansOf({ intervals: all, mixed: true, prepay: true, trial: true }), stepsOf(ANYTHING));
  });
});

describe('the money of changes with coupons', () => {
  const first = fc.option(coupon, { freq: 2 });

  it('adds up to the lower prices', () => {
    agrees(plansOf({ intervals: once }), stepsWithCoupons(), first);
    agrees(plansOf({ intervals: once, mixed: true, prepay: true }), stepsWithCoupons(), first);
  });

  it('adds up to the lower prices around pauses, stops and failures', () => {
    agrees(plansOf({ intervals: once, mixed: true, prepay: true }), stepsWithCoupons(ANYTHING), first);
  });

  it('adds up to the lower prices in any calendar and after a trial', () => {
    const intervals = fc.oneof(once, calendarMonths, inParts, every);
    const plans = plansOf({ intervals, mixed: true, prepay: true, trial: true });
    agrees(plans, stepsWithCoupons(ANYTHING), first);
    agrees(plansOf({ intervals }), stepsWithCoupons(ANYTHING), first);
  });
});

describe('the money of changes of a subscription that ends by itself', () => {
  const intervals = fc.oneof(once, calendarMonths, inParts, every);
  const more = { mixed: true, prepay: true, ends: true };

  it('adds up to its end, where that is all that happens', () => {
    agrees(plansOf({ intervals, ...more }), fc.constant([]));
    agrees(plansOf({ intervals, ...more, trial: true, setup: true }), fc.constant([]), fc.option(coupon));
  });

  it('adds up to its end after any changes', () => {
    agrees(plansOf({ intervals: once, ends: true }), stepsOf());
    agrees(plansOf({ intervals: once, ...more }), stepsOf());
    agrees(plansOf({ intervals, ...more }), stepsOf());
  });

  it('adds up to its end around pauses, stops and failures, with setup fees', () => {
    agrees(plansOf({ intervals: once, ...more, setup: true }), stepsOf(ANYTHING));
    agrees(plansOf({ intervals, ...more, setup: true }), stepsOf(ANYTHING));
  });

  it('adds up to its end with coupons and after a trial', () => {
    const plans = plansOf({ intervals, ...more, trial: true });
    agrees(plans, stepsWithCoupons(ANYTHING), fc.option(coupon, { freq: 2 }));
  });
});

describe('the money of changes of which a person gives back some', () => {
  const refunded = (plans: fc.Arbitrary<ModelFixture>, steps: fc.Arbitrary<Step[]>): void => {
    fc.assert(
      fc.property(plans, starts, steps, (fixture, start, acts) => {
        const history = new RefundedHistory(fixture, start).play(acts).settle();
        holds(history, history.expected);
      }),
      { numRuns: RUNS },
    );
  };

  it('is the exact sum of its parts, less that, plus as much less as is credited later', () => {
    refunded(plansOf({ intervals: once }), stepsOf({ refund: 3 }));
    refunded(plansOf({ intervals: once, mixed: true, prepay: true }), stepsOf({ refund: 3 }));
  });

  it('is exact with coupons, in any calendar and after a trial', () => {
    const intervals = fc.oneof(once, calendarMonths, inParts, every);
    const plans = plansOf({ intervals, mixed: true, prepay: true, trial: true });
    refunded(plans, stepsWithCoupons({ refund: 3 }));
    refunded(plansOf({ intervals }), stepsWithCoupons({ refund: 3 }));
  });

  it('is exact up to an end of its own', () => {
    const intervals = fc.oneof(once, calendarMonths, inParts, every);
    const plans = plansOf({ intervals, mixed: true, prepay: true, ends: true });
    refunded(plans, stepsWithCoupons({ refund: 3 }));
  });
});

describe('the money that a person gives back among pauses, stops and failures', () => {
  const first = fc.option(coupon, { freq: 2 });
  const intervals = fc.oneof(once, calendarMonths, inParts, every);
  const more = { mixed: true, prepay: true, trial: true, setup: true };

  it('is credited once, whatever else happens', () => {
    agrees(plansOf({ intervals: once }), stepsOf({ ...ANYTHING, refund: 4 }));
    agrees(plansOf({ intervals: once, mixed: true, prepay: true }), stepsOf({ ...ANYTHING, refund: 4 }));
  });

  it('is credited once where most charges fail and many succeed late', () => {
    const steps = stepsOf({ pause: 8, start: 12, card: 8, late: 8, refund: 4 });
    agrees(plansOf({ intervals: once, mixed: true, prepay: true }), steps);
  });

  it('is credited once with coupons, in any calendar and up to an end of its own', () => {
    agrees(plansOf({ intervals, ...more }), stepsWithCoupons({ ...ANYTHING, refund: 4 }), first);
    agrees(plansOf({ intervals, ...more, ends: true }), stepsWithCoupons({ ...ANYTHING, refund: 4 }), first);
  });
});

describe('the preview of a change', () => {
  it('shows what is then charged, after any other changes and refunds', () => {
    const intervals = fc.oneof(once, calendarMonths, inParts);
    const plans = plansOf({ intervals, mixed: true, prepay: true });
    const steps = stepsWithCoupons({ refund: 3 });
    fc.assert(
      fc.property(plans, starts, steps, change, (fixture, start, acts, last) => {
        const [shown, charged] = new ModelledHistory(fixture, start).play(acts).previewed(last);
        expect(charged).toEqual(shown);
      }),
      { numRuns: RUNS },
    );
  });
});

describe('the upcoming charges', () => {
  it('are those that follow, after any changes, coupons and refunds', () => {
    const intervals = fc.oneof(once, calendarMonths, inParts);
    const plans = plansOf({ intervals, mixed: true, prepay: true });
    const steps = stepsWithCoupons({ refund: 3, pause: 1, start: 2 });
    fc.assert(
      fc.property(plans, starts, steps, (fixture, start, acts) => {
        const [shown, charged] = new ModelledHistory(fixture, start).play(acts).upcoming();
        expect(charged).toEqual(shown);
      }),
      { numRuns: RUNS },
    );
  });
});
