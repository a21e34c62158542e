import { Story } from './scenario.js';

const retrying = { should_retry_payments: true, max_payment_retries: 2, retry_payment_in_minutes: 720 };
const weekly = {
  interval_unit: 'WEEK',
  billing_interval: 'WEEK',
  ...retrying,
  max_fail_attempts: 2,
} as const;

describe('a new payment method', () => {
  it('collects a payment that is being retried immediately, under a payment of its own', () => {
    const story = new Story({ plan: retrying }).start('2025-01-01');
    story.script = ['soft', 'yes'];
    story
      .runTo('2025-01-01T01:00')
      .change('2025-01-01T02:00', { new_payment_method: true })
      .runTo('2025-01-03');
    expect(story.lines.slice(2)).toEqual([
      '2025-01-01T02:00 give up period/0: payment.replaced',
      '2025-01-01T02:00 charge period/debt-1 30.00 yes',
    ]);
    expect(story.it).toMatchObject({ collection_state: 'OK', failed_attempts: 0 });
  });

  it('includes older debts, and lets the period count as failed only when it fails too', () => {
    const plan = { ...weekly, auto_bill_amount: false, max_fail_attempts: null };
    const story = new Story({ plan, price: 10 }).start('2025-01-06');
    story.script = ['hard', 'soft', 'hard'];
    story.runTo('2025-01-13T01:00');
    expect(story.it).toMatchObject({
      failed_attempts: 1,
      outstanding_amount: 10,
      collection_state: 'RETRYING',
    });
    story.change('2025-01-13T02:00', { new_payment_method: true }).runTo('2025-01-14');
    expect(story.lines.at(-1)).toBe('2025-01-13T02:00 charge period/debt-1 20.00 hard');
    expect(story.it).toMatchObject({
      failed_attempts: 2,
      outstanding_amount: 20,
      collection_state: 'PAST_DUE',
    });
    story.change('2025-01-15', { new_payment_method: true }).runTo('2025-01-15');
    expect(story.lines.at(-1)).toBe('2025-01-15 charge period/debt-2 20.00 yes');
    expect(story.it).toMatchObject({ failed_attempts: 0, outstanding_amount: 0 });
  });

  it('is tried before a payment that was in flight counts as failed', () => {
    const story = new Story({ plan: { max_fail_attempts: 1 } }).start('2025-01-01');
    story.script = ['silent'];
    story.runTo('2025-01-01').change('2025-01-02', { new_payment_method: true });
    expect(story.it.due).toBeNull();
    story.answer('2025-01-03', 'period/0', 'hard').runTo('2025-01-03');
    expect(story.lines.slice(2)).toEqual(['2025-01-03 charge period/debt-1 30.00 yes']);
    expect(story.it).toMatchObject({ status: 'ACTIVE', failed_attempts: 0 });
  });

  it('collects nothing where there is no debt', () => {
    const story = new Story().start('2025-01-01').runTo('2025-01-02');
    story.change('2025-01-03', { new_payment_method: true }).runTo('2025-01-10');
    expect(story.payments).toHaveLength(1);
  });

  it('collects the debt of one that is completed, never of one that is cancelled', () => {
    const completed = new Story({ plan: { prepay: false } }).start('2025-01-01', { interval_total: 1 });
    completed.script = ['hard'];
    completed.runTo('2025-03-01').change('2025-03-01', { new_payment_method: true }).runTo('2025-03-02');
    expect(completed.lines.slice(-2)).toEqual([
      '2025-02-01 COMPLETED',
      '2025-03-01 charge period/debt-1 30.00 yes',
    ]);
    const cancelled = new Story({ plan: { max_fail_attempts: 1 } }).start('2025-01-01');
    cancelled.script = ['hard'];
    cancelled.runTo('2025-03-01').change('2025-03-01', { new_payment_method: true }).runTo('2025-04-01');
    expect(cancelled.payments).toHaveLength(1);
  });
});
