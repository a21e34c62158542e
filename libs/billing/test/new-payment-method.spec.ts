import { Scenario } from './scenario.js';

const retrying = { should_retry_payments: true, max_payment_retries: 2, retry_payment_in_minutes: 720 };
const weekly = {
  interval_unit: 'WEEK',
  billing_interval: 'WEEK',
  ...retrying,
  max_fail_attempts: 2,
} as const;

describe('a new payment method', () => {
  it('collects a payment that is being retried immediately, under a payment of its own', () => {
    const scenario = new Scenario({ plan: retrying }).start('2025-01-01');
    scenario.script = ['soft', 'yes'];
    scenario
      .runTo('2025-01-01T01:00')
      .change('2025-01-01T02:00', { new_payment_method: true })
      .runTo('2025-01-03');
    expect(scenario.lines.slice(2)).toEqual([
      '2025-01-01T02:00 give up period/0: payment.replaced',
      '2025-01-01T02:00 charge period/debt-1 30.00 yes',
    ]);
    expect(scenario.it).toMatchObject({ collection_state: 'OK', failed_attempts: 0 });
  });

  it('includes older debts, and lets the period count as failed only when it fails too', () => {
    const plan = { ...weekly, auto_bill_amount: false, max_fail_attempts: null };
    const scenario = new Scenario({ plan, price: 10 }).start('2025-01-06');
    scenario.script = ['hard', 'soft', 'hard'];
    scenario.runTo('2025-01-13T01:00');
    expect(scenario.it).toMatchObject({
      failed_attempts: 1,
      outstanding_amount: 10,
      collection_state: 'RETRYING',
    });
    scenario.change('2025-01-13T02:00', { new_payment_method: true }).runTo('2025-01-14');
    expect(scenario.lines.at(-1)).toBe('2025-01-13T02:00 charge period/debt-1 20.00 hard');
    expect(scenario.it).toMatchObject({
      failed_attempts: 2,
      outstanding_amount: 20,
      collection_state: 'PAST_DUE',
    });
    scenario.change('2025-01-15', { new_payment_method: true }).runTo('2025-01-15');
    expect(scenario.lines.at(-1)).toBe('2025-01-15 charge period/debt-2 20.00 yes');
    expect(scenario.it).toMatchObject({ failed_attempts: 0, outstanding_amount: 0 });
  });

  it('is tried before a payment that was in flight counts as failed', () => {
    const scenario = new Scenario({ plan: { max_fail_attempts: 1 } }).start('2025-01-01');
    scenario.script = ['silent'];
    scenario.runTo('2025-01-01').change('2025-01-02', { new_payment_method: true });
    expect(scenario.it.due).toBeNull();
    scenario.answer('2025-01-03', 'period/0', 'hard').runTo('2025-01-03');
    expect(scenario.lines.slice(2)).toEqual(['2025-01-03 charge period/debt-1 30.00 yes']);
    expect(scenario.it).toMatchObject({ status: 'ACTIVE', failed_attempts: 0 });
  });

  it('collects nothing where there is no debt', () => {
    const scenario = new Scenario().start('2025-01-01').runTo('2025-01-02');
    scenario.change('2025-01-03', { new_payment_method: true }).runTo('2025-01-10');
    expect(scenario.payments).toHaveLength(1);
  });

  it('collects the debt of one that is completed, never of one that is cancelled', () => {
    const completed = new Scenario({ plan: { prepay: false } }).start('2025-01-01', { interval_total: 1 });
    completed.script = ['hard'];
    completed.runTo('2025-03-01').change('2025-03-01', { new_payment_method: true }).runTo('2025-03-02');
    expect(completed.lines.slice(-2)).toEqual([
      '2025-02-01 COMPLETED',
      '2025-03-01 charge period/debt-1 30.00 yes',
    ]);
    const cancelled = new Scenario({ plan: { max_fail_attempts: 1 } }).start('2025-01-01');
    cancelled.script = ['hard'];
    cancelled.runTo('2025-03-01').change('2025-03-01', { new_payment_method: true }).runTo('2025-04-01');
    expect(cancelled.payments).toHaveLength(1);
  });
});
