import { Story } from './scenario.js';

const arrears = { prepay: false };

describe('a stop now', () => {
  it('in arrears collects the used days, at the end of the period', () => {
    const story = new Story({ plan: arrears }).start('2025-04-01').runTo('2025-04-15').stop('2025-04-16');
    expect(story.it).toMatchObject({
      status: 'NON_RENEWING',
      active: false,
      ending_date: new Date('2025-04-16'),
      prorate_amount: -15,
      last_prorate_date: new Date('2025-04-16'),
      current_billing_date_period_end: new Date('2025-05-01'),
      next_billing_date: new Date('2025-05-01'),
    });
    expect(story.runTo('2025-08-01').lines).toEqual([
      '2025-04-01 ACTIVE',
      '2025-04-16 NON_RENEWING',
      '2025-05-01 charge period/0 15.00 yes',
      '2025-05-01 CANCELLED',
    ]);
    expect(story.it).toMatchObject({ prorate_amount: -15, due: null, next_billing_date: null });
    const parts = story.payments[0]?.charge.breakdown.parts.map(({ kind, amount }) => [kind, amount]);
    expect(parts).toEqual([
      ['period', 30],
      ['proration', -15],
    ]);
  });

  it('in advance refunds the unused days, at the end of the period', () => {
    const story = new Story().start('2025-04-01').runTo('2025-04-15').stop('2025-04-16');
    expect(story.it).toMatchObject({
      prorate_amount: -15,
      next_billing_date: null,
      due: new Date('2025-05-01'),
    });
    expect(story.runTo('2025-08-01').lines).toEqual([
      '2025-04-01 ACTIVE',
      '2025-04-01 charge period/0 30.00 yes',
      '2025-04-16 NON_RENEWING',
      '2025-05-01 refund period/0 15.00',
      '2025-05-01 CANCELLED',
    ]);
  });

  it('counts by day or by second', () => {
    const march = (proration_mode: 'day' | 'second') =>
      new Story({ price: 29.99, settings: { timezone: 'Europe/Berlin', proration_mode } })
        .start('2025-02-28T23:00')
        .runTo('2025-03-05')
        .stop('2025-03-10T23:00').it.prorate_amount;
    expect(march('day')).toBe(-20.32);
    expect(march('second')).toBe(-20.3);
  });

  it('refunds nothing that was never collected, and no longer collects the remaining days', () => {
    const story = new Story().start('2025-04-01');
    story.otherwise = 'hard';
    story.runTo('2025-04-15').stop('2025-04-16').runTo('2025-08-01');
    expect(story.lines).toEqual([
      '2025-04-01 ACTIVE',
      '2025-04-01 charge period/0 30.00 hard',
      '2025-04-16 NON_RENEWING',
      '2025-05-01 CANCELLED',
    ]);
    expect(story.it).toMatchObject({ outstanding_amount: 15, collection_state: 'PAST_DUE' });
  });

  it('refunds nothing on the last day, nor where nothing is prorated', () => {
    const last = new Story()
      .start('2025-04-01')
      .runTo('2025-04-15')
      .stop('2025-04-30T12:00')
      .runTo('2025-06-01');
    const whole = new Story({ plan: { is_prorated: false } })
      .start('2025-04-01')
      .runTo('2025-04-15')
      .stop('2025-04-16')
      .runTo('2025-06-01');
    for (const story of [last, whole]) {
      expect(story.it).toMatchObject({ status: 'CANCELLED', prorate_amount: 0 });
      expect(story.net).toBe(30);
    }
  });

  it('keeps the setup fee, and debts that the payment included', () => {
    const story = new Story({ plan: { setup_fee: 10 } }).start('2025-04-01').runTo('2025-04-15');
    story.stop('2025-04-16').runTo('2025-06-01');
    expect(story.lines).toContain('2025-05-01 refund period/0 15.00');
    expect(story.net).toBe(25);
  });

  it('charges the periods missed in an outage, before it is settled', () => {
    const story = new Story().start('2025-01-01').runTo('2025-01-10').stop('2025-04-16').wake('2025-04-17');
    expect(story.lines.slice(2)).toEqual([
      '2025-04-16 NON_RENEWING',
      '2025-04-17 charge period/1 30.00 yes',
      '2025-04-17 charge period/2 30.00 yes',
      '2025-04-17 charge period/3 30.00 yes',
    ]);
    expect(story.it.prorate_amount).toBe(-15);
    expect(story.runTo('2025-06-01').lines.slice(-2)).toEqual([
      '2025-05-01 refund period/3 15.00',
      '2025-05-01 CANCELLED',
    ]);
  });

  it('at the exact instant of a start still pays and refunds the first period', () => {
    const story = new Story().start('2025-04-01').stop('2025-04-01').runTo('2025-06-01');
    expect(story.lines).toEqual([
      '2025-04-01 ACTIVE',
      '2025-04-01 NON_RENEWING',
      '2025-04-01 charge period/0 30.00 yes',
      '2025-05-01 refund period/0 30.00',
      '2025-05-01 CANCELLED',
    ]);
  });

  it('in a period cut by its ending_date refunds a part of that part', () => {
    const story = new Story()
      .start('2025-04-01', { ending_date: new Date('2025-04-21') })
      .runTo('2025-04-05');
    story.stop('2025-04-11').runTo('2025-06-01');
    expect(story.lines.slice(1)).toEqual([
      '2025-04-01 charge period/0 20.00 yes',
      '2025-04-11 NON_RENEWING',
      '2025-04-21 refund period/0 10.00',
      '2025-04-21 CANCELLED',
    ]);
  });

  it('is still cancelled when the last payment fails for good', () => {
    const plan = { ...arrears, should_retry_payments: true, max_payment_retries: 1 };
    const story = new Story({ plan }).start('2025-04-01').runTo('2025-04-15').stop('2025-04-16');
    story.otherwise = 'soft';
    expect(story.runTo('2025-08-01').lines.slice(2)).toEqual([
      '2025-05-01 charge period/0 15.00 soft',
      '2025-05-01T12:00 retry period/0 15.00 soft',
      '2025-05-01T12:00 CANCELLED',
    ]);
    expect(story.it.outstanding_amount).toBe(15);
  });

  it('before the start charges nothing', () => {
    const created = new Story().create('2025-04-01').stop('2025-04-02').runTo('2025-08-01');
    const future = new Story().start('2025-04-01', { starting_date: new Date('2025-05-01') });
    future.stop('2025-04-02').runTo('2025-08-01');
    expect(created.lines).toEqual(['2025-04-02 CANCELLED']);
    expect(future.lines).toEqual(['2025-04-01 FUTURE', '2025-04-02 CANCELLED']);
  });
});

describe('a stop at a date', () => {
  it('in the current period grants service up to it, and is settled at the end of the period', () => {
    const story = new Story().start('2025-04-01').runTo('2025-04-05').stop('2025-04-05', '2025-04-16');
    expect(story.it).toMatchObject({ status: 'NON_RENEWING', active: true, prorate_amount: -15 });
    story.runTo('2025-04-16');
    expect(story.it).toMatchObject({ status: 'NON_RENEWING', active: false });
    expect(story.runTo('2025-08-01').lines.slice(2)).toEqual([
      '2025-04-05 NON_RENEWING',
      '2025-05-01 refund period/0 15.00',
      '2025-05-01 CANCELLED',
    ]);
  });

  it('in a later period shows its prorate_amount when that period begins', () => {
    const advance = new Story().start('2025-04-01').runTo('2025-04-05').stop('2025-04-05', '2025-06-16');
    const behind = new Story({ plan: arrears })
      .start('2025-04-01')
      .runTo('2025-04-05')
      .stop('2025-04-05', '2025-06-16');
    for (const story of [advance, behind]) {
      expect(story.it.prorate_amount).toBe(0);
      expect(story.runTo('2025-05-31').it.prorate_amount).toBe(0);
      expect(story.runTo('2025-06-01').it.prorate_amount).toBe(-15);
      story.runTo('2025-09-01');
      expect(story.net).toBe(75);
    }
    expect(advance.lines.slice(2)).toEqual([
      '2025-04-05 NON_RENEWING',
      '2025-05-01 charge period/1 30.00 yes',
      '2025-06-01 charge period/2 30.00 yes',
      '2025-07-01 refund period/2 15.00',
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
    const story = new Story().start('2025-04-01').runTo('2025-04-05').stop('2025-04-05', '2025-05-01');
    expect(story.it).toMatchObject({ prorate_amount: 0, next_billing_date: null });
    expect(story.runTo('2025-08-01').lines.slice(2)).toEqual([
      '2025-04-05 NON_RENEWING',
      '2025-05-01 CANCELLED',
    ]);
  });

  it('can be taken back before it, and then lasts as long as before', () => {
    const story = new Story().start('2025-04-01', { interval_total: 3 }).runTo('2025-04-05');
    story.stop('2025-04-05', '2025-04-16');
    expect(story.it.interval_total).toBeNull();
    story.start('2025-04-10');
    expect(story.it).toMatchObject({
      status: 'ACTIVE',
      active: true,
      prorate_amount: 0,
      ending_date: null,
      interval_total: 3,
    });
    story.runTo('2025-09-01');
    expect(story.net).toBe(90);
    expect(story.lines.at(-1)).toBe('2025-07-01 COMPLETED');
  });

  it('can be taken back and made again', () => {
    const story = new Story().start('2025-04-01').runTo('2025-04-05').stop('2025-04-05', '2025-04-16');
    story.start('2025-04-10').runTo('2025-05-05').stop('2025-05-05', '2025-05-17').runTo('2025-09-01');
    expect(story.lines.slice(-2)).toEqual(['2025-06-01 refund period/1 14.52', '2025-06-01 CANCELLED']);
    expect(story.net).toBe(45.48);
  });
});
