import { Scenario } from './scenario.js';

describe('a start that is not now', () => {
  it('waits for its date, and charges the setup fee with the first period', () => {
    const scenario = new Scenario({ plan: { setup_fee: 10 } }).start('2025-01-10', {
      starting_date: new Date('2025-02-01'),
    });
    expect(scenario.it).toMatchObject({
      status: 'FUTURE',
      active: false,
      next_billing_date: new Date('2025-02-01'),
    });
    expect(scenario.runTo('2025-02-15').lines).toEqual([
      '2025-01-10 FUTURE',
      '2025-02-01 ACTIVE',
      '2025-02-01 charge period/0 40.00 yes',
    ]);
  });

  it('bills past periods one after the other, the oldest first', () => {
    const scenario = new Scenario()
      .start('2025-04-10', { starting_date: new Date('2025-01-31') })
      .wake('2025-04-10');
    expect(scenario.lines).toEqual([
      '2025-04-10 ACTIVE',
      '2025-04-10 charge period/0 30.00 yes',
      '2025-04-10 charge period/1 30.00 yes',
      '2025-04-10 charge period/2 30.00 yes',
    ]);
    expect(scenario.it.next_billing_date).toEqual(new Date('2025-04-30'));
  });

  it('bills three months of an outage as one payment each', () => {
    const scenario = new Scenario({ plan: { prepay: false } }).start('2025-01-01').wake('2025-04-20T10:00');
    expect(scenario.lines.slice(1)).toEqual([
      '2025-04-20T10:00 charge period/0 30.00 yes',
      '2025-04-20T10:00 charge period/1 30.00 yes',
      '2025-04-20T10:00 charge period/2 30.00 yes',
    ]);
    expect(scenario.it.current_billing_date_period_start).toEqual(new Date('2025-04-01'));
  });

  it('delays the next missed period until the one before is answered', () => {
    const scenario = new Scenario().start('2025-01-01');
    scenario.script = ['silent'];
    scenario.wake('2025-03-15');
    expect(scenario.lines.slice(1)).toEqual(['2025-03-15 charge period/0 30.00 silent']);
    expect(scenario.it.due).toBeNull();
    scenario.answer('2025-03-16', 'period/0', 'yes').wake('2025-03-16');
    expect(scenario.payments).toHaveLength(3);
  });
});

describe('the setup fee', () => {
  const plan = { setup_fee: 10 };

  it('joins the first period that is paid in advance', () => {
    const scenario = new Scenario({ plan })
      .create('2025-01-01', { has_payment_method: true })
      .start('2025-01-01');
    scenario.runTo('2025-02-15');
    expect(scenario.lines.slice(1)).toEqual([
      '2025-01-01 charge period/0 40.00 yes',
      '2025-02-01 charge period/1 30.00 yes',
    ]);
    expect(scenario.payments[0]?.charge.breakdown.parts.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['setup', 10],
      ['period', 30],
    ]);
  });

  it('is due at creation with a payment method', () => {
    const scenario = new Scenario({ plan })
      .create('2025-01-01', { has_payment_method: true })
      .runTo('2025-01-01');
    expect(scenario.lines).toEqual(['2025-01-01 charge setup/setup 10.00 yes']);
    scenario.start('2025-01-05').runTo('2025-01-20');
    expect(scenario.lines.slice(1)).toEqual(['2025-01-05 ACTIVE', '2025-01-05 charge period/0 30.00 yes']);
  });

  it('is due at the first start without one, and alone in arrears and in trial', () => {
    const arrears = new Scenario({ plan: { ...plan, prepay: false } })
      .create('2025-01-01')
      .runTo('2025-01-03');
    expect(arrears.lines).toEqual([]);
    arrears.start('2025-01-05').runTo('2025-02-20');
    const trial = new Scenario({ plan: { ...plan, trial_days: 10 } }).start('2025-01-05').runTo('2025-01-20');
    expect(arrears.lines).toEqual([
      '2025-01-05 ACTIVE',
      '2025-01-05 charge setup/setup 10.00 yes',
      '2025-02-05 charge period/0 30.00 yes',
    ]);
    expect(trial.lines).toEqual([
      '2025-01-05 ACTIVE',
      '2025-01-05 charge setup/setup 10.00 yes',
      '2025-01-15 charge period/0 30.00 yes',
    ]);
  });

  it('is not charged again after a pause', () => {
    const scenario = new Scenario({ plan })
      .start('2025-01-01')
      .runTo('2025-01-10')
      .pause('2025-01-10')
      .runTo('2025-02-01');
    scenario.start('2025-02-10', { reanchor: true }).runTo('2025-02-20');
    expect(scenario.payments.map(({ charge }) => charge.amount_minor)).toEqual([4000, 3000]);
  });
});

describe('a trial', () => {
  const plan = { trial_days: 14 };

  it('is free, and the first period begins where it ends', () => {
    const scenario = new Scenario({ plan }).start('2025-01-17').runTo('2025-01-20');
    expect(scenario.it).toMatchObject({
      in_trial: true,
      active: true,
      trial_ending_date: new Date('2025-01-31'),
      current_billing_date_period_start: new Date('2025-01-17'),
      current_billing_date_period_end: new Date('2025-01-31'),
      next_billing_date: new Date('2025-01-31'),
    });
    scenario.runTo('2025-03-01');
    expect(scenario.lines).toEqual([
      '2025-01-17 ACTIVE',
      '2025-01-31 charge period/0 30.00 yes',
      '2025-02-28 charge period/1 30.00 yes',
    ]);
    expect(scenario.it.in_trial).toBe(false);
  });

  it('in arrears is followed by a first charge at the end of the first period', () => {
    const scenario = new Scenario({ plan: { ...plan, prepay: false } })
      .start('2025-01-17')
      .runTo('2025-03-01');
    expect(scenario.lines).toEqual(['2025-01-17 ACTIVE', '2025-02-28 charge period/0 30.00 yes']);
  });

  it('pauses at its end without a usable payment method', () => {
    const scenario = new Scenario({ plan }).start('2025-01-17');
    scenario.canPay = false;
    scenario.runTo('2025-02-05');
    expect(scenario.lines).toEqual(['2025-01-17 ACTIVE', '2025-01-31 PAUSED']);
    expect(scenario.it).toMatchObject({ active: false, in_trial: false, due: null, next_billing_date: null });
    scenario.start('2025-02-07', { new_payment_method: true }).runTo('2025-03-01');
    // 21 of the 28 days from 31 January to 28 February are left on 7 February.
    expect(scenario.lines.slice(2)).toEqual([
      '2025-02-07 ACTIVE',
      '2025-02-07 charge period/0 22.50 yes',
      '2025-02-28 charge period/1 30.00 yes',
    ]);
  });

  it('cut short by an ending_date is completed without a charge', () => {
    const scenario = new Scenario({ plan })
      .start('2025-01-17', { ending_date: new Date('2025-01-25') })
      .runTo('2025-06-01');
    expect(scenario.lines).toEqual(['2025-01-17 ACTIVE', '2025-01-25 COMPLETED']);
  });

  it('continues after a pause, if it has not ended', () => {
    const scenario = new Scenario({ plan })
      .start('2025-01-17')
      .pause('2025-01-20')
      .start('2025-01-25')
      .runTo('2025-02-01');
    expect(scenario.lines).toEqual([
      '2025-01-17 ACTIVE',
      '2025-01-20 PAUSED',
      '2025-01-25 ACTIVE',
      '2025-01-31 charge period/0 30.00 yes',
    ]);
  });
});
