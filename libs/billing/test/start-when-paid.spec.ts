import { ChangingScenario } from './changing-scenario.js';

const created = (plan = {}): ChangingScenario => new ChangingScenario({ plan }).create('2026-04-01');

describe('a start that is paid first', () => {
  it('takes effect with the success of its first charge', () => {
    const one = created({ setup_fee: 10 }).startWhenPaid('2026-04-01');
    expect(one.lines).toEqual(['2026-04-01 charge period/start-1 40.00 yes', '2026-04-01 ACTIVE']);
    expect(one.runTo('2026-06-01').lines.slice(2)).toEqual([
      '2026-05-01 charge period/1 30.00 yes',
      '2026-06-01 charge period/2 30.00 yes',
    ]);
    expect(one.stop('2026-06-16').runTo('2026-07-01').lines.slice(-2)).toEqual([
      '2026-07-01 refund period/2 15.00',
      '2026-07-01 CANCELLED',
    ]);
  });

  it('has not begun where the card is refused, and may be asked for again', () => {
    const one = created();
    one.script = ['hard'];
    expect(one.startWhenPaid('2026-04-01').it).toMatchObject({
      status: 'CREATED',
      outstanding_amount: 0,
      due: null,
    });
    expect(one.startWhenPaid('2026-04-02').runTo('2026-05-02').lines.slice(1)).toEqual([
      '2026-04-02 charge period/start-2 30.00 yes',
      '2026-04-02 ACTIVE',
      '2026-05-02 charge period/1 30.00 yes',
    ]);
  });

  it('waits 23 hours for its customer', () => {
    const one = created();
    one.script = ['auth'];
    expect(one.startWhenPaid('2026-04-01').it).toMatchObject({
      status: 'CREATED',
      active: false,
      pending_start: { at: new Date('2026-04-01'), set_by: 'USER' },
      collection_state: 'OK',
    });
    expect(one.runTo('2026-04-02').lines.at(-1)).toBe(
      '2026-04-01T23:00 give up period/start-1: payment.not_authenticated',
    );
    expect(one.it).toMatchObject({ status: 'CREATED', pending_start: null, outstanding_amount: 0 });
  });

  it('begins as of the date of the quote', () => {
    const one = created();
    one.script = ['auth'];
    one.startWhenPaid('2026-04-01').answer('2026-04-01T20:00', 'period/start-1', 'yes');
    expect(one.it).toMatchObject({ status: 'ACTIVE', starting_date: new Date('2026-04-01') });
    expect(one.runTo('2026-05-01').lines.at(-1)).toBe('2026-05-01 charge period/1 30.00 yes');
    expect(one.stop('2026-05-11').runTo('2026-06-01').net).toBe(30 + 9.68);
  });

  it('ends with a stop, and gives back what still comes', () => {
    const one = created();
    one.script = ['auth'];
    one
      .startWhenPaid('2026-04-01')
      .stop('2026-04-01T10:00')
      .answer('2026-04-01T11:00', 'period/start-1', 'yes');
    expect(one.net).toBe(0);
    expect(one.it).toMatchObject({ status: 'CANCELLED', outstanding_amount: 0 });
  });

  it('charges the setup fee before a trial, and begins a trial without one at once', () => {
    const fee = created({ setup_fee: 10, trial_days: 7 });
    fee.script = ['auth'];
    expect(fee.startWhenPaid('2026-04-01').it.status).toBe('CREATED');
    fee.answer('2026-04-01T10:00', 'setup/start-1', 'yes').runTo('2026-04-08');
    expect(fee.lines).toEqual([
      '2026-04-01 charge setup/start-1 10.00 auth',
      '2026-04-01T10:00 ACTIVE',
      '2026-04-08 charge period/0 30.00 yes',
    ]);
    expect(created({ trial_days: 7 }).startWhenPaid('2026-04-01').it).toMatchObject({
      status: 'ACTIVE',
      in_trial: true,
    });
  });

  it('begins at once where nothing is due before the end of the period', () => {
    expect(created({ prepay: false }).startWhenPaid('2026-04-01').it.status).toBe('ACTIVE');
  });

  it('is for a start now only', () => {
    const later = new ChangingScenario().create('2026-04-01', { starting_date: new Date('2026-04-02') });
    expect(() => later.startWhenPaid('2026-04-01')).toThrow(/collect can be first only/);
  });
});
