import { cost, totalMinor } from '../src/domain/lines/cost.js';
import { LinePlay } from './line-fixture.js';

const PRICES = { 30: 30, 60: 60, 300: 300, 3000: 3000, whole: { whole: 600, whole_only: true } } as const;
const SECOND = { mode: 'second' } as const;
const THIRTY = { mode: 'thirty' } as const;

const play = (more: ConstructorParameters<typeof LinePlay>[1] = {}) => new LinePlay(PRICES, more);

describe('the cost of a period by days', () => {
  it('gives the day of a change to the dearer terms', () => {
    expect(play().begin('30').change('16 13:00', '60').finish().cost).toBe(45);
    expect(play().begin('60').change('16 13:00', '30').finish().cost).toBe(46);
    expect(play().begin('30').change('16', '60').finish().cost).toBe(45);
    expect(play().begin('60').change('16', '30').finish().cost).toBe(45);
  });

  it('gives a day in which a pause begins or ends to the terms', () => {
    expect(play().begin('30').pause('11 10:00').resume('21 10:00', '30').finish().cost).toBe(21);
    expect(play().begin('30').pause('11').resume('21', '30').finish().cost).toBe(20);
  });

  it('costs the whole month where each pause is within two days that have begun', () => {
    const nightly = play().begin('30');
    for (let day = 1; day < 30; day += 1) {
      nightly.pause(`${day} 23:59:58`).resume(`${day + 1} 00:00:01`, '30');
    }
    expect(nightly.finish()).toMatchObject({ cost: 30, booked: 30 });
  });

  it('charges a day of the dear terms that held within it', () => {
    const dear = play().begin('30').change('16 00:00:01', '3000').change('16 23:59:59', '30').finish();
    expect(dear).toMatchObject({ cost: 129, booked: 129 });
  });

  it('ends within a day that counts', () => {
    expect(play().begin('30', '16').cost).toBe(15);
    expect(play().begin('30', '16 00:00:01').cost).toBe(16);
    expect(play().begin('30', '2').cost).toBe(1);
  });
});

describe('the cost of a period by other measures', () => {
  it('is by time', () => {
    const half = play({ counting: SECOND }).begin('30').change('16 12:00', '60').finish();
    expect(half.cost).toBe(44.5);
    expect(play({ counting: SECOND }).begin('30').pause('11 12:00').resume('21', '30').finish().cost).toBe(
      20.5,
    );
  });

  it('is by days of a table', () => {
    const march = { start: '2025-03-01', end: '2025-04-01' };
    const of = (counting: object) => new LinePlay({ a: 31, b: 62 }, { ...march, counting });
    expect(of({}).begin('a').change('2025-03-31', 'b').cost).toBe(32);
    // The 30th and the 31st are one day of the table, which has thirty.
    expect(of(THIRTY).begin('a').change('2025-03-31', 'b').cost).toBe(32.04);
    expect(of(THIRTY).begin('a').change('2025-03-30', 'b').change('2025-03-31', 'a').cost).toBe(32.04);
    expect(of(THIRTY).begin('a').change('2025-03-16', 'b').cost).toBe(46.5);
  });

  it('stops in March in Berlin as D5 has it', () => {
    const march = { start: '2025-02-28T23:00:00', end: '2025-03-31T22:00:00' };
    const of = (mode: 'day' | 'second') =>
      new LinePlay({ a: 29.99 }, { ...march, counting: { mode, timezone: 'Europe/Berlin' } });
    const stopped = (mode: 'day' | 'second') =>
      of(mode).begin('a').endAt('2025-03-05', '2025-03-10T23:00:00').finish();
    expect(stopped('day').bills).toEqual(['02-28 29.99', '03-31 -20.32']);
    expect(stopped('second').bills).toEqual(['02-28 29.99', '03-31 -20.30']);
  });

  it('gives back halves rounded away from zero', () => {
    const half = new LinePlay({ a: 0.05 }).begin('a').endAt('2', '16').finish();
    expect(half.bills).toEqual(['04-01 0.05', '05-01 -0.03']);
    expect(new LinePlay({ a: 5 }, { currency: 'JPY' }).begin('a').endAt('2', '16').finish().booked).toBe(2);
  });

  it('is the whole price of the dearest where one of the terms is not prorated', () => {
    const changed = play().begin('60').change('16', 'whole').change('20', '60').finish();
    expect(changed.bills).toEqual(['04-01 60.00', '04-16 540.00']);
    expect(play().begin('whole').pause('2').finish().booked).toBe(600);
    expect(
      new LinePlay({ ...PRICES, low: { whole: 10, whole_only: true } }).begin('60').change('9', 'low').cost,
    ).toBe(60);
  });
});

describe('the bills of a period', () => {
  it('charges a change the difference', () => {
    expect(play().begin('30').change('16', '60').finish().bills).toEqual(['04-01 30.00', '04-16 15.00']);
    expect(play().begin('60').change('16', '30').finish().bills).toEqual(['04-01 60.00', '04-16 -15.00']);
    const arrears = play({ timing: 'arrears' }).begin('30').change('16', '60').finish();
    expect(arrears.bills).toEqual(['05-01 45.00']);
  });

  it('charges seats', () => {
    const seats = new LinePlay({ three: 30, five: 50 }).begin('three').change('16', 'five').finish();
    expect(seats.bills).toEqual(['04-01 30.00', '04-16 10.00']);
  });

  it('moves no money for a change there and back at one instant', () => {
    const there = play().begin('30').runTo('2');
    there.change('16', '60').change('16', '30').finish();
    expect(there.booked).toBe(30);
    expect(there.spans).toHaveLength(1);
  });

  it('takes a pause and a resume at their own dates in advance', () => {
    const paused = play().begin('30').pause('11').resume('21', '30').finish();
    expect(paused.bills).toEqual(['04-01 30.00', '04-11 -20.00', '04-21 10.00']);
  });

  it('takes a pause at once and the rest at the end in arrears', () => {
    const paused = play({ timing: 'arrears' }).begin('30').pause('11').resume('21', '30').finish();
    expect(paused.bills).toEqual(['04-11 10.00', '05-01 10.00']);
  });

  it('settles a stop at the end of the period', () => {
    expect(play().begin('30').endAt('10', '16').finish().bills).toEqual(['04-01 30.00', '05-01 -15.00']);
    const arrears = play({ timing: 'arrears' }).begin('30').endAt('10', '16').finish();
    expect(arrears.bills).toEqual(['05-01 15.00']);
  });
});

describe('the orders that went wrong', () => {
  it('charges a month whose end was put off after its first day, up to a later stop', () => {
    const prolonged = play().begin('30', '2').endAt('1 12:00', null).endAt('1 13:00', '30').finish();
    expect(prolonged.bills).toEqual(['04-01 1.00', '04-02 28.00']);
    const late = play().begin('30', '2').endAt('1 12:00', null).endAt('20', '30').finish();
    expect(late.bills).toEqual(['04-01 1.00', '04-02 29.00', '05-01 -1.00']);
  });

  it('charges a year that began with an end on its second day', () => {
    const year = {
      start: '2025-01-01',
      end: '2026-01-01',
      counting: { interval: { unit: 'ANNUAL', count: 1 } },
    } as const;
    const annual = new LinePlay({ a: 365 }, year)
      .begin('a', '2025-01-02')
      .endAt('2025-01-01T12:00:00', null)
      .finish();
    expect(annual.bills).toEqual(['01-01 1.00', '01-02 364.00']);
  });

  it('charges what holds between a pause, a moved end and a stop', () => {
    const early = play({ timing: 'arrears' }).begin('30').pause('2').resume('3', '30');
    early.endAt('4', '29').endAt('5', '20').finish();
    expect(early.bills).toEqual(['04-02 1.00', '05-01 17.00']);
    const late = play({ timing: 'arrears' }).begin('30').pause('11').resume('13', '30');
    late.endAt('14', '20').endAt('14', '15').finish();
    expect(late.bills).toEqual(['04-11 10.00', '05-01 2.00']);
  });

  it('charges eight days after a resume that has an end', () => {
    const resumed = play().begin('30').pause('10');
    resumed.endAt('10', '20').resume('12', '30').finish();
    expect(resumed.bills).toEqual(['04-01 30.00', '04-10 -21.00', '04-12 8.00']);
  });

  it('charges the days between an end that was put off and a change after it', () => {
    const changed = play().begin('30', '11').endAt('5', null).change('21', '60').finish();
    expect(changed.bills).toEqual(['04-01 10.00', '04-11 20.00', '04-21 10.00']);
    expect(changed.cost).toBe(40);
  });

  it('charges an end put off and forward again what held', () => {
    const moved = play().begin('30', '11').endAt('5', '21').endAt('6', '11').endAt('7', '26').finish();
    expect(moved).toMatchObject({ cost: 25, booked: 25 });
  });
});

describe('a day that two calendars share', () => {
  it('is of the one that does not yield it', () => {
    const period = (yields: readonly Date[]) => {
      const april = play().begin('30', '16 13:00');
      return { ...april.period, yields, basis: april.basis };
    };
    const at = [new Date('2025-04-16T13:00Z')];
    const costOf = ({ basis, ...held }: ReturnType<typeof period>) => totalMinor(cost(held, basis));
    expect(costOf(period([]))).toBe(1600);
    expect(costOf(period(at))).toBe(1500);
    expect(costOf({ ...period([new Date('2025-04-01')]) })).toBe(1500);
  });
});
