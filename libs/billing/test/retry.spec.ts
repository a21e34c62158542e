import { Scenario } from './scenario.js';

const retrying = { should_retry_payments: true, max_payment_retries: 2, retry_payment_in_minutes: 720 };
const weekly = {
  interval_unit: 'WEEK',
  billing_interval: 'WEEK',
  ...retrying,
  max_fail_attempts: 2,
} as const;

describe('a payment that fails', () => {
  it('is retried, fails for good after the last retry, and cancels at the limit', () => {
    const scenario = new Scenario({ plan: weekly, price: 10 }).start('2025-01-06');
    scenario.otherwise = 'soft';
    scenario.runTo('2025-01-06');
    expect(scenario.it).toMatchObject({ collection_state: 'RETRYING', due: new Date('2025-01-06T12:00Z') });
    scenario.runTo('2025-01-07');
    expect(scenario.it).toMatchObject({
      status: 'ACTIVE',
      failed_attempts: 1,
      outstanding_amount: 10,
      collection_state: 'PAST_DUE',
    });
    scenario.runTo('2025-03-01');
    expect(scenario.lines).toEqual([
      '2025-01-06 ACTIVE',
      '2025-01-06 charge period/0 10.00 soft',
      '2025-01-06T12:00 retry period/0 10.00 soft',
      '2025-01-07 retry period/0 10.00 soft',
      '2025-01-13 charge period/1 20.00 soft',
      '2025-01-13T12:00 retry period/1 20.00 soft',
      '2025-01-14 retry period/1 20.00 soft',
      '2025-01-14 CANCELLED',
    ]);
    expect(scenario.it).toMatchObject({
      active: false,
      reason: 'max_fail_attempts',
      failed_attempts: 2,
      outstanding_amount: 20,
      due: null,
    });
  });

  it('and succeeds on a retry does not count', () => {
    const scenario = new Scenario({ plan: weekly, price: 10 }).start('2025-01-06');
    scenario.script = ['soft', 'yes'];
    scenario.runTo('2025-01-10');
    expect(scenario.it).toMatchObject({ failed_attempts: 0, collection_state: 'OK', last_billed_amount: 10 });
    expect(scenario.lines.at(-1)).toBe('2025-01-06T12:00 retry period/0 10.00 yes');
  });

  it('counts consecutive periods only', () => {
    const scenario = new Scenario({ plan: { ...weekly, should_retry_payments: false }, price: 10 }).start(
      '2025-01-06',
    );
    scenario.script = ['soft', 'yes', 'soft', 'yes'];
    scenario.runTo('2025-02-01');
    expect(scenario.it).toMatchObject({ status: 'ACTIVE', failed_attempts: 0 });
    expect(scenario.net).toBe(40);
  });

  it('is not retried once the next period is due: it has failed, and its amount joins the next', () => {
    const plan = {
      interval_unit: 'DAY',
      billing_interval: 'DAY',
      ...retrying,
      max_payment_retries: 4,
    } as const;
    const scenario = new Scenario({ plan, price: 1 }).start('2025-01-01');
    scenario.script = ['soft', 'soft'];
    scenario.runTo('2025-01-02');
    expect(scenario.lines).toEqual([
      '2025-01-01 ACTIVE',
      '2025-01-01 charge period/0 1.00 soft',
      '2025-01-01T12:00 retry period/0 1.00 soft',
      '2025-01-02 charge period/1 2.00 yes',
    ]);
  });

  it('is abandoned for the next period after an outage longer than its retries', () => {
    const scenario = new Scenario({ plan: weekly, price: 10 }).start('2025-01-06');
    scenario.script = ['soft'];
    scenario.runTo('2025-01-06').wake('2025-01-14');
    expect(scenario.lines.slice(2)).toEqual([
      '2025-01-14 give up period/0: payment.superseded',
      '2025-01-14 charge period/1 20.00 yes',
    ]);
    expect(scenario.it.failed_attempts).toBe(0);
  });

  it('is retried once after an outage, not once for each missed retry', () => {
    const scenario = new Scenario({ plan: { ...retrying, max_payment_retries: 4 } }).start('2025-01-01');
    scenario.script = ['soft', 'soft'];
    scenario.runTo('2025-01-01').wake('2025-01-02T01:00');
    expect(scenario.lines.slice(2)).toEqual(['2025-01-02T01:00 retry period/0 30.00 soft']);
    expect(scenario.it.due).toEqual(new Date('2025-01-02T12:00Z'));
  });

  it('hard waits for another payment method', () => {
    const scenario = new Scenario({ plan: retrying }).start('2025-01-01');
    scenario.script = ['hard'];
    scenario.runTo('2025-01-20');
    expect(scenario.it).toMatchObject({
      collection_state: 'PAST_DUE',
      failed_attempts: 1,
      outstanding_amount: 30,
    });
    scenario.change('2025-01-20', { new_payment_method: true }).runTo('2025-01-21');
    expect(scenario.lines.slice(2)).toEqual(['2025-01-20 charge period/debt-1 30.00 yes']);
    expect(scenario.it).toMatchObject({ collection_state: 'OK', failed_attempts: 0, outstanding_amount: 0 });
  });
});

describe('the first payment', () => {
  const plan = { setup_fee: 10 };

  it('that fails is owed under CONTINUE, and collected with the next period', () => {
    const scenario = new Scenario({ plan }).start('2025-04-01');
    scenario.script = ['hard'];
    scenario.runTo('2025-04-02');
    expect(scenario.it).toMatchObject({
      status: 'ACTIVE',
      active: true,
      outstanding_amount: 40,
      failed_attempts: 1,
    });
    scenario.runTo('2025-05-01');
    expect(scenario.lines.at(-1)).toBe('2025-05-01 charge period/1 70.00 yes');
    expect(scenario.it).toMatchObject({ outstanding_amount: 0, failed_attempts: 0, collection_state: 'OK' });
  });

  it('stays owed where auto_bill_amount is off', () => {
    const scenario = new Scenario({ plan: { ...plan, auto_bill_amount: false } }).start('2025-04-01');
    scenario.script = ['hard'];
    scenario.runTo('2025-05-01');
    expect(scenario.lines.at(-1)).toBe('2025-05-01 charge period/1 30.00 yes');
    expect(scenario.it).toMatchObject({ outstanding_amount: 40, collection_state: 'PAST_DUE' });
  });

  it('that fails under CANCEL cancels without debt', () => {
    const scenario = new Scenario({ plan: { ...plan, initial_fail_amount_action: 'CANCEL' } }).start(
      '2025-04-01',
    );
    scenario.script = ['hard'];
    scenario.runTo('2025-08-01');
    expect(scenario.lines).toEqual([
      '2025-04-01 ACTIVE',
      '2025-04-01 charge period/0 40.00 hard',
      '2025-04-01 CANCELLED',
    ]);
    expect(scenario.it).toMatchObject({
      reason: 'initial_payment_failed',
      outstanding_amount: 0,
      collection_state: 'OK',
      next_billing_date: null,
    });
  });

  it('cancels under CANCEL also as a setup fee, before the start', () => {
    const scenario = new Scenario({ plan: { ...plan, initial_fail_amount_action: 'CANCEL' } });
    scenario.create('2025-04-01', { has_payment_method: true });
    scenario.script = ['hard'];
    expect(scenario.runTo('2025-04-02').lines.at(-1)).toBe('2025-04-01 CANCELLED');
  });

  it('under CANCEL does not make a later failure cancel', () => {
    const scenario = new Scenario({ plan: { initial_fail_amount_action: 'CANCEL' } }).start('2025-04-01');
    scenario.script = ['yes', 'hard'];
    expect(scenario.runTo('2025-05-02').it).toMatchObject({ status: 'ACTIVE', outstanding_amount: 30 });
  });

  it('does not cancel under CANCEL when a setup fee only makes way for the first period', () => {
    const cancel = { ...plan, ...retrying, initial_fail_amount_action: 'CANCEL' } as const;
    const scenario = new Scenario({ plan: cancel }).create('2025-04-01', { has_payment_method: true });
    scenario.script = ['soft', 'yes'];
    scenario.runTo('2025-04-01').start('2025-04-01T06:00').runTo('2025-04-02');
    expect(scenario.it).toMatchObject({ status: 'ACTIVE', collection_state: 'OK', last_billed_amount: 40 });
  });

  it('that is a setup fee makes way for the first period, which includes it', () => {
    const scenario = new Scenario({ plan: { ...plan, ...retrying } }).create('2025-04-01', {
      has_payment_method: true,
    });
    scenario.script = ['soft'];
    scenario.runTo('2025-04-01').start('2025-04-01T06:00').runTo('2025-04-02');
    expect(scenario.lines).toEqual([
      '2025-04-01 charge setup/setup 10.00 soft',
      '2025-04-01T06:00 ACTIVE',
      '2025-04-01T06:00 give up setup/setup: payment.superseded',
      '2025-04-01T06:00 charge period/0 40.00 yes',
    ]);
    expect(scenario.it.failed_attempts).toBe(0);
  });
});

describe('a payment that needs the customer', () => {
  it('is abandoned after 23 hours where it is the first', () => {
    const scenario = new Scenario().start('2025-04-01');
    scenario.script = ['auth'];
    scenario.runTo('2025-04-01T22:59');
    expect(scenario.it).toMatchObject({
      collection_state: 'REQUIRES_AUTH',
      due: new Date('2025-04-01T23:00Z'),
    });
    scenario.runTo('2025-04-02');
    expect(scenario.lines.at(-1)).toBe('2025-04-01T23:00 give up period/0: payment.not_authenticated');
    expect(scenario.it).toMatchObject({
      collection_state: 'PAST_DUE',
      outstanding_amount: 30,
      failed_attempts: 1,
    });
  });

  it('waits until the next period is due where it is a renewal', () => {
    const scenario = new Scenario().start('2025-04-01');
    scenario.script = ['yes', 'auth'];
    scenario.runTo('2025-05-20');
    expect(scenario.it).toMatchObject({ collection_state: 'REQUIRES_AUTH', failed_attempts: 0 });
    scenario.runTo('2025-06-01');
    expect(scenario.lines.slice(-2)).toEqual([
      '2025-06-01 give up period/1: payment.superseded',
      '2025-06-01 charge period/2 60.00 yes',
    ]);
  });

  it('succeeds when the customer has confirmed it', () => {
    const scenario = new Scenario().start('2025-04-01');
    scenario.script = ['yes', 'auth'];
    scenario.runTo('2025-05-03').answer('2025-05-03', 'period/1', 'yes').runTo('2025-05-04');
    expect(scenario.it).toMatchObject({ collection_state: 'OK', failed_attempts: 0, last_billed_amount: 30 });
    expect(scenario.it.last_billed_date).toEqual(new Date('2025-05-03'));
  });

  it('is retried like any other when the customer was refused', () => {
    const scenario = new Scenario({ plan: retrying }).start('2025-04-01');
    scenario.script = ['yes', 'auth'];
    scenario.runTo('2025-05-01').answer('2025-05-01T01:00', 'period/1', 'soft');
    expect(scenario.it).toMatchObject({ collection_state: 'RETRYING', due: new Date('2025-05-01T12:00Z') });
  });

  it('is abandoned after 23 hours where nothing follows it', () => {
    const scenario = new Scenario({ plan: { prepay: false } }).start('2025-04-01', { interval_total: 2 });
    scenario.script = ['yes', 'auth'];
    scenario.runTo('2025-07-01');
    expect(scenario.lines.slice(-2)).toEqual([
      '2025-06-01T23:00 give up period/1: payment.not_authenticated',
      '2025-06-01T23:00 COMPLETED',
    ]);
  });
});
