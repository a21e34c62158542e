import { Scenario } from './scenario.js';

describe('a payment that succeeds after it was abandoned', () => {
  it('pays its debt, which is not collected again', () => {
    const scenario = new Scenario({ plan: { auto_bill_amount: false } }).start('2025-04-01');
    scenario.script = ['auth'];
    scenario.runTo('2025-04-05').answer('2025-04-05', 'period/0', 'yes').runTo('2025-05-01');
    expect(scenario.it).toMatchObject({ outstanding_amount: 0, collection_state: 'OK', failed_attempts: 0 });
    expect(scenario.net).toBe(60);
  });

  it('is refunded where the debt has been collected by another payment', () => {
    const scenario = new Scenario().start('2025-04-01');
    scenario.script = ['auth'];
    scenario.runTo('2025-05-01').answer('2025-05-02', 'period/0', 'yes');
    expect(scenario.lines.slice(-2)).toEqual([
      '2025-05-01 charge period/1 60.00 yes',
      '2025-05-02 refund period/0 30.00',
    ]);
    expect(scenario.net).toBe(60);
  });

  it('is refunded where another payment is collecting the debt', () => {
    const scenario = new Scenario().start('2025-04-01');
    scenario.script = ['auth', 'silent'];
    scenario.runTo('2025-05-01').answer('2025-05-01', 'period/0', 'yes');
    expect(scenario.lines.at(-1)).toBe('2025-05-01 refund period/0 30.00');
    scenario.answer('2025-05-02', 'period/1', 'yes').runTo('2025-05-03');
    expect(scenario.it).toMatchObject({ outstanding_amount: 0, collection_state: 'OK' });
    expect(scenario.net).toBe(60);
  });

  it('is refunded where a cancelled subscription owes nothing', () => {
    const scenario = new Scenario({ plan: { initial_fail_amount_action: 'CANCEL' } }).start('2025-04-01');
    scenario.script = ['auth'];
    scenario.runTo('2025-04-05').answer('2025-04-06', 'period/0', 'yes');
    expect(scenario.it).toMatchObject({ status: 'CANCELLED', active: false });
    expect(scenario.net).toBe(0);
  });

  it('is the source of the refund of a stop', () => {
    const scenario = new Scenario({ plan: { auto_bill_amount: false } }).start('2025-04-01');
    scenario.script = ['auth'];
    scenario
      .runTo('2025-04-05')
      .answer('2025-04-05', 'period/0', 'yes')
      .stop('2025-04-16')
      .runTo('2025-06-01');
    expect(scenario.lines).toContain('2025-05-01 refund period/0 15.00');
  });
});

describe('an outcome without news', () => {
  it('changes nothing when it is a late failure', () => {
    const scenario = new Scenario().start('2025-04-01').runTo('2025-04-02');
    const before = scenario.it;
    scenario.answer('2025-04-03', 'period/0', 'hard');
    expect(scenario.it).toEqual(before);
  });
});

describe('a payment in flight when its subscription is cancelled', () => {
  const plan = { setup_fee: 10, trial_days: 10 };

  it('may still succeed, and is not tried again when it fails', () => {
    const paid = new Scenario({ plan }).start('2025-04-01');
    paid.script = ['silent'];
    paid
      .runTo('2025-04-01')
      .stop('2025-04-02')
      .answer('2025-04-03', 'setup/setup', 'yes')
      .runTo('2025-06-01');
    expect(paid.net).toBe(10);
    const failed = new Scenario({ plan: { ...plan, should_retry_payments: true } }).start('2025-04-01');
    failed.script = ['silent'];
    failed
      .runTo('2025-04-01')
      .stop('2025-04-02')
      .answer('2025-04-03', 'setup/setup', 'soft')
      .runTo('2025-06-01');
    expect(failed.it).toMatchObject({
      open_payments: [],
      outstanding_amount: 0,
      collection_state: 'OK',
      due: null,
    });
  });

  it('is abandoned when it waits for the customer or a retry', () => {
    const scenario = new Scenario({ plan: { ...plan, should_retry_payments: true } }).start('2025-04-01');
    scenario.script = ['soft'];
    scenario.runTo('2025-04-01').stop('2025-04-01T01:00').runTo('2025-06-01');
    expect(scenario.lines.slice(-2)).toEqual([
      '2025-04-01T01:00 CANCELLED',
      '2025-04-01T01:00 give up setup/setup: payment.not_owed',
    ]);
    expect(scenario.it.collection_state).toBe('OK');
  });
});
