import { ChangingScenario } from './changing-scenario.js';
import type { ScenarioFixture } from './fixture.js';

const april = (fixture: ScenarioFixture = {}): ChangingScenario =>
  new ChangingScenario({
    plans: { double: { price: 60 }, dear: { price: 3000 }, half: { price: 15 } },
    ...fixture,
  })
    .start('2026-04-01')
    .runTo('2026-04-01');

describe('the day in which a pause begins or ends', () => {
  it.each([true, false])('is paid for; prepay %s', (prepay) => {
    const one = april({ plan: { prepay } }).pause('2026-04-11T10:00').runTo('2026-04-11T10:00');
    one.start('2026-04-21T10:00').runTo('2026-04-21T10:00');
    expect(one.runTo(prepay ? '2026-04-30' : '2026-05-01').net).toBe(21);
  });

  it('is paid for once where both are in it', () => {
    const one = april().pause('2026-04-11T10:00').runTo('2026-04-11T10:00');
    expect(one.start('2026-04-11T20:00').runTo('2026-04-30').net).toBe(30);
  });

  it('is nothing to gain: a pause of three seconds every night costs the whole month', () => {
    const one = april();
    const day = (date: number): string => `2026-04-${String(date).padStart(2, '0')}`;
    for (let date = 1; date < 30; date += 1) {
      one.pause(`${day(date)}T23:59:58`).runTo(`${day(date)}T23:59:58`);
      one.start(`${day(date + 1)}T00:00:01`).runTo(`${day(date + 1)}T00:00:01`);
    }
    expect(one.runTo('2026-04-30').net).toBe(30);
  });

  it('is paid for in the period that a pause of an earlier one ends in', () => {
    const one = april().pause('2026-04-11').runTo('2026-04-11').start('2026-05-21T10:00');
    // 10 days of April, and 11 of the 31 days of May.
    expect(one.runTo('2026-05-31').net).toBe(20.65);
  });

  it('is paid for once where a change follows', () => {
    const one = april()
      .pause('2026-04-11')
      .runTo('2026-04-11')
      .start('2026-04-21T10:00')
      .runTo('2026-04-21T10:00');
    expect(one.changePlan('2026-04-21T12:00', { plan: 'double' }).runTo('2026-04-30').net).toBe(30);
  });
});

describe('the day in which a change begins', () => {
  const changed = (fixture: ScenarioFixture, ...steps: readonly (readonly [string, string])[]): number => {
    const one = april(fixture);
    for (const [time, plan] of steps) {
      const at = `2026-04-16T${time}`;
      one.runTo(at).changePlan(at, { plan }).runTo(at);
    }
    return one.runTo(fixture.plan?.prepay === false ? '2026-05-01' : '2026-04-30').net;
  };

  it.each([true, false])('is paid at the dearer price; prepay %s', (prepay) => {
    const plan = { prepay };
    const plans = {
      double: { price: 60, prepay },
      dear: { price: 3000, prepay },
      half: { price: 15, prepay },
    };
    expect(changed({ plan, plans }, ['13:00', 'double'])).toBe(45);
    // 16 days of 2.00, and 14 of 0.50.
    expect(changed({ plan, plans, price: 60 }, ['13:00', 'half'])).toBe(39);
    expect(changed({ plan, plans }, ['00:00', 'double'])).toBe(45);
    expect(changed({ plan, plans }, ['00:00:01', 'dear'], ['23:59:59', 'first'])).toBe(129);
    expect(
      changed({ plan, plans }, ['01:00', 'double'], ['02:00', 'half'], ['03:00', 'dear'], ['04:00', 'first']),
    ).toBe(129);
    expect(changed({ plan, plans }, ['13:00', 'double'], ['13:00', 'first'])).toBe(30);
    expect(
      changed({ plan, plans }, ['13:00', 'dear'], ['14:00', 'first'], ['15:00', 'dear'], ['16:00', 'first']),
    ).toBe(129);
  });
});
