import { Scenario } from './scenario.js';

const arrears = { prepay: false };

describe('a pause', () => {
  it('in advance refunds the unused days immediately, and collects the rest of the period when it resumes', () => {
    const scenario = new Scenario()
      .start('2025-04-01')
      .runTo('2025-04-11')
      .pause('2025-04-11')
      .runTo('2025-04-20');
    expect(scenario.it).toMatchObject({
      status: 'PAUSED',
      active: false,
      paused_at: new Date('2025-04-11'),
      next_billing_date: null,
      due: null,
    });
    scenario.start('2025-04-21').runTo('2025-05-10');
    expect(scenario.it).toMatchObject({ status: 'ACTIVE', active: true, paused_at: null });
    expect(scenario.lines).toEqual([
      '2025-04-01 ACTIVE',
      '2025-04-01 charge period/0 30.00 yes',
      '2025-04-11 PAUSED',
      '2025-04-11 refund period/0 20.00',
      '2025-04-21 ACTIVE',
      '2025-04-21 charge proration/0-1 10.00 yes',
      '2025-05-01 charge period/1 30.00 yes',
    ]);
  });

  it('in arrears bills the used days immediately, and the rest at the end of the period', () => {
    const scenario = new Scenario({ plan: arrears })
      .start('2025-04-01')
      .runTo('2025-04-10')
      .pause('2025-04-11');
    scenario.runTo('2025-04-20').start('2025-04-21').runTo('2025-05-10');
    expect(scenario.lines).toEqual([
      '2025-04-01 ACTIVE',
      '2025-04-11 PAUSED',
      '2025-04-11 charge period/0 10.00 yes',
      '2025-04-21 ACTIVE',
      '2025-05-01 charge proration/0-1 10.00 yes',
    ]);
  });

  it('over several periods charges none of them, and then the rest of its last one', () => {
    const advance = new Scenario()
      .start('2025-04-01')
      .runTo('2025-04-11')
      .pause('2025-04-11')
      .runTo('2025-06-20');
    const behind = new Scenario({ plan: arrears })
      .start('2025-04-01')
      .pause('2025-04-11')
      .runTo('2025-06-20');
    advance.start('2025-06-21').runTo('2025-07-05');
    behind.start('2025-06-21').runTo('2025-07-05');
    expect(advance.lines.slice(4)).toEqual([
      '2025-06-21 ACTIVE',
      '2025-06-21 charge period/2 10.00 yes',
      '2025-07-01 charge period/3 30.00 yes',
    ]);
    expect(behind.lines.slice(3)).toEqual(['2025-06-21 ACTIVE', '2025-07-01 charge period/2 10.00 yes']);
  });

  it('begins a new calendar on request', () => {
    const scenario = new Scenario()
      .start('2025-04-01')
      .runTo('2025-04-11')
      .pause('2025-04-11')
      .runTo('2025-04-20');
    scenario.start('2025-04-21', { reanchor: true });
    expect(scenario.it.current_billing_date_period_end).toEqual(new Date('2025-05-21'));
    expect(scenario.runTo('2025-06-01').lines.slice(4)).toEqual([
      '2025-04-21 ACTIVE',
      '2025-04-21 charge period/1.0 30.00 yes',
      '2025-05-21 charge period/1.1 30.00 yes',
    ]);
  });

  it('with a new calendar leaves as many intervals as had not ended', () => {
    const scenario = new Scenario()
      .start('2025-01-01', { interval_total: 3 })
      .runTo('2025-02-11')
      .pause('2025-02-11');
    scenario.runTo('2025-04-01').start('2025-04-10', { reanchor: true }).runTo('2025-12-01');
    expect(scenario.lines.at(-1)).toBe('2025-06-10 COMPLETED');
    expect(scenario.lines.filter((line) => line.includes('charge'))).toHaveLength(4);
  });

  it('is settled even when a new calendar begins before the worker reached it', () => {
    const scenario = new Scenario().start('2025-04-01').runTo('2025-04-11').pause('2025-04-11');
    scenario.start('2025-04-11', { reanchor: true }).runTo('2025-04-12');
    expect(scenario.lines.slice(2)).toEqual([
      '2025-04-11 PAUSED',
      '2025-04-11 ACTIVE',
      '2025-04-11 charge proration/1.0 10.00 yes',
    ]);
  });

  it('ends by itself on its resume_at, even when no worker ran on that day', () => {
    const onTime = new Scenario().start('2025-04-01').runTo('2025-04-11').pause('2025-04-11', '2025-04-21');
    const late = new Scenario().start('2025-04-01').runTo('2025-04-11').pause('2025-04-11', '2025-04-21');
    onTime.runTo('2025-05-10');
    late.wake('2025-05-10');
    expect(onTime.lines.slice(4)).toEqual([
      '2025-04-21 ACTIVE',
      '2025-04-21 charge proration/0-1 10.00 yes',
      '2025-05-01 charge period/1 30.00 yes',
    ]);
    expect(late.net).toBe(onTime.net);
    expect(late.it.resume_at).toBeNull();
  });

  it('and a second one in the same period take off their own days each', () => {
    const scenario = new Scenario()
      .start('2025-04-01')
      .runTo('2025-04-06')
      .pause('2025-04-06')
      .runTo('2025-04-10');
    scenario
      .start('2025-04-11')
      .runTo('2025-04-15')
      .pause('2025-04-16')
      .runTo('2025-04-20')
      .start('2025-04-21');
    scenario.runTo('2025-05-02');
    expect(scenario.lines.filter((line) => /charge|refund/.test(line))).toEqual([
      '2025-04-01 charge period/0 30.00 yes',
      '2025-04-06 refund period/0 25.00',
      '2025-04-11 charge proration/0-1 20.00 yes',
      '2025-04-16 refund proration/0-1 15.00',
      '2025-04-21 charge proration/0-2 10.00 yes',
      '2025-05-01 charge period/1 30.00 yes',
    ]);
  });

  it('costs nothing when it is taken back immediately', () => {
    const scenario = new Scenario()
      .start('2025-04-01')
      .runTo('2025-04-10')
      .pause('2025-04-11')
      .start('2025-04-11');
    scenario.runTo('2025-04-20');
    expect(scenario.lines.slice(2)).toEqual(['2025-04-11 PAUSED', '2025-04-11 ACTIVE']);
  });

  it('delays its refund until the payment in flight is answered', () => {
    const scenario = new Scenario().start('2025-04-01');
    scenario.script = ['silent'];
    scenario.runTo('2025-04-01').pause('2025-04-11');
    expect(scenario.it.due).toBeNull();
    scenario.answer('2025-04-12', 'period/0', 'yes').runTo('2025-04-13');
    expect(scenario.lines.slice(2)).toEqual(['2025-04-11 PAUSED', '2025-04-12 refund period/0 20.00']);
  });

  it('no longer collects the unused days of a period that was never paid', () => {
    const scenario = new Scenario().start('2025-04-01');
    scenario.script = ['hard'];
    scenario.runTo('2025-04-11').pause('2025-04-11').runTo('2025-04-12');
    expect(scenario.it.outstanding_amount).toBe(10);
    scenario.start('2025-04-21').runTo('2025-04-22');
    expect(scenario.lines.at(-1)).toBe('2025-04-21 charge proration/0-1 20.00 yes');
    expect(scenario.it).toMatchObject({ outstanding_amount: 0, collection_state: 'OK' });
  });

  it('followed by a stop refunds the amount that the resume had collected', () => {
    const scenario = new Scenario()
      .start('2025-04-01')
      .runTo('2025-04-11')
      .pause('2025-04-11')
      .runTo('2025-04-20');
    scenario.start('2025-04-21').runTo('2025-04-25').stop('2025-04-26').runTo('2025-06-01');
    expect(scenario.lines.slice(-3)).toEqual([
      '2025-04-26 NON_RENEWING',
      '2025-05-01 refund proration/0-1 5.00',
      '2025-05-01 CANCELLED',
    ]);
    expect(scenario.net).toBe(15);
  });

  it('beyond its end is only completed', () => {
    const scenario = new Scenario()
      .start('2025-04-01', { interval_total: 1 })
      .runTo('2025-04-11')
      .pause('2025-04-11');
    scenario.runTo('2025-06-01').start('2025-06-05').runTo('2025-06-06');
    expect(scenario.lines.slice(3)).toEqual([
      '2025-04-11 refund period/0 20.00',
      '2025-06-05 ACTIVE',
      '2025-06-05 COMPLETED',
    ]);
  });
});

describe('a pause at the very end of a trial', () => {
  it.each([true, false])(
    'costs nothing while billing has not ended the trial (prorated: %p)',
    (is_prorated) => {
      const plan = { trial_days: 3, prepay: false, is_prorated };
      const scenario = new Scenario({ plan }).start('2026-01-31T10:00').runTo('2026-02-03T09:59');
      scenario.pause('2026-02-03T10:00').runTo('2026-02-03T10:00');
      expect(scenario.lines).toEqual(['2026-01-31T10:00 ACTIVE', '2026-02-03T10:00 PAUSED']);
      scenario.start('2026-02-03T10:00').runTo('2026-03-03T10:00');
      expect(scenario.lines.at(-1)).toBe('2026-03-03T10:00 charge period/0 30.00 yes');
    },
  );
});

describe('a pause that ends by itself', () => {
  it('waits for the charge of the period before it, which an open payment delays', () => {
    const plan = { prepay: false, setup_fee: 10 };
    const scenario = new Scenario({ plan });
    scenario.script = ['silent'];
    scenario.start('2026-04-01').runTo('2026-05-01');
    scenario.pause('2026-05-01T01:00', '2026-05-01T02:00').answer('2026-05-01T03:00', 'setup/setup', 'auth');
    scenario.change('2026-05-01T04:00', { new_payment_method: true }).runTo('2026-05-01T04:00');
    expect(scenario.lines.slice(-4)).toEqual([
      '2026-05-01T04:00 give up setup/setup: payment.replaced',
      '2026-05-01T04:00 charge period/0 40.00 yes',
      '2026-05-01T04:00 charge period/1 0.97 yes',
      '2026-05-01T04:00 ACTIVE',
    ]);
    expect(scenario.runTo('2026-06-01').net).toBe(70);
  });
});
