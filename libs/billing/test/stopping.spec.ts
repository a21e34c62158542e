import { Scenario } from './scenario.js';

const arrears = { prepay: false };

describe('a stop now', () => {
  it('in arrears collects the used days, at the end of the period', () => {
    const scenario = new Scenario({ plan: arrears })
      .start('2025-04-01')
      .runTo('2025-04-15')
      .stop('2025-04-16');
    expect(scenario.it).toMatchObject({
      status: 'NON_RENEWING',
      active: false,
      ending_date: new Date('2025-04-16'),
      prorate_amount: -15,
      last_prorate_date: new Date('2025-04-16'),
      current_billing_date_period_end: new Date('2025-05-01'),
      next_billing_date: new Date('2025-05-01'),
    });
    expect(scenario.runTo('2025-08-01').lines).toEqual([
      '2025-04-01 ACTIVE',
      '2025-04-16 NON_RENEWING',
      '2025-05-01 charge period/0 15.00 yes',
      '2025-05-01 CANCELLED',
    ]);
    expect(scenario.it).toMatchObject({ prorate_amount: -15, due: null, next_billing_date: null });
    const parts = scenario.payments[0]?.charge.breakdown.parts.map(({ kind, amount }) => [kind, amount]);
    expect(parts).toEqual([['period', 15]]);
  });

  it('in advance refunds the unused days, at the end of the period', () => {
    const scenario = new Scenario().start('2025-04-01').runTo('2025-04-15').stop('2025-04-16');
    expect(scenario.it).toMatchObject({
      prorate_amount: -15,
      next_billing_date: null,
      due: new Date('2025-05-01'),
    });
    expect(scenario.runTo('2025-08-01').lines).toEqual([
      '2025-04-01 ACTIVE',
      '2025-04-01 charge period/0 30.00 yes',
      '2025-04-16 NON_RENEWING',
      '2025-05-01 refund period/0 15.00',
      '2025-05-01 CANCELLED',
    ]);
  });

  it('counts by day or by second', () => {
    const march = (proration_mode: 'day' | 'second') =>
      new Scenario({ price: 29.99, settings: { timezone: 'Europe/Berlin', proration_mode } })
        .start('2025-02-28T23:00')
        .runTo('2025-03-05')
        .stop('2025-03-10T23:00').it.prorate_amount;
    expect(march('day')).toBe(-20.32);
    expect(march('second')).toBe(-20.3);
  });

  it('refunds nothing that was never collected, and no longer collects the remaining days', () => {
    const scenario = new Scenario().start('2025-04-01');
    scenario.otherwise = 'hard';
    scenario.runTo('2025-04-15').stop('2025-04-16').runTo('2025-08-01');
    expect(scenario.lines).toEqual([
      '2025-04-01 ACTIVE',
      '2025-04-01 charge period/0 30.00 hard',
      '2025-04-16 NON_RENEWING',
      '2025-05-01 CANCELLED',
    ]);
    expect(scenario.it).toMatchObject({ outstanding_amount: 15, collection_state: 'PAST_DUE' });
  });

  it('refunds nothing on the last day, nor where nothing is prorated', () => {
    const last = new Scenario()
      .start('2025-04-01')
      .runTo('2025-04-15')
      .stop('2025-04-30T12:00')
      .runTo('2025-06-01');
    const whole = new Scenario({ plan: { is_prorated: false } })
      .start('2025-04-01')
      .runTo('2025-04-15')
      .stop('2025-04-16')
      .runTo('2025-06-01');
    for (const scenario of [last, whole]) {
      expect(scenario.it).toMatchObject({ status: 'CANCELLED', prorate_amount: 0 });
      expect(scenario.net).toBe(30);
    }
  });

  it('keeps the setup fee, and debts that the payment included', () => {
    const scenario = new Scenario({ plan: { setup_fee: 10 } }).start('2025-04-01').runTo('2025-04-15');
    scenario.stop('2025-04-16').runTo('2025-06-01');
    expect(scenario.lines).toContain('2025-05-01 refund period/0 15.00');
    expect(scenario.net).toBe(25);
  });

  it('charges the periods missed in an outage, before it is settled', () => {
    const scenario = new Scenario()
      .start('2025-01-01')
      .runTo('2025-01-10')
      .stop('2025-04-16')
      .wake('2025-04-17');
    expect(scenario.lines.slice(2)).toEqual([
      '2025-04-16 NON_RENEWING',
      '2025-04-17 charge period/1 30.00 yes',
      '2025-04-17 charge period/2 30.00 yes',
      '2025-04-17 charge period/3 15.00 yes',
    ]);
    expect(scenario.it.prorate_amount).toBe(-15);
    expect(scenario.runTo('2025-06-01').lines.slice(-2)).toEqual([
      '2025-04-17 charge period/3 15.00 yes',
      '2025-05-01 CANCELLED',
    ]);
  });

  it('at the exact instant of a start charges nothing, as nothing held', () => {
    const scenario = new Scenario().start('2025-04-01').stop('2025-04-01').runTo('2025-06-01');
    expect(scenario.lines).toEqual(['2025-04-01 ACTIVE', '2025-04-01 NON_RENEWING', '2025-05-01 CANCELLED']);
  });

  it('in a period cut by its ending_date refunds a part of that part', () => {
    const scenario = new Scenario()
      .start('2025-04-01', { ending_date: new Date('2025-04-21') })
      .runTo('2025-04-05');
    scenario.stop('2025-04-11').runTo('2025-06-01');
    expect(scenario.lines.slice(1)).toEqual([
      '2025-04-01 charge period/0 20.00 yes',
      '2025-04-11 NON_RENEWING',
      '2025-04-21 refund period/0 10.00',
      '2025-04-21 CANCELLED',
    ]);
  });

  it('is still cancelled when the last payment fails for good', () => {
    const plan = { ...arrears, should_retry_payments: true, max_payment_retries: 1 };
    const scenario = new Scenario({ plan }).start('2025-04-01').runTo('2025-04-15').stop('2025-04-16');
    scenario.otherwise = 'soft';
    expect(scenario.runTo('2025-08-01').lines.slice(2)).toEqual([
      '2025-05-01 charge period/0 15.00 soft',
      '2025-05-01T12:00 retry period/0 15.00 soft',
      '2025-05-01T12:00 CANCELLED',
    ]);
    expect(scenario.it.outstanding_amount).toBe(15);
  });

  it('before the start charges nothing', () => {
    const created = new Scenario().create('2025-04-01').stop('2025-04-02').runTo('2025-08-01');
    const future = new Scenario().start('2025-04-01', { starting_date: new Date('2025-05-01') });
    future.stop('2025-04-02').runTo('2025-08-01');
    expect(created.lines).toEqual(['2025-04-02 CANCELLED']);
    expect(future.lines).toEqual(['2025-04-01 FUTURE', '2025-04-02 CANCELLED']);
  });
});

describe('a stop at a date', () => {
  it('in the current period grants service up to it, and is settled at the end of the period', () => {
    const scenario = new Scenario().start('2025-04-01').runTo('2025-04-05').stop('2025-04-05', '2025-04-16');
    expect(scenario.it).toMatchObject({ status: 'NON_RENEWING', active: true, prorate_amount: -15 });
    scenario.runTo('2025-04-16');
    expect(scenario.it).toMatchObject({ status: 'NON_RENEWING', active: false });
    expect(scenario.runTo('2025-08-01').lines.slice(2)).toEqual([
      '2025-04-05 NON_RENEWING',
      '2025-05-01 refund period/0 15.00',
      '2025-05-01 CANCELLED',
    ]);
  });

  it('in a later period shows its prorate_amount when that period begins', () => {
    const advance = new Scenario().start('2025-04-01').runTo('2025-04-05').stop('2025-04-05', '2025-06-16');
    const behind = new Scenario({ plan: arrears })
      .start('2025-04-01')
      .runTo('2025-04-05')
      .stop('2025-04-05', '2025-06-16');
    for (const scenario of [advance, behind]) {
      expect(scenario.it.prorate_amount).toBe(0);
      expect(scenario.runTo('2025-05-31').it.prorate_amount).toBe(0);
      expect(scenario.runTo('2025-06-01').it.prorate_amount).toBe(-15);
      scenario.runTo('2025-09-01');
      expect(scenario.net).toBe(75);
    }
    expect(advance.lines.slice(2)).toEqual([
      '2025-04-05 NON_RENEWING',
      '2025-05-01 charge period/1 30.00 yes',
      '2025-06-01 charge period/2 15.00 yes',
      '2025-07-01 CANCELLED',
    ]);
    expect(behind.lines.slice(1)).toEqual([
      '2025-04-05 NON_RENEWING',
      '2025-05-01 charge period/0 30.00 yes',
      '2025-06-01 charge period/1 30.00 yes',
      '2025-07-01 charge period/2 15.00 yes',
      '2025-07-01 CANCELLED',
    ]);
  });

  it('at the end of the period charges nothing more', () => {
    const scenario = new Scenario().start('2025-04-01').runTo('2025-04-05').stop('2025-04-05', '2025-05-01');
    expect(scenario.it).toMatchObject({ prorate_amount: 0, next_billing_date: null });
    expect(scenario.runTo('2025-08-01').lines.slice(2)).toEqual([
      '2025-04-05 NON_RENEWING',
      '2025-05-01 CANCELLED',
    ]);
  });

  it('can be taken back before it, and then lasts as long as before', () => {
    const scenario = new Scenario().start('2025-04-01', { interval_total: 3 }).runTo('2025-04-05');
    scenario.stop('2025-04-05', '2025-04-16');
    expect(scenario.it.interval_total).toBeNull();
    scenario.start('2025-04-10');
    expect(scenario.it).toMatchObject({
      status: 'ACTIVE',
      active: true,
      prorate_amount: 0,
      ending_date: null,
      interval_total: 3,
    });
    scenario.runTo('2025-09-01');
    expect(scenario.net).toBe(90);
    expect(scenario.lines.at(-1)).toBe('2025-07-01 COMPLETED');
  });

  it('can be taken back and made again', () => {
    const scenario = new Scenario().start('2025-04-01').runTo('2025-04-05').stop('2025-04-05', '2025-04-16');
    scenario.start('2025-04-10').runTo('2025-05-05').stop('2025-05-05', '2025-05-17').runTo('2025-09-01');
    expect(scenario.lines.slice(-2)).toEqual(['2025-06-01 refund period/1 14.52', '2025-06-01 CANCELLED']);
    expect(scenario.net).toBe(45.48);
  });
});
