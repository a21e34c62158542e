import { ChangingScenario } from './changing-scenario.js';

/** 30.00 a month in advance from 1 April, of which a pause from 11 to 21 April gives 20.00 back and collects 10.00. */
function resumed(): ChangingScenario {
  const scenario = new ChangingScenario().start('2025-04-01').runTo('2025-04-11').pause('2025-04-11');
  return scenario.runTo('2025-04-20').start('2025-04-21').runTo('2025-04-22');
}

const REST = 'proration/0-1';

describe('the credit of a second pause, for five unused days', () => {
  const refunds = (scenario: ChangingScenario): string[] =>
    scenario.pause('2025-04-26').runTo('2025-05-31').lines.slice(6);

  it('comes from the newest payment', () => {
    expect(refunds(resumed())).toEqual(['2025-04-26 PAUSED', '2025-04-26 refund proration/0-1 5.00']);
  });

  it('comes from the payment before where a person has given the newest back', () => {
    const scenario = resumed().giveBack(REST, 10);
    expect(refunds(scenario)).toEqual(['2025-04-26 PAUSED', '2025-04-26 refund period/0 5.00']);
  });

  it('comes from both where a person has given part of the newest back', () => {
    expect(refunds(resumed().giveBack(REST, 7))).toEqual([
      '2025-04-26 PAUSED',
      '2025-04-26 refund proration/0-1 3.00',
      '2025-04-26 refund period/0 2.00',
    ]);
  });

  it('is nothing where a person has given both back, and the pause is settled', () => {
    const scenario = resumed().giveBack(REST, 10).giveBack('period/0', 10);
    expect(refunds(scenario)).toEqual(['2025-04-26 PAUSED']);
    expect(scenario.start('2025-06-01').runTo('2025-06-01').lines.at(-1)).toBe(
      '2025-06-01 charge period/2 30.00 yes',
    );
  });

  it('writes off debt before it asks any payment', () => {
    const scenario = new ChangingScenario().start('2025-04-01').runTo('2025-04-11').pause('2025-04-11');
    scenario.runTo('2025-04-20').script = ['hard'];
    scenario.start('2025-04-21').runTo('2025-04-22');
    expect(refunds(scenario)).toEqual(['2025-04-26 PAUSED']);
    expect(scenario.it.outstanding_amount).toBe(5);
  });
});

describe('the credit after a late success', () => {
  it('comes from the payment, which has paid the debt of the running period before older debt', () => {
    const scenario = new ChangingScenario().start('2025-04-01');
    scenario.script = ['hard', 'hard'];
    scenario
      .runTo('2025-05-02')
      .answer('2025-05-03', 'period/0', 'yes')
      .pause('2025-05-16')
      .runTo('2025-05-16');
    expect(scenario.lines.slice(-2)).toEqual(['2025-05-16 PAUSED', '2025-05-16 refund period/0 15.48']);
    expect(scenario.it.outstanding_amount).toBe(30);
  });
});

describe('the credit of a stop', () => {
  it('comes from the payments of its period at the end, whatever was given back by then', () => {
    const scenario = resumed().stop('2025-04-26').runTo('2025-04-27').giveBack(REST, 7).runTo('2025-05-01');
    expect(scenario.lines.slice(-3)).toEqual([
      '2025-05-01 refund proration/0-1 3.00',
      '2025-05-01 refund period/0 2.00',
      '2025-05-01 CANCELLED',
    ]);
  });
});

describe('the credit of a change', () => {
  it('comes from the same payments', () => {
    const scenario = new ChangingScenario({ plans: { free: { price: 0 } } }).start('2025-04-01');
    scenario
      .runTo('2025-04-11')
      .pause('2025-04-11')
      .runTo('2025-04-20')
      .start('2025-04-21')
      .runTo('2025-04-22');
    scenario.giveBack(REST, 7).changePlan('2025-04-26', { plan: 'free' }, { credit: 'refund' });
    expect(scenario.runTo('2025-04-26').lines.slice(-2)).toEqual([
      '2025-04-26 refund proration/0-1 3.00',
      '2025-04-26 refund period/0 2.00',
    ]);
  });
});

describe('the credit of a disputed payment', () => {
  const paid = (): ChangingScenario => {
    const plans = { dear: { price: 60 }, free: { price: 0 } };
    const scenario = new ChangingScenario({ plans }).start('2025-04-01').runTo('2025-04-15');
    scenario.disputed.add('period/0');
    return scenario;
  };

  it('is owed after a stop', () => {
    const scenario = paid().stop('2025-04-16').runTo('2025-05-01');
    expect(scenario.lines.slice(-2)).toEqual(['2025-05-01 owed period/0 15.00', '2025-05-01 CANCELLED']);
  });

  it('is owed after a pause', () => {
    expect(paid().pause('2025-04-16').runTo('2025-04-16').lines.at(-1)).toBe(
      '2025-04-16 owed period/0 15.00',
    );
  });

  it('is none where a change costs more: the difference is charged', () => {
    const lines = paid().changePlan('2025-04-16', { plan: 'dear' }).runTo('2025-04-16').lines;
    expect(lines.slice(-1)).toEqual(['2025-04-16 charge proration/0-1 15.00 yes']);
  });

  it('is owed after a change to a free plan', () => {
    const scenario = paid().changePlan('2025-04-16', { plan: 'free' }, { credit: 'refund' });
    expect(scenario.runTo('2025-04-16').lines.at(-1)).toBe('2025-04-16 owed period/0 15.00');
  });
});
