import { ChangingScenario } from './changing-scenario.js';
import { subscribedOf } from '../src/domain/lifecycle/subscription-state.js';
import type { ScenarioFixture } from './fixture.js';
import type { Discount } from '../src/domain/pricing/discount.js';

function discount(off: Discount['off'], until: number | null, more: Partial<Discount> = {}): Discount {
  return { coupon: 'c'.repeat(24), code: 'SUMMER', off, plans: null, from: 0, until, ...more };
}

const TEN = { percent_off: 0.1 };

function scenario(fixture: ScenarioFixture): ChangingScenario {
  return new ChangingScenario({
    plans: { double: { price: 60 }, annual: { price: 300, interval_unit: 'ANNUAL' } },
    ...fixture,
  });
}

const amounts = (one: ChangingScenario): string[] =>
  one.lines.filter((line) => line.includes('charge')).map((line) => line.split(' ').slice(2, 4).join(' '));

describe('a coupon', () => {
  it('lowers the price of each interval, forever', () => {
    const one = scenario({ price: 29.9, discount: discount(TEN, null) })
      .start('2026-01-01')
      .runTo('2026-03-01');
    expect(amounts(one)).toEqual(['period/0 26.91', 'period/1 26.91', 'period/2 26.91']);
  });

  it('once: lowers an interval that is collected in parts, which add up', () => {
    const plan = { interval_unit: 'ANNUAL', billing_interval: 'MONTH' } as const;
    const one = scenario({ price: 1000, plan, discount: discount({ percent_off: 0.25 }, 1) });
    one.start('2026-01-01').runTo('2027-12-31');
    const charged = one.payments.map(({ charge }) => charge.amount_minor);
    const sum = (minor: number[]): number => minor.reduce((a, b) => a + b, 0);
    expect(sum(charged.slice(0, 12))).toBe(75_000);
    expect(sum(charged.slice(12, 24))).toBe(100_000);
  });

  it('covers some of the intervals that one charge is for', () => {
    const plan = { interval_unit: 'MONTH', billing_interval: 'ANNUAL' } as const;
    const one = scenario({ plan, discount: discount({ percent_off: 0.5 }, 3) })
      .start('2026-01-01')
      .runTo('2027-01-01');
    expect(amounts(one)).toEqual(['period/0 315.00', 'period/1 360.00']);
  });

  it('never takes off more than the price; the rest lapses', () => {
    const one = scenario({ price: 3, discount: discount({ amount_off: 5 }, 1) })
      .start('2026-01-01')
      .runTo('2026-02-01');
    expect(amounts(one)).toEqual(['period/0 0.00', 'period/1 3.00']);
  });

  it('touches neither the setup fee nor debt', () => {
    const one = scenario({ plan: { setup_fee: 10 }, discount: discount({ percent_off: 0.5 }, 1) });
    one.script = ['hard'];
    one.start('2026-01-01').runTo('2026-02-01');
    expect(amounts(one)).toEqual(['period/0 25.00', 'period/1 55.00']);
  });

  it('repeats for a number of intervals, over a change of the plan', () => {
    const one = scenario({ discount: discount({ percent_off: 0.5 }, 3) })
      .start('2026-04-01')
      .runTo('2026-04-01');
    one.changePlan('2026-04-16', { plan: 'double' }).runTo('2026-07-01');
    expect(amounts(one)).toEqual([
      'period/0 15.00',
      'proration/0-1 7.50',
      'period/1 30.00',
      'period/2 30.00',
      'period/3 60.00',
    ]);
  });

  it('goes on in another calendar; an interval that was broken off counts', () => {
    const one = scenario({ discount: discount({ percent_off: 0.5 }, 1) })
      .start('2026-04-01')
      .runTo('2026-04-01');
    one.changePlan('2026-04-16', { plan: 'annual' }).runTo('2027-04-16');
    expect(amounts(one)).toEqual(['period/0 15.00', 'proration/1.0 292.50', 'period/1.1 300.00']);
  });

  it('comes with a change, and replaces an earlier one', () => {
    const one = scenario({}).start('2026-04-01').runTo('2026-04-01');
    one.changePlan('2026-04-16', {}, { discount: discount({ percent_off: 0.5 }, 2) }).runTo('2026-06-01');
    expect(amounts(one)).toEqual(['period/0 30.00', 'period/1 15.00', 'period/2 30.00']);
    expect(one.balance_minor).toBe(750);
  });

  it('is for some plans only', () => {
    const other = discount({ percent_off: 0.5 }, null, { plans: ['a'.repeat(24)] });
    const one = scenario({ discount: other }).start('2026-04-01').runTo('2026-04-01');
    expect(amounts(one)).toEqual(['period/0 30.00']);
  });

  it('is ended from the next interval on', () => {
    const one = scenario({ discount: discount(TEN, null) })
      .start('2026-04-01')
      .runTo('2026-04-01');
    one.endDiscount('2026-04-16').runTo('2026-05-01');
    expect(amounts(one)).toEqual(['period/0 27.00', 'period/1 30.00']);
    const early = scenario({ discount: discount(TEN, null) })
      .create('2026-04-01')
      .endDiscount('2026-04-01');
    expect(amounts(early.start('2026-04-01').runTo('2026-04-01'))).toEqual(['period/0 30.00']);
  });

  it('is not in an interval that begins as it is ended, unless that was charged before', () => {
    const half = { discount: discount({ percent_off: 0.5 }, null), plan: { prepay: false } };
    const arrears = scenario(half).start('2026-04-01').runTo('2026-04-30T23:59');
    arrears.endDiscount('2026-05-01').runTo('2026-06-01');
    expect(amounts(arrears)).toEqual(['period/0 15.00', 'period/1 30.00']);
    const started = scenario(half).start('2026-04-01').endDiscount('2026-04-01').runTo('2026-05-01');
    expect(amounts(started)).toEqual(['period/0 30.00']);
    expect(subscribedOf(started.current).discount).toBeUndefined();
    const paid = scenario({ discount: half.discount }).start('2026-04-01').runTo('2026-04-01');
    paid.endDiscount('2026-04-01').runTo('2026-05-01');
    expect(amounts(paid)).toEqual(['period/0 15.00', 'period/1 30.00']);
    // The payment that it lowered may still be open, and redeems the coupon when it succeeds.
    expect(subscribedOf(paid.current).discount).toMatchObject({ until: 0, ended: true });
  });

  it('is ended at the end of a trial alike before and after a change that is due then', () => {
    const changing = (): ChangingScenario =>
      scenario({ plan: { prepay: false, trial_days: 10 }, discount: discount({ percent_off: 0.5 }, null) })
        .start('2026-04-01')
        .changePlan('2026-04-02', { plan: 'double' }, { at: 'period_end' });
    const before = changing().endDiscount('2026-04-11').runTo('2026-05-11');
    const after = changing().runTo('2026-04-11').endDiscount('2026-04-11').runTo('2026-05-11');
    expect([amounts(before), amounts(after)]).toEqual([['period/0 60.00'], ['period/0 60.00']]);
  });

  it('stays in a period that was charged before it was ended, later intervals included', () => {
    const plan = { billing_interval: 'MONTH', billing_interval_count: 3, prepay: true } as const;
    const one = scenario({ plan, discount: discount({ percent_off: 0.5 }, null) })
      .start('2026-04-01')
      .runTo('2026-04-01');
    // The quarter of April, May and June is paid when the discount ends with April.
    one.endDiscount('2026-04-16').runTo('2026-07-01');
    expect(amounts(one)).toEqual(['period/0 45.00', 'period/1 90.00']);
    const arrears = scenario({
      plan: { ...plan, prepay: false },
      discount: discount({ percent_off: 0.5 }, null),
    });
    arrears.start('2026-04-01').runTo('2026-04-16').endDiscount('2026-04-16').runTo('2026-07-01');
    expect(amounts(arrears)).toEqual(['period/0 75.00']);
  });

  it('stays in a charged month of which an interval is a part', () => {
    const plan = {
      interval_unit: 'DAY',
      interval_count: 10,
      billing_interval: 'MONTH',
      billing_interval_count: 1,
      prepay: true,
    } as const;
    const one = scenario({ plan, price: 29.99, discount: discount({ amount_off: 0.01 }, null) });
    one.start('2026-04-04').runTo('2026-04-04').endDiscount('2026-04-05').runTo('2026-06-04');
    // With one interval at 29.98, 61 days are 182.929 and the 30 that were charged 89.96.
    expect(amounts(one)).toEqual(['period/0 89.94', 'period/1 92.97', 'period/2 89.97']);
  });

  it('does not go on in another calendar once it was ended', () => {
    const forever = { discount: discount({ percent_off: 0.5 }, null) };
    const one = scenario(forever).start('2026-04-01').runTo('2026-04-01');
    one.endDiscount('2026-04-10').changePlan('2026-04-16', { plan: 'annual' }).runTo('2026-04-16');
    // Half of 15.00 is credited, and the year costs 300.00.
    expect(amounts(one)).toEqual(['period/0 15.00', 'proration/1.0 292.50']);
    const paused = scenario(forever).start('2026-04-01').runTo('2026-04-01').endDiscount('2026-04-10');
    paused.pause('2026-04-16').start('2026-04-20', { reanchor: true }).runTo('2026-04-20');
    expect(amounts(paused)).toEqual(['period/0 15.00', 'period/1.0 30.00']);
  });

  it('is ended in a pause from the interval after the one that was interrupted', () => {
    const begun = (): ChangingScenario =>
      scenario({ discount: discount({ percent_off: 0.5 }, null) })
        .start('2026-04-01')
        .runTo('2026-04-01')
        .pause('2026-04-16')
        .runTo('2026-06-10')
        .endDiscount('2026-06-10');
    const resumed = begun().start('2026-06-16').runTo('2026-07-01');
    expect(amounts(resumed)).toEqual(['period/0 15.00', 'period/2 15.00', 'period/3 30.00']);
    const anew = begun().start('2026-06-16', { reanchor: true }).runTo('2026-07-16');
    expect(amounts(anew)).toEqual(['period/0 15.00', 'period/1.0 30.00', 'period/1.1 30.00']);
  });

  it('adds up to the minor unit where a charge ends with half of one', () => {
    const plan = { interval_count: 2, billing_interval: 'MONTH', billing_interval_count: 3 } as const;
    const one = scenario({ plan, price: 29.99, discount: discount({ percent_off: 1 }, 1) });
    // Six months are three intervals, of which the first is free: 14.995 and 44.985.
    expect(amounts(one.start('2026-01-01').runTo('2026-04-01'))).toEqual([
      'period/0 15.00',
      'period/1 44.98',
    ]);
  });

  it('gives back what was really charged', () => {
    const one = scenario({ discount: discount({ percent_off: 0.5 }, null) })
      .start('2026-04-01')
      .runTo('2026-04-01');
    one.stop('2026-04-16').runTo('2026-05-02');
    expect(one.net).toBe(7.5);
  });
});

describe('what a payment redeems', () => {
  const half = discount({ percent_off: 0.5 }, null);

  it('is said by its decision: never by the setup fee alone', () => {
    const one = scenario({ plan: { setup_fee: 10 }, discount: half });
    one.create('2026-04-01', { has_payment_method: true }).runTo('2026-04-01');
    expect(one.redeemed).toEqual([]);
    one.start('2026-04-01').runTo('2026-04-01');
    expect(one.redeemed).toEqual([half.coupon]);
  });

  it('is redeemed late as well, unless the money is given back', () => {
    const late = scenario({ plan: { prepay: true }, discount: half });
    late.script = ['hard'];
    late.start('2026-04-01').runTo('2026-04-01').answer('2026-04-03', 'period/0', 'yes');
    expect(late.redeemed).toEqual([half.coupon]);
    const over = scenario({ plan: { initial_fail_amount_action: 'CANCEL' }, discount: half });
    over.script = ['hard'];
    over.start('2026-04-01').runTo('2026-04-01').answer('2026-04-03', 'period/0', 'yes');
    expect([over.redeemed, over.net]).toEqual([[], 0]);
  });
});
