import { ChangingScenario } from './changing-scenario.js';
import type { ScenarioFixture } from './fixture.js';

function scenario(fixture: ScenarioFixture = {}): ChangingScenario {
  return new ChangingScenario({ plans: { double: { price: 60 } }, ...fixture });
}

describe('a change at the instant at which a period begins', () => {
  it('replaces the price of the whole period, at any hour', () => {
    const one = scenario().start('2026-04-01T10:00').runTo('2026-04-01T10:00');
    one.changePlan('2026-04-01T10:00', { plan: 'double' }).runTo('2026-04-01T10:00');
    expect(one.lines.slice(1)).toEqual([
      '2026-04-01T10:00 charge period/0 30.00 yes',
      '2026-04-01T10:00 charge proration/0-1 30.00 yes',
    ]);
  });

  it('costs the same before and after the period is charged, prorated or not', () => {
    const [charged, due] = [true, false].map((isCharged) => {
      const one = scenario({ plan: { is_prorated: false } }).start('2026-04-01');
      if (isCharged) one.runTo('2026-04-01');
      return one.changePlan('2026-04-01', { plan: 'double' }).runTo('2026-05-01').net;
    });
    expect([charged, due]).toEqual([120, 120]);
  });

  it('moves no money there and back', () => {
    const one = scenario({ plans: { fixed: { price: 60, is_prorated: false } } });
    one.start('2026-04-01').runTo('2026-04-01').changePlan('2026-04-01', { plan: 'fixed' });
    expect(one.changePlan('2026-04-01', { plan: 'first' }).runTo('2026-04-30').net).toBe(30);
  });
});

describe('a change at the instant at which a pause began and ended', () => {
  const after = (reanchor: boolean): number =>
    // Two hours after midnight in Berlin: the day of the pause has begun.
    scenario({ plan: { prepay: false }, settings: { timezone: 'Europe/Berlin' } })
      .start('2026-04-01')
      .pause('2026-04-01')
      .start('2026-04-01', { reanchor })
      .changePlan('2026-04-01', { plan: 'double' })
      .runTo('2026-05-01').net;

  it('replaces the period that goes on', () => {
    expect(after(false)).toBe(60);
  });

  it('costs nothing before a new calendar', () => {
    expect(after(true)).toBe(60);
  });
});

describe('a change before the setup fee has been charged', () => {
  it('is refused, so that the fee of the new plan is never charged', () => {
    const one = scenario({ plan: { setup_fee: 10 }, plans: { double: { price: 60, setup_fee: 50 } } });
    one.start('2026-04-01');
    const change = (): ChangingScenario => one.changePlan('2026-04-01', { plan: 'double' });
    expect(change).toThrow('Earlier periods are still being charged; try again');
    one.runTo('2026-04-01');
    expect(change().runTo('2026-04-01').lines.slice(1)).toEqual([
      '2026-04-01 charge period/0 40.00 yes',
      '2026-04-01 charge proration/0-1 30.00 yes',
    ]);
  });
});

describe('a part between two changes', () => {
  it('is rounded once', () => {
    const one = scenario({ plan: { prepay: false } }).start('2026-05-01');
    one.changePlan('2026-05-15', { plan: 'double' }).changePlan('2026-05-16', { plan: 'first' });
    // 14 days of 30.00, one of 60.00 and 16 of 30.00, of 31: 13.55 + 1.94 + 15.48.
    expect(one.runTo('2026-06-01').net).toBe(30.97);
    const prepaid = scenario().start('2026-05-01').runTo('2026-05-01');
    prepaid.changePlan('2026-05-15', { plan: 'double' }).runTo('2026-05-15');
    expect(prepaid.changePlan('2026-05-16', { plan: 'first' }).runTo('2026-05-31').net).toBe(30.97);
  });
});

describe('the preview of a change', () => {
  it('asks for the difference, whatever a person has given back', () => {
    const one = scenario().start('2026-04-01').runTo('2026-04-01').giveBack('period/0', 25);
    const change = ['2026-04-16', { plan: 'double' }] as const;
    expect(one.previewChange(...change).map(({ amount }) => amount)[0]).toBe(15);
    expect(
      one
        .changePlan(...change)
        .runTo('2026-04-16')
        .lines.at(-1),
    ).toBe('2026-04-16 charge proration/0-1 15.00 yes');
  });
});

describe('a change at a date to the terms that hold by then', () => {
  it('divides no period', () => {
    const one = scenario({ plan: { prepay: false } }).start('2026-04-01');
    one.changePlan('2026-04-01', { plan: 'first' }, { at: new Date('2026-04-08') }).runTo('2026-05-01');
    expect(one.it.pending_change).toBeNull();
    expect(one.lines.at(-1)).toBe('2026-05-01 charge period/0 30.00 yes');
  });
});

describe('a change that costs something and is collected first', () => {
  const first = { collect: 'first' } as const;
  it('is never done unpaid while another payment is open', () => {
    const retrying = scenario({ plan: { should_retry_payments: true } });
    retrying.script = ['soft'];
    retrying.start('2026-04-01').runTo('2026-04-01');
    expect(() => retrying.changePlan('2026-04-01T01:00', { quantity: 50 }, first)).toThrow(/another payment/);
  });
});
