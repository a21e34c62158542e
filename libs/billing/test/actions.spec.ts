import { isFault, type Fault } from '@commerce/kernel';
import { keptTerm } from '../src/domain/calendar/term.js';
import { Scenario } from './scenario.js';

const NONE = { infinite: false, ending_date: null, interval_total: null } as const;
const may = new Date('2025-05-01');

function refusal(run: () => unknown): Fault {
  try {
    run();
  } catch (error) {
    if (isFault(error)) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

function fieldOf(run: () => unknown): string | undefined {
  const { code, details } = refusal(run);
  return code === 'value.invalid' ? details.errors?.[0]?.path : code;
}

describe('the term of a subscription', () => {
  it('keeps infinite, else ending_date, else interval_total, and nulls the others', () => {
    const all = { infinite: true, ending_date: may, interval_total: 3 };
    expect(keptTerm(NONE, all)).toEqual({ infinite: true, ending_date: null, interval_total: null });
    expect(keptTerm(NONE, { ...all, infinite: false })).toEqual({ ...NONE, ending_date: may });
    expect(keptTerm(NONE, { interval_total: 3 })).toEqual({ ...NONE, interval_total: 3 });
  });

  it('is the one that the request names, with any previous term', () => {
    expect(keptTerm({ ...NONE, infinite: true }, { interval_total: 3 })).toEqual({
      ...NONE,
      interval_total: 3,
    });
    expect(keptTerm({ ...NONE, interval_total: 3 }, { ending_date: may })).toEqual({
      ...NONE,
      ending_date: may,
    });
    expect(keptTerm({ ...NONE, ending_date: may }, { ending_date: null })).toEqual(NONE);
    expect(keptTerm({ ...NONE, ending_date: may }, {})).toEqual({ ...NONE, ending_date: may });
  });

  it('is stored at creation and may be named again at the start', () => {
    const scenario = new Scenario().create('2025-04-01', { interval_total: 3 });
    expect(scenario.it.interval_total).toBe(3);
    scenario.start('2025-04-01', { infinite: true });
    expect(scenario.it).toMatchObject({ infinite: true, interval_total: null, ending_date: null });
  });
});

describe('an action that is not possible now', () => {
  it.each([
    ['CREATED', () => new Scenario().create('2025-04-01').pause('2025-04-02'), ['start', 'stop']],
    ['ACTIVE', () => new Scenario().start('2025-04-01').start('2025-04-02'), ['stop', 'pause']],
    [
      'PAUSED',
      () => new Scenario().start('2025-04-01').pause('2025-04-02').pause('2025-04-03'),
      ['start', 'stop'],
    ],
    ['NON_RENEWING', () => new Scenario().start('2025-04-01').stop('2025-04-02').start('2025-04-03'), []],
    ['CANCELLED', () => new Scenario().create('2025-04-01').stop('2025-04-02').start('2025-04-03'), []],
  ])('is refused while %s with what is possible', (current, run, allowed) => {
    const { code, details } = refusal(run);
    expect({ code, details }).toEqual({ code: 'subscription.state_conflict', details: { current, allowed } });
  });

  it('lets a stop at a date be taken back only before that date', () => {
    const scenario = new Scenario().start('2025-04-01').runTo('2025-04-02').stop('2025-04-02', '2025-04-16');
    expect(refusal(() => scenario.stop('2025-04-03')).details['allowed']).toEqual(['start']);
    expect(refusal(() => scenario.start('2025-04-16')).details['allowed']).toEqual([]);
  });

  it('refuses another end for one that is ending', () => {
    const scenario = new Scenario().start('2025-04-01').stop('2025-04-02', '2025-04-16');
    expect(fieldOf(() => scenario.change('2025-04-03', { infinite: true }))).toBe(
      'subscription.state_conflict',
    );
  });

  it('refuses to stop a subscription that has reached its end', () => {
    const scenario = new Scenario().start('2025-04-01', { interval_total: 1 }).runTo('2025-04-02');
    expect(fieldOf(() => scenario.stop('2025-06-01'))).toBe('subscription.state_conflict');
  });
});

describe('a value that contradicts the past', () => {
  const running = () => new Scenario().start('2025-04-01').runTo('2025-05-10');

  it('is an ending_date in the past, or before the current period', () => {
    const ending = (text: string) => ({ ending_date: new Date(text) });
    expect(fieldOf(() => running().change('2025-05-11', ending('2025-05-11')))).toBe('ending_date');
    expect(fieldOf(() => running().change('2025-05-11', ending('2025-04-20')))).toBe('ending_date');
    const future = new Scenario().start('2025-04-01', { starting_date: may });
    expect(fieldOf(() => future.change('2025-04-02', ending('2025-04-20')))).toBe('ending_date');
    expect(running().change('2025-05-11', ending('2025-05-12')).it.ending_date).toEqual(
      new Date('2025-05-12'),
    );
  });

  it('is an interval_total that is not above the intervals billed', () => {
    expect(fieldOf(() => running().change('2025-05-11', { interval_total: 2 }))).toBe('interval_total');
    expect(running().change('2025-05-11', { interval_total: 3 }).it.interval_total).toBe(3);
    const arrears = new Scenario({ plan: { prepay: false } }).start('2025-04-01').runTo('2025-05-10');
    expect(fieldOf(() => arrears.change('2025-05-11', { interval_total: 1 }))).toBe('interval_total');
    expect(arrears.change('2025-05-11', { interval_total: 2 }).it.interval_total).toBe(2);
  });

  it('is an ending_date that is not after the start', () => {
    const scenario = () => new Scenario().create('2025-04-01');
    expect(fieldOf(() => scenario().start('2025-04-01', { starting_date: may, ending_date: may }))).toBe(
      'ending_date',
    );
    expect(fieldOf(() => new Scenario().create('2025-04-01', { ending_date: new Date('2025-03-01') }))).toBe(
      'ending_date',
    );
  });

  it('is a stop in the past, or after the existing end', () => {
    expect(fieldOf(() => running().stop('2025-05-11', '2025-05-10'))).toBe('ending_date');
    const ends = new Scenario().start('2025-04-01', { interval_total: 1 }).runTo('2025-04-02');
    expect(fieldOf(() => ends.stop('2025-04-03', '2025-05-02'))).toBe('ending_date');
  });

  it('is a resume_at that has passed, and a starting_date after the first start', () => {
    expect(fieldOf(() => running().pause('2025-05-11', '2025-05-11'))).toBe('resume_at');
    const paused = running().pause('2025-05-11');
    expect(fieldOf(() => paused.start('2025-05-12', { starting_date: may }))).toBe('starting_date');
  });
});

describe('PUT of a term', () => {
  it('moves the end of a period that is billed when it ends', () => {
    const scenario = new Scenario({ plan: { prepay: false } }).start('2025-04-01').runTo('2025-04-05');
    scenario.change('2025-04-05', { ending_date: new Date('2025-04-16') });
    expect(scenario.it).toMatchObject({
      current_billing_date_period_end: new Date('2025-04-16'),
      next_billing_date: new Date('2025-04-16'),
    });
    expect(scenario.runTo('2025-06-01').lines.slice(1)).toEqual([
      '2025-04-16 charge period/0 15.00 yes',
      '2025-04-16 COMPLETED',
    ]);
  });

  it('gives back what follows it of a period that is already paid', () => {
    const scenario = new Scenario().start('2025-04-01').runTo('2025-04-05');
    scenario.change('2025-04-05', { ending_date: new Date('2025-04-16') }).runTo('2025-06-01');
    expect(scenario.lines.slice(1)).toEqual([
      '2025-04-01 charge period/0 30.00 yes',
      '2025-04-16 refund period/0 15.00',
      '2025-04-16 COMPLETED',
    ]);
  });

  it('that changes nothing sends no event', () => {
    const scenario = new Scenario().start('2025-04-01', { interval_total: 3 }).runTo('2025-04-05');
    const before = scenario.it;
    scenario.change('2025-04-06', { interval_total: 3 });
    expect(scenario.it).toEqual(before);
  });
});
