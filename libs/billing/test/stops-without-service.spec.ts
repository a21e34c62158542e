import { isFault } from '@commerce/kernel';
import { previewCharges } from '../src/domain/cycle/preview.js';
import { Story } from './scenario.js';

/** 17 to 31 January. */
const plan = { trial_days: 14 };

function trial(more: object = {}): Story {
  return new Story({ plan: { ...plan, ...more } }).start('2025-01-17').runTo('2025-01-18');
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
    const story = trial().stop('2025-01-20').runTo('2025-06-01');
    expect(story.lines).toEqual(['2025-01-17 ACTIVE', '2025-01-20 CANCELLED']);
    expect(story.it).toMatchObject({ active: false, due: null, ending_date: new Date('2025-01-20') });
  });

  it.each(['2025-01-24', '2025-01-31'])(
    'at %s, not after the trial, cancels then, without a charge',
    (date) => {
      for (const prepay of [true, false]) {
        const story = trial({ prepay }).stop('2025-01-20', date);
        expect(story.it).toMatchObject({
          status: 'NON_RENEWING',
          active: true,
          in_trial: true,
          ending_date: new Date(date),
          prorate_amount: 0,
          current_billing_date_period_start: new Date('2025-01-17'),
          current_billing_date_period_end: new Date(date),
          next_billing_date: null,
        });
        expect(previewCharges(story.current, story.terms, story.now, 12)).toEqual([]);
        story.runTo('2025-06-01');
        expect(story.lines).toEqual(['2025-01-17 ACTIVE', '2025-01-20 NON_RENEWING', `${date} CANCELLED`]);
        expect(story.it).toMatchObject({ active: false, in_trial: false, due: null });
      }
    },
  );

  it('at a date after the trial is charged up to it, as any stop', () => {
    // 12 of the 28 days from 31 January to 28 February are unused.
    const advance = trial().stop('2025-01-20', '2025-02-16');
    const behind = trial({ prepay: false }).stop('2025-01-20', '2025-02-16');
    for (const story of [advance, behind]) {
      expect(story.it).toMatchObject({ status: 'NON_RENEWING', in_trial: true, prorate_amount: 0 });
      const shown = previewCharges(story.current, story.terms, story.now, 12);
      story.runTo('2025-01-31');
      expect(story.it).toMatchObject({ in_trial: false, active: true, prorate_amount: -12.86 });
      story.runTo('2025-06-01');
      expect(story.payments.map(({ charge }) => charge.breakdown)).toEqual(
        shown.map(({ breakdown }) => breakdown),
      );
      expect(story.net).toBe(17.14);
    }
    expect(advance.lines.slice(1)).toEqual([
      '2025-01-20 NON_RENEWING',
      '2025-01-31 charge period/0 30.00 yes',
      '2025-02-28 refund period/0 12.86',
      '2025-02-28 CANCELLED',
    ]);
    expect(behind.lines.slice(1)).toEqual([
      '2025-01-20 NON_RENEWING',
      '2025-02-28 charge period/0 17.14 yes',
      '2025-02-28 CANCELLED',
    ]);
  });

  it('at a date after the trial cancels at its end where there is no usable payment method', () => {
    const story = trial().stop('2025-01-20', '2025-02-16');
    story.canPay = false;
    story.runTo('2025-06-01');
    expect(story.lines.slice(2)).toEqual(['2025-01-31 CANCELLED']);
    expect(story.it).toMatchObject({ reason: 'payment_method_missing', outstanding_amount: 0 });
  });

  it('at a date can be taken back, and the trial continues', () => {
    const story = trial().stop('2025-01-20', '2025-01-24').start('2025-01-22');
    expect(story.it).toMatchObject({ status: 'ACTIVE', in_trial: true, ending_date: null });
    expect(story.runTo('2025-02-01').lines.at(-1)).toBe('2025-01-31 charge period/0 30.00 yes');
  });

  it('owes a setup fee that could not be collected', () => {
    const story = new Story({ plan: { ...plan, setup_fee: 10, should_retry_payments: true } });
    story.otherwise = 'soft';
    story.start('2025-01-17').runTo('2025-01-17').stop('2025-01-17', '2025-01-18').runTo('2025-06-01');
    expect(story.lines.at(-1)).toBe('2025-01-18 CANCELLED');
    expect(story.it).toMatchObject({ outstanding_amount: 10, collection_state: 'PAST_DUE' });
  });

  it('refuses a date in the past', () => {
    expect(pathOf(() => trial().stop('2025-01-20', '2025-01-19'))).toBe('ending_date');
  });
});

describe('a stop in a pause', () => {
  it('cancels immediately where the pause is settled', () => {
    const advance = new Story()
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
    const story = (prepay: boolean) =>
      new Story({ plan: { prepay } }).start('2025-04-01').runTo('2025-04-10');
    const advance = story(true).pause('2025-04-11').stop('2025-04-11').runTo('2025-08-01');
    const behind = story(false).pause('2025-04-11').stop('2025-04-12').runTo('2025-08-01');
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
    const story = new Story({ plan: { ...retries, prepay: false } }).start('2025-04-01');
    story.script = ['soft', 'soft'];
    story.pause('2025-04-11').runTo('2025-04-11').stop('2025-04-11').runTo('2025-08-01');
    expect(story.lines.slice(2)).toEqual([
      '2025-04-11 charge period/0 10.00 soft',
      '2025-04-11 CANCELLED',
      '2025-04-12 retry period/0 10.00 soft',
      '2025-04-13 retry period/0 10.00 yes',
    ]);
    expect(story.it).toMatchObject({ outstanding_amount: 0, collection_state: 'OK' });
  });

  it('keeps the debt of a failed payment', () => {
    const story = new Story().start('2025-04-01');
    story.otherwise = 'hard';
    story.runTo('2025-04-10').pause('2025-04-11').stop('2025-04-11').runTo('2025-08-01');
    expect(story.it).toMatchObject({ status: 'CANCELLED', outstanding_amount: 10 });
  });

  it('after a trial that nobody could pay for charges nothing', () => {
    const story = trial();
    story.canPay = false;
    story.runTo('2025-02-05').stop('2025-02-07').runTo('2025-06-01');
    expect(story.lines.slice(1)).toEqual(['2025-01-31 PAUSED', '2025-02-07 CANCELLED']);
  });

  it('accepts no future date: no service is left to end', () => {
    const story = new Story().start('2025-04-01').pause('2025-04-11');
    expect(pathOf(() => story.stop('2025-04-12', '2025-04-20'))).toBe('ending_date');
    expect(pathOf(() => story.stop('2025-04-12', '2025-04-11'))).toBe('ending_date');
  });
});
