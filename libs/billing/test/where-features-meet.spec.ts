import { ChangingScenario } from './changing-scenario.js';
import type { ScenarioFixture } from './fixture.js';

const PLANS = {
  double: { price: 60 },
  fixed: { price: 600, is_prorated: false },
  year: { price: 300, interval_unit: 'ANNUAL' },
} as const;
const april = (fixture: ScenarioFixture = {}): ChangingScenario =>
  new ChangingScenario({ plans: PLANS, ...fixture }).start('2026-04-01').runTo('2026-04-01');
const ending = (date: string) => ({ ending_date: new Date(date) });

describe('a pause and an end', () => {
  it('charge the days between the resume and the end', () => {
    const one = april().pause('2026-04-10').runTo('2026-04-10').start('2026-04-12', ending('2026-04-20'));
    expect(one.runTo('2026-05-01').lines.slice(2)).toEqual([
      '2026-04-10 PAUSED',
      '2026-04-10 refund period/0 21.00',
      '2026-04-12 ACTIVE',
      '2026-04-12 charge proration/0-1 8.00 yes',
      '2026-04-20 COMPLETED',
    ]);
  });
});

describe('an end that is put off, and a change', () => {
  it('leave no day to nobody, where the change comes after the old end', () => {
    const one = new ChangingScenario({ plans: PLANS }).start('2026-04-01', ending('2026-04-11'));
    one.runTo('2026-04-01').change('2026-04-05', { infinite: true }).runTo('2026-04-21');
    expect(one.changePlan('2026-04-21', { plan: 'double' }).runTo('2026-04-30').net).toBe(40);
  });

  it('leave no day to nobody, where no worker ran at the old end', () => {
    const one = new ChangingScenario({ plans: PLANS }).start('2026-04-01', ending('2026-04-11'));
    one.runTo('2026-04-01').change('2026-04-05', { infinite: true });
    expect(one.changePlan('2026-04-21', { plan: 'double' }).runTo('2026-04-30').net).toBe(40);
  });
});

describe('a plan that is not prorated', () => {
  it('costs its whole price once, however short it held', () => {
    const one = april({ price: 60 }).changePlan('2026-04-16', { plan: 'fixed' }).runTo('2026-04-16');
    one.changePlan('2026-04-20', { plan: 'first' }).runTo('2026-05-01');
    expect(one.lines.slice(1)).toEqual([
      '2026-04-01 charge period/0 60.00 yes',
      '2026-04-16 charge proration/0-1 540.00 yes',
      '2026-05-01 charge period/1 60.00 yes',
    ]);
  });
});

describe('a change that waits for its payment', () => {
  const waiting = (): ChangingScenario => {
    const one = april({ plan: { auto_bill_amount: false } });
    one.script = ['hard', 'auth'];
    one.runTo('2026-05-01');
    return one.changePlan('2026-05-16', { plan: 'double' }, { collect: 'first', minimum_minor: 1 });
  };

  it('is not paid by another card, which collects the debt beside it', () => {
    const one = waiting();
    one.change('2026-05-16T01:00', { new_payment_method: true }).runTo('2026-05-17');
    expect(one.lines.slice(-2)).toEqual([
      '2026-05-16T01:00 charge period/debt-1 30.00 yes',
      '2026-05-16T23:00 give up proration/change-1: payment.not_authenticated',
    ]);
    expect(one.it).toMatchObject({ outstanding_amount: 0, collection_state: 'OK', pending_change: null });
  });

  it('takes effect with its success, and a late success of the debt leaves nothing below 0', () => {
    const one = waiting().answer('2026-05-16T02:00', 'proration/change-1', 'yes');
    expect(one.answer('2026-05-16T03:00', 'period/1', 'yes').it).toMatchObject({ outstanding_amount: 0 });
    expect(one.net).toBe(30 + 30 + 15.49);
  });
});

describe('a change that costs less while a payment is open', () => {
  it('takes effect, and takes the difference off what is owed', () => {
    const one = new ChangingScenario({
      plans: { half: { price: 15 } },
      plan: { should_retry_payments: true, auto_bill_amount: false },
    });
    one.script = ['soft'];
    one.start('2026-04-01').runTo('2026-04-01');
    one.changePlan('2026-04-01', { plan: 'half' }, { collect: 'first', minimum_minor: 1 });
    expect(one.runTo('2026-04-01').it).toMatchObject({
      outstanding_amount: 15,
      collection_state: 'PAST_DUE',
    });
  });
});

describe('a change to another interval that is paid first, in arrears', () => {
  it('charges the used days, and takes effect as that is paid', () => {
    const one = april({ plan: { prepay: false } });
    one.changePlan('2026-04-16', { plan: 'year' }, { collect: 'first', minimum_minor: 1 });
    expect(one.lines.slice(1)).toEqual(['2026-04-16 charge proration/change-1 15.00 yes']);
    expect(one.runTo('2027-04-16').lines.slice(2)).toEqual(['2027-04-16 charge period/1.0 300.00 yes']);
  });
});

describe('a change to another interval at the end of a period within a day', () => {
  it('charges that period whole, and the new one from its first day on', () => {
    const one = new ChangingScenario({ plans: PLANS, plan: { prepay: false } }).start('2026-03-01T10:00');
    one.changePlan('2026-03-31', { plan: 'year' }, { at: 'period_end' }).runTo('2027-04-01T10:00');
    expect(one.lines.slice(1)).toEqual([
      '2026-04-01T10:00 charge period/0 30.00 yes',
      '2027-04-01T10:00 charge period/1.0 300.00 yes',
    ]);
  });
});

describe('a pause and a new calendar on one day', () => {
  it.each([true, false])('charge the day once, at the dearer price; prepay %s', (prepay) => {
    const one = new ChangingScenario({ plan: { prepay } }).start('2026-01-01').runTo('2026-01-29');
    one.pause('2026-01-29T22:00').runTo('2026-01-29T22:00').start('2026-01-29T22:00', { reanchor: true });
    // 28 of the 31 days of January, and a month of 30 days.
    expect(one.runTo(prepay ? '2026-02-27' : '2026-02-28T22:00').net).toBe(57.1);
  });
});

describe('changes between months and years with a card that fails', () => {
  it('count as failed payments each time', () => {
    const one = new ChangingScenario({
      plans: PLANS,
      plan: { max_fail_attempts: 3, should_retry_payments: true, retry_payment_in_minutes: 60 * 24 * 5 },
    });
    one.otherwise = 'soft';
    one.start('2026-04-01').runTo('2026-04-01');
    for (let day = 4; day < 16 && one.it.status === 'ACTIVE'; day += 3) {
      const at = `2026-04-${String(day).padStart(2, '0')}`;
      one.changePlan(at, { plan: one.it.plan.toHexString() === one.first.plan ? 'year' : 'first' }).runTo(at);
    }
    expect(one.it).toMatchObject({ status: 'CANCELLED', reason: 'max_fail_attempts' });
  });
});

describe('a coupon for one interval', () => {
  const once = {
    ...{ off: { percent_off: 0.5 }, from: 0, until: 1 },
    ...{ coupon: 'c'.repeat(24), code: 'HALF', plans: null },
  } as const;

  it('lowers one, over new calendars by pauses', () => {
    const one = april({ discount: once });
    for (const at of ['2026-04-11', '2026-04-21']) {
      one.pause(at).runTo(at).start(at, { reanchor: true }).runTo(at);
    }
    const asked = one.lines.filter((line) => line.includes('charge'));
    expect(asked).toEqual([
      '2026-04-01 charge period/0 15.00 yes',
      '2026-04-11 charge period/1.0 30.00 yes',
      '2026-04-21 charge period/2.0 30.00 yes',
    ]);
  });
});
