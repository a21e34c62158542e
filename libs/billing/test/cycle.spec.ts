import { Scenario } from './scenario.js';

describe('a subscription that is billed in advance', () => {
  it('pays each period when it begins, and the last day of a month stays the last day', () => {
    const scenario = new Scenario().start('2024-01-31').runTo('2024-04-15');
    expect(scenario.lines).toEqual([
      '2024-01-31 ACTIVE',
      '2024-01-31 charge period/0 30.00 yes',
      '2024-02-29 charge period/1 30.00 yes',
      '2024-03-31 charge period/2 30.00 yes',
    ]);
    expect(scenario.it).toMatchObject({
      active: true,
      current_billing_date_period_start: new Date('2024-03-31'),
      current_billing_date_period_end: new Date('2024-04-30'),
      next_billing_date: new Date('2024-04-30'),
      last_billed_date: new Date('2024-03-31'),
      last_billed_amount: 30,
      collection_state: 'OK',
    });
  });

  it('is completed at the end of its last interval', () => {
    const scenario = new Scenario().start('2025-01-31', { interval_total: 3 }).runTo('2025-12-31');
    expect(scenario.lines).toEqual([
      '2025-01-31 ACTIVE',
      '2025-01-31 charge period/0 30.00 yes',
      '2025-02-28 charge period/1 30.00 yes',
      '2025-03-31 charge period/2 30.00 yes',
      '2025-04-30 COMPLETED',
    ]);
    expect(scenario.it).toMatchObject({ active: false, next_billing_date: null, due: null });
  });

  it('has no next billing date once the last interval is paid', () => {
    const scenario = new Scenario().start('2025-01-31', { interval_total: 3 }).runTo('2025-04-01');
    expect(scenario.it).toMatchObject({
      status: 'ACTIVE',
      next_billing_date: null,
      due: new Date('2025-04-30'),
    });
  });

  it('pays the part up to a known ending_date, and the whole where nothing is prorated', () => {
    const ending_date = new Date('2025-04-16');
    const plan = { is_prorated: false };
    const prorated = new Scenario().start('2025-03-01', { ending_date }).runTo('2025-05-01');
    const whole = new Scenario({ plan }).start('2025-03-01', { ending_date }).runTo('2025-05-01');
    expect(prorated.lines).toEqual([
      '2025-03-01 ACTIVE',
      '2025-03-01 charge period/0 30.00 yes',
      '2025-04-01 charge period/1 15.00 yes',
      '2025-04-16 COMPLETED',
    ]);
    expect(whole.net).toBe(60);
  });

  it('pays the rest of a period whose end is put off, when the paid part is over', () => {
    const scenario = new Scenario()
      .start('2025-04-01', { ending_date: new Date('2025-04-16') })
      .runTo('2025-04-10')
      .change('2025-04-10', { infinite: true });
    expect(scenario.it.next_billing_date).toEqual(new Date('2025-04-16'));
    expect(scenario.runTo('2025-05-02').lines).toEqual([
      '2025-04-01 ACTIVE',
      '2025-04-01 charge period/0 15.00 yes',
      '2025-04-16 charge proration/0-1 15.00 yes',
      '2025-05-01 charge period/1 30.00 yes',
    ]);
  });

  const ends = { ending_date: new Date('2025-04-16') };
  it.each<[string, (scenario: Scenario) => Scenario]>([
    ['a change', (scenario) => scenario.change('2025-04-10', { infinite: true })],
    [
      'a stop that is taken back',
      (scenario) => scenario.stop('2025-04-09', '2025-04-12').start('2025-04-10', { infinite: true }),
    ],
    [
      'a pause',
      (scenario) => scenario.pause('2025-04-09').runTo('2025-04-09').start('2025-04-09', { infinite: true }),
    ],
  ])('pays that rest at the price of the period, whatever it costs today; put off by %s', (_by, putOff) => {
    const scenario = new Scenario().start('2025-04-01', ends).runTo('2025-04-05');
    scenario.price = 90;
    const lines = putOff(scenario).runTo('2025-05-02').lines;
    expect(lines).toContain('2025-05-01 charge period/1 90.00 yes');
    expect(scenario.net).toBe(120);
  });
});

describe('a subscription that is billed in arrears', () => {
  it('uses one price for a period billed in part before its end was put off', () => {
    const ends = { ending_date: new Date('2025-04-21') };
    const scenario = new Scenario({ plan: { prepay: false } }).start('2025-04-01', ends).pause('2025-04-11');
    scenario.runTo('2025-04-11').price = 90;
    scenario.start('2025-04-11', { infinite: true }).runTo('2025-06-02');
    expect(scenario.lines.slice(2)).toEqual([
      '2025-04-11 charge period/0 10.00 yes',
      '2025-04-11 ACTIVE',
      '2025-05-01 charge proration/0-1 20.00 yes',
      '2025-06-01 charge period/1 90.00 yes',
    ]);
  });

  const plan = { prepay: false };

  it('pays each period when it ends, and is completed with the last payment', () => {
    const scenario = new Scenario({ plan }).start('2025-01-31', { interval_total: 3 });
    expect(scenario.it.next_billing_date).toEqual(new Date('2025-02-28'));
    expect(scenario.runTo('2025-12-31').lines).toEqual([
      '2025-01-31 ACTIVE',
      '2025-02-28 charge period/0 30.00 yes',
      '2025-03-31 charge period/1 30.00 yes',
      '2025-04-30 charge period/2 30.00 yes',
      '2025-04-30 COMPLETED',
    ]);
  });

  it('pays the part up to its ending_date on that date', () => {
    const scenario = new Scenario({ plan }).start('2025-04-01', { ending_date: new Date('2025-04-16') });
    expect(scenario.it.current_billing_date_period_end).toEqual(new Date('2025-04-16'));
    expect(scenario.runTo('2025-05-01').lines).toEqual([
      '2025-04-01 ACTIVE',
      '2025-04-16 charge period/0 15.00 yes',
      '2025-04-16 COMPLETED',
    ]);
  });

  it('grants no service beyond its end while the last payment is retried', () => {
    const retries = { ...plan, should_retry_payments: true, max_payment_retries: 2 };
    const scenario = new Scenario({ plan: retries }).start('2025-04-01', { interval_total: 1 });
    scenario.script = ['soft', 'soft', 'soft'];
    scenario.runTo('2025-05-01');
    expect(scenario.it).toMatchObject({ status: 'ACTIVE', active: false, collection_state: 'RETRYING' });
    scenario.runTo('2025-05-10');
    expect(scenario.lines.at(-1)).toBe('2025-05-02 COMPLETED');
    expect(scenario.it).toMatchObject({
      collection_state: 'PAST_DUE',
      outstanding_amount: 30,
      failed_attempts: 1,
    });
  });

  it('shows the next period before any of it is charged', () => {
    const scenario = new Scenario({ plan }).start('2025-04-01').runTo('2025-04-20');
    expect(scenario.it).toMatchObject({
      current_billing_date_period_start: new Date('2025-04-01'),
      current_billing_date_period_end: new Date('2025-05-01'),
      next_billing_date: new Date('2025-05-01'),
      last_billed_date: null,
    });
  });
});

describe('intervals and periods of different length', () => {
  it('collects a year monthly', () => {
    const plan = { interval_unit: 'ANNUAL', billing_interval: 'MONTH' } as const;
    const scenario = new Scenario({ plan, price: 1000 })
      .start('2025-01-01', { interval_total: 1 })
      .runTo('2026-02-01');
    const amounts = scenario.payments.map(({ charge }) => charge.amount_minor);
    expect(amounts).toEqual([8333, 8334, 8333, 8333, 8334, 8333, 8333, 8334, 8333, 8333, 8334, 8333]);
    expect(scenario.it.status).toBe('COMPLETED');
  });

  it('collects a month weekly, the last of them cut by the end', () => {
    const plan = { interval_unit: 'MONTH', billing_interval: 'WEEK', prepay: false } as const;
    const scenario = new Scenario({ plan, price: 100 })
      .start('2025-06-01', { interval_total: 1 })
      .runTo('2025-08-01');
    expect(scenario.lines).toEqual([
      '2025-06-01 ACTIVE',
      '2025-06-08 charge period/0 23.33 yes',
      '2025-06-15 charge period/1 23.34 yes',
      '2025-06-22 charge period/2 23.33 yes',
      '2025-06-29 charge period/3 23.33 yes',
      '2025-07-01 charge period/4 6.67 yes',
      '2025-07-01 COMPLETED',
    ]);
  });

  it('charges the days of a month before the first whole one, and nothing for them where nothing is prorated', () => {
    const plan = { interval_unit: 'MONTH_END', billing_interval: 'MONTH_END' } as const;
    const prorated = new Scenario({ plan, price: 28 }).start('2025-02-10').runTo('2025-03-15');
    const free = new Scenario({ plan: { ...plan, is_prorated: false }, price: 28 })
      .start('2025-02-10')
      .runTo('2025-03-15');
    expect(prorated.lines.slice(1)).toEqual([
      '2025-02-10 charge period/0 19.00 yes',
      '2025-03-01 charge period/1 28.00 yes',
    ]);
    expect(free.lines.slice(1)).toEqual([
      '2025-02-10 charge period/0 0.00 yes',
      '2025-03-01 charge period/1 28.00 yes',
    ]);
  });

  it('counts such a stub as one interval', () => {
    const plan = { interval_unit: 'MONTH_END', billing_interval: 'MONTH_END', prepay: false } as const;
    const scenario = new Scenario({ plan, price: 28 })
      .start('2025-02-10', { interval_total: 2 })
      .runTo('2025-06-01');
    expect(scenario.lines.at(-1)).toBe('2025-04-01 COMPLETED');
    expect(scenario.net).toBe(47);
  });

  it('charges two days by the day', () => {
    const plan = { interval_unit: 'DAY', billing_interval: 'DAY' } as const;
    const scenario = new Scenario({ plan, price: 1 })
      .start('2024-02-28', { ending_date: new Date('2024-03-01') })
      .runTo('2024-03-05');
    expect(scenario.lines).toEqual([
      '2024-02-28 ACTIVE',
      '2024-02-28 charge period/0 1.00 yes',
      '2024-02-29 charge period/1 1.00 yes',
      '2024-03-01 COMPLETED',
    ]);
  });
});

describe('prices and places', () => {
  it('charges the price of the day', () => {
    const scenario = new Scenario().start('2025-01-01').runTo('2025-01-20');
    scenario.price = 40;
    expect(scenario.runTo('2025-02-01').lines.at(-1)).toBe('2025-02-01 charge period/1 40.00 yes');
  });

  it('keeps the timezone of its start when the company moves', () => {
    const scenario = new Scenario({ settings: { timezone: 'Europe/Berlin' } })
      .start('2025-01-31T23:00')
      .runTo('2025-02-10');
    Object.assign(scenario.terms.settings, { timezone: 'America/New_York' });
    // 1 February, 1 March and 1 April at 00:00 in Berlin.
    expect(scenario.runTo('2025-04-02').lines.slice(1)).toEqual([
      '2025-01-31T23:00 charge period/0 30.00 yes',
      '2025-02-28T23:00 charge period/1 30.00 yes',
      '2025-03-31T22:00 charge period/2 30.00 yes',
    ]);
  });

  it('succeeds with nothing to pay', () => {
    const scenario = new Scenario({ price: 0 }).start('2025-01-01').runTo('2025-02-01');
    expect(scenario.lines.slice(1)).toEqual([
      '2025-01-01 charge period/0 0.00 yes',
      '2025-02-01 charge period/1 0.00 yes',
    ]);
  });
});
