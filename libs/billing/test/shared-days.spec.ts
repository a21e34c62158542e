import { ChangingScenario } from './changing-scenario.js';

describe('the day in which a new calendar begins', () => {
  it('is paid at the price of that day, whatever holds later in either calendar', () => {
    const one = new ChangingScenario({
      price: 31,
      plan: { prepay: false },
      plans: { free: { price: 0 }, dear: { price: 310 } },
    });
    one.start('2024-01-01').pause('2024-01-01T01:00').runTo('2024-01-01T01:00');
    one.changePlan('2024-01-01T01:00', { plan: 'free' }).start('2024-01-01T01:00', { reanchor: true });
    one.changePlan('2024-01-07', { plan: 'dear' }).runTo('2024-02-02');
    // 1 January at 1.00, five days free, and 25 days at 10.00.
    expect(one.net).toBe(251);
  });

  // The service decides once which calendar has the day, and keeps to it where what held in the day changes later.
  it.failing('is paid where a pause follows at the same instant', () => {
    const one = new ChangingScenario().start('2025-01-21').runTo('2025-01-29T01:00');
    one.pause('2025-01-29T01:00').runTo('2025-01-29T01:00');
    one.start('2025-01-29T01:00', { reanchor: true }).runTo('2025-01-29T01:00');
    one.pause('2025-01-29T01:00').runTo('2025-01-29T01:00');
    // Nine of 31 days.
    expect(one.net).toBe(8.71);
  });
});

describe('an end within a day, by the second', () => {
  // An end of the subscription is counted by days, a stop at the same date by time.
  it.failing('costs what a stop there costs', () => {
    const by = { plan: { prepay: false }, settings: { proration_mode: 'second' } } as const;
    const ended = new ChangingScenario(by).start('2025-04-01', {
      ending_date: new Date('2025-04-16T12:00Z'),
    });
    const stopped = new ChangingScenario(by).start('2025-04-01').stop('2025-04-02', '2025-04-16T12:00');
    expect(ended.runTo('2025-05-01').net).toBe(stopped.runTo('2025-05-01').net);
  });
});
