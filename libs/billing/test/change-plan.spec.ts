import { isFault } from '@commerce/kernel';

import { ChangingScenario } from './changing-scenario.js';
import type { ScenarioFixture } from './fixture.js';

const PLANS = {
  double: { price: 60 },
  half: { price: 15 },
  annual: { price: 300, interval_unit: 'ANNUAL' },
  arrears: { price: 60, prepay: false },
  fixed: { price: 60, is_prorated: false },
  dollars: { price: 60, currency: 'USD' },
} as const;

function scenario(fixture: ScenarioFixture = {}): ChangingScenario {
  return new ChangingScenario({ plans: PLANS, ...fixture });
}

function april(fixture: ScenarioFixture = {}): ChangingScenario {
  return scenario(fixture).start('2026-04-01').runTo('2026-04-01');
}

const lines = (one: ChangingScenario, from = 0): string[] => one.lines.slice(from);

describe('a change with the same interval', () => {
  it('charges the difference for the rest of the period at once', () => {
    const one = april().changePlan('2026-04-16', { plan: 'double' }).runTo('2026-05-01');
    expect(lines(one, 1)).toEqual([
      '2026-04-01 charge period/0 30.00 yes',
      '2026-04-16 charge proration/0-1 15.00 yes',
      '2026-05-01 charge period/1 60.00 yes',
    ]);
  });

  it('is charged at the end of the period in arrears', () => {
    const one = april({ plan: { prepay: false } }).changePlan('2026-04-16', { plan: 'double' });
    expect(lines(one.runTo('2026-05-01'), 1)).toEqual(['2026-05-01 charge period/0 45.00 yes']);
    expect(lines(one.runTo('2026-06-01'), 2)).toEqual(['2026-06-01 charge period/1 60.00 yes']);
  });

  it('credits the balance where the new plan costs less', () => {
    const plans = { lower: { price: 30 } };
    const one = april({ price: 60, plans }).changePlan('2026-04-16', { plan: 'lower' }).runTo('2026-05-01');
    expect(lines(one, 2)).toEqual([
      '2026-04-16 credit period/0 15.00',
      '2026-05-01 charge period/1 30.00 yes',
    ]);
    const refunded = april({ price: 60 }).changePlan('2026-04-16', { plan: 'half' }, { credit: 'refund' });
    expect(lines(refunded.runTo('2026-05-01'), 2)).toEqual([
      '2026-04-16 refund period/0 22.50',
      '2026-05-01 charge period/1 15.00 yes',
    ]);
  });

  it('multiplies by the quantity', () => {
    const one = scenario({ price: 10 }).start('2026-04-01').runTo('2026-04-01');
    one.changePlan('2026-04-01', { quantity: 3 }).runTo('2026-04-01');
    one.changePlan('2026-04-16', { quantity: 5 }).runTo('2026-05-01');
    expect(lines(one, 1)).toEqual([
      '2026-04-01 charge period/0 10.00 yes',
      '2026-04-01 charge proration/0-1 20.00 yes',
      '2026-04-16 charge proration/0-2 10.00 yes',
      '2026-05-01 charge period/1 50.00 yes',
    ]);
  });

  it('moves no money there and back at one instant', () => {
    const one = april()
      .changePlan('2026-04-16', { plan: 'double' })
      .changePlan('2026-04-16', { plan: 'first' });
    expect(lines(one.runTo('2026-05-01'), 2)).toEqual(['2026-05-01 charge period/1 30.00 yes']);
  });

  it('nets 0 there and back where the first was charged', () => {
    const one = april().changePlan('2026-04-16', { plan: 'double' }).runTo('2026-04-16');
    one.changePlan('2026-04-16', { plan: 'first' }).runTo('2026-05-01');
    expect(lines(one, 2)).toEqual([
      '2026-04-16 charge proration/0-1 15.00 yes',
      '2026-04-16 credit proration/0-1 15.00',
      '2026-05-01 charge period/1 30.00 yes',
    ]);
  });

  it('credits only what was collected', () => {
    const failed = april({ plan: { auto_bill_amount: false } });
    const one = scenario({ plan: { auto_bill_amount: false } });
    one.script = ['hard'];
    one
      .start('2026-04-01')
      .runTo('2026-04-01')
      .changePlan('2026-04-16', { plan: 'double' })
      .runTo('2026-04-16');
    expect(lines(one, 1)).toEqual([
      '2026-04-01 charge period/0 30.00 hard',
      '2026-04-16 charge proration/0-1 15.00 yes',
    ]);
    expect(one.it.outstanding_amount).toBe(30);
    failed.giveBack('period/0', 25).changePlan('2026-04-16', { plan: 'double' }).runTo('2026-04-16');
    expect(lines(failed, 2)).toEqual(['2026-04-16 charge proration/0-1 15.00 yes']);
  });

  it('costs the whole price of the dearest where a plan is not prorated', () => {
    const from = april({ plan: { is_prorated: false } }).changePlan('2026-04-16', { plan: 'double' });
    expect(lines(from.runTo('2026-05-01'), 2)).toEqual([
      '2026-04-16 charge proration/0-1 30.00 yes',
      '2026-05-01 charge period/1 60.00 yes',
    ]);
    const to = april().changePlan('2026-04-16', { plan: 'fixed' }).runTo('2026-05-01');
    expect(lines(to, 2)).toEqual([
      '2026-04-16 charge proration/0-1 30.00 yes',
      '2026-05-01 charge period/1 60.00 yes',
    ]);
  });

  it('settles each plan by its own rule of prepayment', () => {
    const to = april().changePlan('2026-04-16', { plan: 'arrears' }).runTo('2026-05-01');
    expect(lines(to, 2)).toEqual(['2026-05-01 charge proration/0-1 15.00 yes']);
    const from = scenario({ plan: { prepay: false }, plans: { now: { price: 60, prepay: true } } });
    from.start('2026-04-01').changePlan('2026-04-16', { plan: 'now' }).runTo('2026-05-01');
    expect(lines(from, 1)).toEqual([
      '2026-04-16 charge period/0 45.00 yes',
      '2026-05-01 charge period/1 60.00 yes',
    ]);
  });
});

describe('a change to another interval', () => {
  it('begins a new calendar', () => {
    const one = april().changePlan('2026-04-16', { plan: 'annual' }).runTo('2027-04-16');
    expect(lines(one, 2)).toEqual([
      '2026-04-16 charge proration/1.0 285.00 yes',
      '2027-04-16 charge period/1.1 300.00 yes',
    ]);
  });

  it('charges used days at once in arrears', () => {
    const one = april({ plan: { prepay: false } }).changePlan('2026-04-16', { plan: 'annual' });
    expect(lines(one.runTo('2027-04-16'), 1)).toEqual([
      '2026-04-16 charge period/0 15.00 yes',
      '2027-04-16 charge period/1.0 300.00 yes',
    ]);
  });

  it('does not count the interval that it broke off', () => {
    const one = scenario().start('2026-04-01', { interval_total: 2 }).runTo('2026-04-01');
    one.changePlan('2026-04-16', { plan: 'annual' }).runTo('2029-01-01');
    expect(lines(one, 2)).toEqual([
      '2026-04-16 charge proration/1.0 285.00 yes',
      '2027-04-16 charge period/1.1 300.00 yes',
      '2028-04-16 COMPLETED',
    ]);
  });
});

describe('a change at a later date', () => {
  it('gives the period that begins there the new terms', () => {
    const one = april().changePlan('2026-04-16', { plan: 'double' }, { at: 'period_end' });
    expect(one.it.pending_change).toMatchObject({ at: new Date('2026-05-01'), state: 'SCHEDULED' });
    one.runTo('2026-05-01');
    expect(lines(one, 2)).toEqual(['2026-05-01 charge period/1 60.00 yes']);
    const arrears = april({ plan: { prepay: false } }).changePlan(
      '2026-04-16',
      { plan: 'double' },
      { at: 'period_end' },
    );
    expect(lines(arrears.runTo('2026-06-01'), 1)).toEqual([
      '2026-05-01 charge period/0 30.00 yes',
      '2026-06-01 charge period/1 60.00 yes',
    ]);
  });

  it('divides a period', () => {
    const one = april().changePlan('2026-04-02', { plan: 'double' }, { at: new Date('2026-04-16') });
    expect(lines(one.runTo('2026-04-16'), 2)).toEqual(['2026-04-16 charge proration/0-1 15.00 yes']);
  });

  it('is replaced by another change, and withdrawn by a stop', () => {
    const one = april().changePlan('2026-04-02', { plan: 'double' }, { at: 'period_end' });
    one.changePlan('2026-04-03', { plan: 'annual' }, { at: 'period_end' });
    expect(one.it.pending_change?.plan.toHexString()).toBe(one.plans.get('annual'));
    expect(one.stop('2026-04-04', '2026-06-01').it.pending_change).toBeNull();
    one
      .start('2026-04-05')
      .changePlan('2026-04-05', { plan: 'double' }, { at: 'period_end' })
      .withdraw('2026-04-06');
    expect(lines(one.runTo('2026-05-01'), -1)).toEqual(['2026-05-01 charge period/1 30.00 yes']);
  });
});

describe('a change that is collected first', () => {
  const first = { collect: 'first' } as const;

  it('takes effect as its charge succeeds', () => {
    const one = april().changePlan('2026-04-16', { plan: 'double' }, first);
    expect(lines(one, 2)).toEqual(['2026-04-16 charge proration/change-1 15.00 yes']);
    expect(one.it.plan.toHexString()).toBe(one.plans.get('double'));
    one.changePlan('2026-04-16', { plan: 'first' }, first).runTo('2026-05-01');
    expect(lines(one, 3)).toEqual([
      '2026-04-16 credit proration/change-1 15.00',
      '2026-05-01 charge period/1 30.00 yes',
    ]);
  });

  it('has no effect where the card is refused', () => {
    const one = april();
    const before = one.it;
    one.script = ['hard'];
    one.changePlan('2026-04-16', { plan: 'double' }, first);
    expect({ ...one.it, quotes: 0 }).toEqual(before);
    expect(lines(one.runTo('2026-05-01'), 3)).toEqual(['2026-05-01 charge period/1 30.00 yes']);
  });

  it('waits 23 hours for the customer', () => {
    const one = april();
    one.script = ['auth'];
    one.changePlan('2026-04-16', { plan: 'double' }, first);
    expect(one.it.pending_change?.state).toBe('AWAITING_PAYMENT');
    one.runTo('2026-04-16T23:00');
    expect(one.it.pending_change).toBeNull();
    expect(one.it.outstanding_amount).toBe(0);
    one.script = ['auth'];
    one
      .changePlan('2026-04-17', { plan: 'double' }, first)
      .answer('2026-04-17T20:00', 'proration/change-2', 'yes');
    expect(one.it.plan.toHexString()).toBe(one.plans.get('double'));
  });

  it('makes way for the next period', () => {
    const one = april({ settings: { proration_mode: 'second' } });
    one.script = ['auth'];
    one.changePlan('2026-04-30T20:00', { plan: 'double' }, first).runTo('2026-05-01');
    expect(lines(one, 3)).toEqual([
      '2026-05-01 give up proration/change-1: payment.superseded',
      '2026-05-01 charge period/1 30.00 yes',
    ]);
  });

  it('is withdrawn by a stop; money that still comes is given back', () => {
    const one = april();
    one.script = ['auth'];
    one.changePlan('2026-04-16', { plan: 'double' }, first).stop('2026-04-17', '2026-06-01');
    one.answer('2026-04-17', 'proration/change-1', 'yes');
    expect(lines(one, -1)).toEqual(['2026-04-17 refund proration/change-1 15.00']);
    expect(one.net).toBe(30);
  });
});

describe('a change of a subscription', () => {
  it('that is not billed yet moves no date', () => {
    const one = scenario({ plan: { trial_days: 10 } }).start('2026-04-01');
    one.changePlan('2026-04-05', { plan: 'double' }).runTo('2026-04-11');
    expect(lines(one, 1)).toEqual(['2026-04-11 charge period/0 60.00 yes']);
    const later = scenario().start('2026-04-01', { starting_date: new Date('2026-04-10') });
    later.changePlan('2026-04-05', { plan: 'annual' }).runTo('2026-04-10');
    expect(lines(later, -1)).toEqual(['2026-04-10 charge period/0 300.00 yes']);
  });

  it('that is paused holds from its resume on', () => {
    const one = april().pause('2026-04-11', '2026-04-21').runTo('2026-04-11');
    one.changePlan('2026-04-15', { plan: 'double' }).runTo('2026-05-01');
    expect(lines(one, 3)).toEqual([
      '2026-04-11 refund period/0 20.00',
      '2026-04-21 ACTIVE',
      '2026-04-21 charge proration/0-1 20.00 yes',
      '2026-05-01 charge period/1 60.00 yes',
    ]);
  });

  it('that is ending is refused, as are another currency and a date behind', () => {
    const code = (play: () => unknown): string => {
      try {
        play();
        return 'none';
      } catch (error) {
        if (!isFault(error)) throw error;
        return error.code;
      }
    };
    const stopped = april().stop('2026-04-10', '2026-04-20');
    expect(code(() => stopped.changePlan('2026-04-11', { plan: 'double' }))).toBe(
      'subscription.state_conflict',
    );
    expect(code(() => april().changePlan('2026-04-11', { plan: 'dollars' }))).toBe('plan.currency_differs');
    expect(
      code(() => april().changePlan('2026-04-11', { plan: 'double' }, { at: new Date('2026-04-10') })),
    ).toBe('value.invalid');
    expect(code(() => april().withdraw('2026-04-11'))).toBe('subscription.state_conflict');
  });

  it('may follow 63 others before it is charged', () => {
    const one = april({ plan: { prepay: false } });
    const change = (minute: number): unknown =>
      one.changePlan(new Date(Date.UTC(2026, 3, 16, 10, minute)).toISOString().slice(0, -1), {
        quantity: minute + 2,
      });
    for (let minute = 0; minute < 63; minute += 1) change(minute);
    expect(() => change(63)).toThrow(/64 times/);
    expect(lines(one.runTo('2026-05-01'), 1)).toEqual(['2026-05-01 charge period/0 975.00 yes']);
  });
});
