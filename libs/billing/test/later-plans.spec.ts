import { ChangingScenario } from './changing-scenario.js';
import type { ScenarioFixture } from './fixture.js';

const FEE = { setup_fee: 5 };
const PLANS = {
  fee: { price: 60, ...FEE },
  second: { price: 90, setup_fee: 7 },
  plain: { price: 60 },
  arrears: { price: 60, prepay: false, ...FEE },
  short: { price: 60, trial_days: 7 },
  untried: { price: 60, trial_days: 0 },
  long: { price: 60, trial_days: 60 },
} as const;

function started(fixture: ScenarioFixture = {}): ChangingScenario {
  return new ChangingScenario({ plans: PLANS, ...fixture }).start('2026-04-01').runTo('2026-04-01');
}

describe('the setup fee of a later plan, where no plan before had one', () => {
  it('joins the charge of the change, once', () => {
    const one = started().changePlan('2026-04-16', { plan: 'fee' }).runTo('2026-04-16');
    one.changePlan('2026-04-20', { plan: 'second' }).runTo('2026-05-01');
    expect(one.lines.slice(1)).toEqual([
      '2026-04-01 charge period/0 30.00 yes',
      '2026-04-16 charge proration/0-1 20.00 yes',
      '2026-04-20 charge proration/0-2 11.00 yes',
      '2026-05-01 charge period/1 90.00 yes',
    ]);
  });

  it('is a part of the payment that a change waits for, and not charged again', () => {
    const one = started().changePlan('2026-04-16', { plan: 'fee' }, { collect: 'first', set_by: 'USER' });
    one.runTo('2026-05-01');
    expect(one.net).toBe(30 + 20 + 60);
  });

  it('is asked for first by itself, where nothing else is to be paid, or less is given back', () => {
    const FIRST = { collect: 'first', set_by: 'USER' } as const;
    const changed = (price: number): ChangingScenario =>
      started({ price }).changePlan('2026-04-16', { plan: 'fee' }, FIRST).runTo('2026-04-16');
    expect(changed(60).lines.slice(2)).toEqual(['2026-04-16 charge proration/change-1 5.00 yes']);
    const less = changed(64);
    expect(less.lines.at(2)).toBe('2026-04-16 charge proration/change-1 5.00 yes');
    expect(less.runTo('2026-05-01').net).toBe(64 + 5 + 60 - 2);
    expect(changed(90).lines.slice(2)).toEqual([
      '2026-04-16 credit period/0 15.00',
      '2026-04-16 charge setup/setup 5.00 yes',
    ]);
  });

  it('is charged at the end of the period in arrears', () => {
    const one = started({ plan: { prepay: false } }).changePlan('2026-04-16', { plan: 'arrears' });
    expect(one.runTo('2026-04-30').net).toBe(0);
    one.runTo('2026-06-01');
    expect(one.net).toBe(45 + 5 + 60);
  });

  it('is charged in trial and from the start of one to come', () => {
    const trial = started({ plan: { trial_days: 10 } }).changePlan('2026-04-05', { plan: 'fee' });
    expect(trial.runTo('2026-04-05').net).toBe(5);
    const future = new ChangingScenario({ plans: PLANS }).create('2026-03-01');
    future.start('2026-03-01', { starting_date: new Date('2026-04-01') });
    future.changePlan('2026-03-05', { plan: 'fee' });
    expect(future.runTo('2026-03-31').net).toBe(0);
    expect(future.runTo('2026-04-01').net).toBe(65);
  });

  it('is waived by an admin, of later plans too; one that was given up is not charged', () => {
    const waived = started()
      .changePlan('2026-04-16', { plan: 'fee' }, { waives_setup: true })
      .runTo('2026-04-16');
    waived.changePlan('2026-04-16', { plan: 'second' }).runTo('2026-04-16');
    expect(waived.net).toBe(30 + 15 + 15);
    const back = started({ plan: { prepay: false } }).changePlan('2026-04-16', { plan: 'arrears' });
    back.changePlan('2026-04-17', { plan: 'plain' });
    expect(back.it.setup_due).toBeNull();
  });
});

describe('a user who exchanges the plan in trial', () => {
  const tried = (): ChangingScenario => started({ plan: { trial_days: 30 } });

  it.each([
    ['has the trial of the new plan, counted from the start', 'short', '2026-04-05', '2026-04-08'],
    ['has none left where that has passed', 'short', '2026-04-20', '2026-04-20'],
    ['has none left where the new plan has none', 'untried', '2026-04-05', '2026-04-05'],
    ['has no longer one than before', 'long', '2026-04-05', '2026-05-01'],
  ] as const)('%s', (_, plan, at, end) => {
    const one = tried().changePlan(at, { plan }, { set_by: 'USER' }).runTo(at);
    const { trial_ending_date, in_trial } = one.it;
    expect([trial_ending_date?.toISOString().slice(0, 10), in_trial]).toEqual([end, end > at]);
    expect(one.runTo(end).net).toBe(60);
  });

  it('has no trial from the start where the new plan has none', () => {
    const one = new ChangingScenario({ plans: PLANS, plan: { trial_days: 30 } }).create('2026-03-01');
    one.start('2026-03-01', { starting_date: new Date('2026-04-01') });
    one.changePlan('2026-03-05', { plan: 'untried' }, { set_by: 'USER' });
    expect([one.it.trial_ending_date, one.runTo('2026-04-01').net]).toEqual([null, 60]);
  });

  it('keeps its date where the company exchanges it', () => {
    const one = tried().changePlan('2026-04-05', { plan: 'untried' }).runTo('2026-04-30');
    expect([one.it.in_trial, one.net]).toEqual([true, 0]);
  });
});
