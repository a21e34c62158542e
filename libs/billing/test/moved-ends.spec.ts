import { Scenario } from './scenario.js';
import type { ScenarioPlan } from './fixture.js';

const begun = (plan: Partial<ScenarioPlan> = {}, ends?: string): Scenario =>
  new Scenario({ plan }).start('2026-04-01', ends === undefined ? {} : { ending_date: new Date(ends) });
const ending = (date: string) => ({ ending_date: new Date(date) });

describe('an end that is put off before a stop', () => {
  it('charges the days up to the stop, though only one was charged in advance', () => {
    const one = begun({}, '2026-04-02').runTo('2026-04-01');
    one.change('2026-04-01T12:00', { infinite: true }).stop('2026-04-01T13:00', '2026-04-30');
    expect(one.it.prorate_amount).toBe(-1);
    expect(one.runTo('2026-05-01').lines).toEqual([
      '2026-04-01 ACTIVE',
      '2026-04-01 charge period/0 1.00 yes',
      '2026-04-01T13:00 NON_RENEWING',
      '2026-04-02 charge proration/0-1 28.00 yes',
      '2026-05-01 CANCELLED',
    ]);
    expect(one.net).toBe(29);
  });

  it('charges a year, and gives back its days after the stop', () => {
    const annual = { interval_unit: 'ANNUAL', billing_interval: 'ANNUAL' } as const;
    const one = new Scenario({ plan: annual, price: 365 }).start('2026-01-01', ending('2026-01-02'));
    one
      .runTo('2026-01-01')
      .change('2026-01-01T12:00', { infinite: true })
      .stop('2026-01-01T13:00', '2026-12-31');
    expect(one.runTo('2027-01-01').net).toBe(364);
  });

  it('charges nothing for a stop within the part that was charged', () => {
    const one = begun({}, '2026-04-11').runTo('2026-04-01');
    one.change('2026-04-02', { infinite: true }).stop('2026-04-03', '2026-04-06');
    expect(one.runTo('2026-05-01').net).toBe(5);
  });
});

describe('a stop after a pause and a moved end, in arrears', () => {
  const arrears = { prepay: false };

  it('is charged what held', () => {
    const one = begun(arrears)
      .pause('2026-04-02')
      .runTo('2026-04-02')
      .start('2026-04-03')
      .runTo('2026-04-03');
    one.change('2026-04-04', ending('2026-04-29')).stop('2026-04-05', '2026-04-20').runTo('2026-05-02');
    expect(one.lines.filter((line) => line.includes('charge'))).toEqual([
      '2026-04-02 charge period/0 1.00 yes',
      '2026-04-29 charge proration/0-1 17.00 yes',
    ]);
    expect(one.it.status).toBe('CANCELLED');
  });

  it('is never charged less than nothing', () => {
    const one = begun(arrears)
      .pause('2026-04-11')
      .runTo('2026-04-11')
      .start('2026-04-13')
      .runTo('2026-04-13');
    one.change('2026-04-14', ending('2026-04-20')).stop('2026-04-14', '2026-04-15').runTo('2026-05-02');
    expect([one.net, one.it.status]).toEqual([12, 'CANCELLED']);
  });
});
