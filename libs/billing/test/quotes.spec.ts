import { ChangingScenario } from './changing-scenario.js';

const first = { collect: 'first', minimum_minor: 1 } as const;
const PLANS = {
  double: { price: 60 },
  annual: { interval_unit: 'ANNUAL', billing_interval: 'ANNUAL', price: 300 },
} as const;

function april(): ChangingScenario {
  return new ChangingScenario({ plans: PLANS }).start('2026-04-01').runTo('2026-04-01');
}

function waiting(at = '2026-04-16', plan: keyof typeof PLANS = 'double'): ChangingScenario {
  const one = april();
  one.script = ['auth'];
  return one.changePlan(at, { plan }, first);
}

describe('a quote', () => {
  it('ends with another change, whose payment takes its place', () => {
    const one = waiting().changePlan('2026-04-16T01:00', { quantity: 3 }, first).runTo('2026-04-16T01:00');
    expect(one.lines.slice(2)).toEqual([
      '2026-04-16 charge proration/change-1 15.00 auth',
      '2026-04-16T01:00 charge proration/change-2 30.00 yes',
      '2026-04-16T01:00 give up proration/change-1: payment.not_owed',
    ]);
    expect(one.it).toMatchObject({ quantity: 3, pending_change: null });
  });

  it('of a late success that another change has replaced is given back', () => {
    const one = waiting().changePlan('2026-04-16T01:00', { quantity: 3 }, first);
    one.answer('2026-04-16T01:00', 'proration/change-1', 'yes');
    expect(one.lines.at(-1)).toBe('2026-04-16T01:00 refund proration/change-1 15.00');
    expect(one.it.quantity).toBe(3);
  });

  it('leaves a scheduled change as it was where it is not paid', () => {
    const one = april().changePlan('2026-04-10', { plan: 'annual' }, { at: 'period_end' });
    one.script = ['auth'];
    one.changePlan('2026-04-16', { plan: 'double' }, first);
    expect(one.it.pending_change).toMatchObject({ state: 'AWAITING_PAYMENT', at: new Date('2026-04-16') });
    one.runTo('2026-04-17');
    expect(one.it.pending_change).toMatchObject({ state: 'SCHEDULED', at: new Date('2026-05-01') });
    expect(one.runTo('2026-05-01').lines.at(-1)).toBe('2026-05-01 charge period/1.0 300.00 yes');
  });

  it('takes the place of a scheduled change where it is paid', () => {
    const one = april().changePlan('2026-04-10', { plan: 'annual' }, { at: 'period_end' });
    one.changePlan('2026-04-16', { plan: 'double' }, first);
    expect(one.runTo('2026-05-01').lines.at(-1)).toBe('2026-05-01 charge period/1 60.00 yes');
  });

  it('is no debt and no reason for dunning', () => {
    expect(waiting().it).toMatchObject({
      collection_state: 'OK',
      outstanding_amount: 0,
    });
  });

  it('that is in flight while a period begins takes effect as of its date, in both periods', () => {
    const one = april();
    one.script = ['silent'];
    one.changePlan('2026-04-30T23:00', { plan: 'double' }, first).runTo('2026-05-01');
    one.answer('2026-05-01T00:01', 'proration/change-1', 'yes').runTo('2026-05-31');
    // 29 days at 1.00, one at 2.00, and May at 60.00.
    expect(one.net).toBe(29 + 2 + 60);
    expect(one.it.outstanding_amount).toBe(0);
  });

  it('of another interval that is in flight while a period begins gives that period back', () => {
    const one = april();
    one.script = ['silent'];
    one.changePlan('2026-04-30T23:00', { plan: 'annual' }, first).runTo('2026-05-01');
    one.answer('2026-05-01T00:01', 'proration/change-1', 'yes').runTo('2026-05-31');
    // April at 1.00 a day, the 30th too; May goes to the balance; the year without the day that April has.
    expect(one.net).toBe(30 + 299.18);
    expect([one.balance_minor, one.it.outstanding_amount]).toEqual([3000, 0]);
    expect(one.it.next_billing_date).toEqual(new Date('2027-04-30T23:00'));
  });

  it('whose payment takes days ends after 23 hours, and what it collects is given back', () => {
    const one = april();
    one.script = ['slow'];
    one.changePlan('2026-04-16', { plan: 'double' }, first).runTo('2026-04-18');
    expect(one.it.pending_change).toBeNull();
    one.answer('2026-04-20', 'proration/change-1', 'yes');
    expect(one.lines.at(-1)).toBe('2026-04-20 refund proration/change-1 15.00');
    expect(one.net).toBe(30);
  });

  it('of a success within 23 hours takes effect, however it was accepted', () => {
    const one = april();
    one.script = ['slow'];
    one.changePlan('2026-04-16', { plan: 'double' }, first);
    expect(one.answer('2026-04-16T12:00', 'proration/change-1', 'yes').runTo('2026-05-01').net).toBe(
      30 + 15 + 60,
    );
  });
});
