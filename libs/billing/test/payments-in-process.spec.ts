import { ChangingScenario } from './changing-scenario.js';

const PLANS = {
  half: { price: 15 },
  double: { price: 60 },
  annual: { interval_unit: 'ANNUAL', billing_interval: 'ANNUAL', price: 300 },
} as const;

/** Its first payment is on its way for days. */
function slow(plan: ConstructorParameters<typeof ChangingScenario>[0] = {}): ChangingScenario {
  const one = new ChangingScenario({ plans: PLANS, ...plan });
  one.script = ['slow'];
  return one.start('2026-04-01').runTo('2026-04-01');
}

describe('a payment whose result takes days', () => {
  it('holds up no period, which has a payment of its own', () => {
    const one = slow().runTo('2026-05-01');
    expect(one.lines.slice(1)).toEqual([
      '2026-04-01 charge period/0 30.00 slow',
      '2026-05-01 charge period/1 30.00 yes',
    ]);
    expect(one.it).toMatchObject({ collection_state: 'OK', outstanding_amount: 0 });
    one.answer('2026-05-03', 'period/0', 'yes').runTo('2026-06-01');
    expect(one.net).toBe(90);
    expect(one.it).toMatchObject({ open_payments: [], outstanding_amount: 0 });
  });

  it('becomes debt where it fails after the next period has begun, and is collected with the one after', () => {
    const one = slow().runTo('2026-05-01').answer('2026-05-03', 'period/0', 'soft');
    expect(one.it).toMatchObject({
      outstanding_amount: 30,
      collection_state: 'PAST_DUE',
      failed_attempts: 1,
    });
    expect(one.runTo('2026-06-01').lines.at(-1)).toBe('2026-06-01 charge period/2 60.00 yes');
  });

  it('is tried again where nothing has taken its place', () => {
    const one = slow({ plan: { should_retry_payments: true } }).answer('2026-04-03', 'period/0', 'soft');
    expect(one.it.collection_state).toBe('RETRYING');
    expect(one.runTo('2026-04-04').lines.at(-1)).toBe('2026-04-03T12:00 retry period/0 30.00 yes');
  });

  it('holds up no stop: what it collects too much is given back once it has succeeded', () => {
    const one = slow().stop('2026-04-16').runTo('2026-05-05');
    expect(one.it).toMatchObject({ status: 'NON_RENEWING', active: false });
    one.answer('2026-05-06', 'period/0', 'yes').runTo('2026-05-06');
    expect(one.lines.slice(-2)).toEqual(['2026-05-06 CANCELLED', '2026-05-06 refund period/0 15.00']);
    expect(one.net).toBe(15);
  });

  it('leaves as debt only what was not credited meanwhile', () => {
    const one = slow().stop('2026-04-16').runTo('2026-05-05').answer('2026-05-06', 'period/0', 'hard');
    expect(one.it).toMatchObject({ outstanding_amount: 15 });
  });

  it('holds up no change: the credit of what is not collected yet pays for nothing', () => {
    const one = slow().changePlan('2026-04-16', { plan: 'annual' }).runTo('2026-04-16');
    expect(one.lines.at(-1)).toBe('2026-04-16 charge proration/1.0 300.00 yes');
    one.answer('2026-04-18', 'period/0', 'yes');
    expect(one.lines.at(-1)).toBe('2026-04-18 credit period/0 15.00');
    expect(one.net).toBe(315);
  });

  it('holds up no change that is paid first', () => {
    const one = slow();
    one.changePlan('2026-04-16', { plan: 'double' }, { collect: 'first', minimum_minor: 1 });
    expect(one.lines.at(-1)).toBe('2026-04-16 charge proration/change-1 15.00 yes');
    one.answer('2026-04-18', 'period/0', 'yes');
    expect(one.net).toBe(45);
  });

  it('is waited for by a new card, which collects what it leaves', () => {
    const one = slow().change('2026-04-02', { new_payment_method: true }).runTo('2026-04-05');
    expect(one.lines.at(-1)).toBe('2026-04-01 charge period/0 30.00 slow');
    one.answer('2026-04-05', 'period/0', 'hard').runTo('2026-04-05');
    expect(one.lines.at(-1)).toBe('2026-04-05 charge period/debt-1 30.00 yes');
  });

  it('is waited for where service waits for the first payment', () => {
    const one = slow({ plan: { initial_fail_amount_action: 'CANCEL' } }).runTo('2026-05-05');
    expect(one.lines.at(-1)).toBe('2026-04-01 charge period/0 30.00 slow');
    expect(one.it.active).toBe(false);
    expect(one.answer('2026-05-06', 'period/0', 'hard').it).toMatchObject({
      status: 'CANCELLED',
      outstanding_amount: 0,
    });
  });

  it('is debt of the customer where the subscription was cancelled meanwhile', () => {
    const one = slow({ plan: { max_fail_attempts: 1 } });
    one.script = ['hard'];
    one.runTo('2026-05-01');
    expect(one.it).toMatchObject({ status: 'CANCELLED', outstanding_amount: 30 });
    expect(one.answer('2026-05-03', 'period/0', 'hard').it.outstanding_amount).toBe(60);
  });

  it('is not charged again with the debt that it collects', () => {
    const one = new ChangingScenario();
    one.script = ['hard', 'slow', 'slow'];
    one.start('2026-04-01').runTo('2026-06-01');
    expect(one.lines.slice(1)).toEqual([
      '2026-04-01 charge period/0 30.00 hard',
      '2026-05-01 charge period/1 60.00 slow',
      '2026-06-01 charge period/2 30.00 slow',
    ]);
    one.answer('2026-06-02', 'period/1', 'yes').answer('2026-06-03', 'period/2', 'yes');
    expect(one.it.outstanding_amount).toBe(0);
    expect(one.net).toBe(90);
  });

  it('has at most eleven others beside it', () => {
    const one = new ChangingScenario({ plan: { interval_unit: 'DAY', billing_interval: 'DAY' } });
    one.otherwise = 'slow';
    one.start('2026-04-01').runTo('2026-05-01');
    expect(one.payments).toHaveLength(12);
    one.answer('2026-05-01T10:00', 'period/0', 'yes').runTo('2026-05-01T10:00');
    expect(one.payments).toHaveLength(13);
  });
});
