import { isFault } from '@commerce/kernel';
import { previewCharges } from './previewed-charges.js';
import { Scenario } from './scenario.js';

/** 17 to 31 January. */
const plan = { trial_days: 14 };

function trial(more: object = {}): Scenario {
  return new Scenario({ plan: { ...plan, ...more } }).start('2025-01-17').runTo('2025-01-18');
}

function pathOf(run: () => unknown): string | undefined {
  try {
    run();
  } catch (error) {
    if (isFault(error)) return error.details.errors?.[0]?.path ?? error.code;
  }
  return undefined;
}

describe('a stop in trial', () => {
  it('without a date cancels immediately, without a charge', () => {
    const scenario = trial().stop('2025-01-20').runTo('2025-06-01');
    expect(scenario.lines).toEqual(['2025-01-17 ACTIVE', '2025-01-20 CANCELLED']);
    expect(scenario.it).toMatchObject({ active: false, due: null, ending_date: new Date('2025-01-20') });
  });

  it.each(['2025-01-24', '2025-01-31'])(
    'at %s, not after the trial, cancels then, without a charge',
    (date) => {
      for (const prepay of [true, false]) {
        const scenario = trial({ prepay }).stop('2025-01-20', date);
        expect(scenario.it).toMatchObject({
          status: 'NON_RENEWING',
          active: true,
          in_trial: true,
          ending_date: new Date(date),
          prorate_amount: 0,
          current_billing_date_period_start: new Date('2025-01-17'),
          current_billing_date_period_end: new Date(date),
          next_billing_date: null,
        });
        expect(previewCharges(scenario.current, scenario.terms, scenario.now, 12)).toEqual([]);
        scenario.runTo('2025-06-01');
        expect(scenario.lines).toEqual(['2025-01-17 ACTIVE', '2025-01-20 NON_RENEWING', `${date} CANCELLED`]);
        expect(scenario.it).toMatchObject({ active: false, in_trial: false, due: null });
      }
    },
  );

  it('at a date after the trial is charged up to it, as any stop', () => {
    // 12 of the 28 days from 31 January to 28 February are unused.
    const advance = trial().stop('2025-01-20', '2025-02-16');
    const behind = trial({ prepay: false }).stop('2025-01-20', '2025-02-16');
    for (const scenario of [advance, behind]) {
      expect(scenario.it).toMatchObject({ status: 'NON_RENEWING', in_trial: true, prorate_amount: 0 });
      const shown = previewCharges(scenario.current, scenario.terms, scenario.now, 12);
      scenario.runTo('2025-01-31');
      expect(scenario.it).toMatchObject({ in_trial: false, active: true, prorate_amount: -12.86 });
      scenario.runTo('2025-06-01');
      expect(scenario.payments.map(({ charge }) => charge.breakdown)).toEqual(
        shown.map(({ breakdown }) => breakdown),
      );
      expect(scenario.net).toBe(17.14);
    }
    expect(advance.lines.slice(1)).toEqual([
      '2025-01-20 NON_RENEWING',
      '2025-01-31 charge period/0 17.14 yes',
      '2025-02-28 CANCELLED',
    ]);
    expect(behind.lines.slice(1)).toEqual([
      '2025-01-20 NON_RENEWING',
      '2025-02-28 charge period/0 17.14 yes',
      '2025-02-28 CANCELLED',
    ]);
  });

  it('at a date after the trial cancels at its end where there is no usable payment method', () => {
    const scenario = trial().stop('2025-01-20', '2025-02-16');
    scenario.canPay = false;
    scenario.runTo('2025-06-01');
    expect(scenario.lines.slice(2)).toEqual(['2025-01-31 CANCELLED']);
    expect(scenario.it).toMatchObject({ reason: 'payment_method_missing', outstanding_amount: 0 });
  });

  it('at a date can be taken back, and the trial continues', () => {
    const scenario = trial().stop('2025-01-20', '2025-01-24').start('2025-01-22');
    expect(scenario.it).toMatchObject({ status: 'ACTIVE', in_trial: true, ending_date: null });
    expect(scenario.runTo('2025-02-01').lines.at(-1)).toBe('2025-01-31 charge period/0 30.00 yes');
  });

  it('owes a setup fee that could not be collected', () => {
    const scenario = new Scenario({ plan: { ...plan, setup_fee: 10, should_retry_payments: true } });
    scenario.otherwise = 'soft';
    scenario.start('2025-01-17').runTo('2025-01-17').stop('2025-01-17', '2025-01-18').runTo('2025-06-01');
    expect(scenario.lines.at(-1)).toBe('2025-01-18 CANCELLED');
    expect(scenario.it).toMatchObject({ outstanding_amount: 10, collection_state: 'PAST_DUE' });
  });

  it('refuses a date in the past', () => {
    expect(pathOf(() => trial().stop('2025-01-20', '2025-01-19'))).toBe('ending_date');
  });
});

describe('a stop in a pause', () => {
  it('cancels immediately where the pause is settled', () => {
    const advance = new Scenario()
      .start('2025-04-01')
      .runTo('2025-04-11')
      .pause('2025-04-11')
      .runTo('2025-04-20');
    advance.stop('2025-04-21').runTo('2025-08-01');
    expect(advance.lines.slice(2)).toEqual([
      '2025-04-11 PAUSED',
      '2025-04-11 refund period/0 20.00',
      '2025-04-21 CANCELLED',
    ]);
    expect(advance.it).toMatchObject({
      active: false,
      due: null,
      next_billing_date: null,
      prorate_amount: 0,
      reason: null,
      ending_date: new Date('2025-04-21'),
    });
  });

  it('settles the pause that came just before, as if it continued', () => {
    const scenario = (prepay: boolean) =>
      new Scenario({ plan: { prepay } }).start('2025-04-01').runTo('2025-04-10');
    const advance = scenario(true).pause('2025-04-11').stop('2025-04-11').runTo('2025-08-01');
    const behind = scenario(false).pause('2025-04-11').stop('2025-04-12').runTo('2025-08-01');
    expect(advance.lines.slice(2)).toEqual([
      '2025-04-11 PAUSED',
      '2025-04-11 CANCELLED',
      '2025-04-11 refund period/0 20.00',
    ]);
    expect(behind.lines.slice(1)).toEqual([
      '2025-04-11 PAUSED',
      '2025-04-12 CANCELLED',
      '2025-04-12 charge period/0 10.00 yes',
    ]);
  });

  it('still collects the price of the days before the pause', () => {
    const retries = { should_retry_payments: true, retry_payment_in_minutes: 1440 };
    const scenario = new Scenario({ plan: { ...retries, prepay: false } }).start('2025-04-01');
    scenario.script = ['soft', 'soft'];
    scenario.pause('2025-04-11').runTo('2025-04-11').stop('2025-04-11').runTo('2025-08-01');
    expect(scenario.lines.slice(2)).toEqual([
      '2025-04-11 charge period/0 10.00 soft',
      '2025-04-11 CANCELLED',
      '2025-04-12 retry period/0 10.00 soft',
      '2025-04-13 retry period/0 10.00 yes',
    ]);
    expect(scenario.it).toMatchObject({ outstanding_amount: 0, collection_state: 'OK' });
  });

  it('keeps the debt of a failed payment', () => {
    const scenario = new Scenario().start('2025-04-01');
    scenario.otherwise = 'hard';
    scenario.runTo('2025-04-10').pause('2025-04-11').stop('2025-04-11').runTo('2025-08-01');
    expect(scenario.it).toMatchObject({ status: 'CANCELLED', outstanding_amount: 10 });
  });

  it('after a trial that nobody could pay for charges nothing', () => {
    const scenario = trial();
    scenario.canPay = false;
    scenario.runTo('2025-02-05').stop('2025-02-07').runTo('2025-06-01');
    expect(scenario.lines.slice(1)).toEqual(['2025-01-31 PAUSED', '2025-02-07 CANCELLED']);
  });

  it('accepts no future date: no service is left to end', () => {
    const scenario = new Scenario().start('2025-04-01').pause('2025-04-11');
    expect(pathOf(() => scenario.stop('2025-04-12', '2025-04-20'))).toBe('ending_date');
    expect(pathOf(() => scenario.stop('2025-04-12', '2025-04-11'))).toBe('ending_date');
  });
});
