import { isFault, type Fault } from '@commerce/kernel';
import { keptTerm } from '../src/domain/calendar/term.js';
import { Story } from './scenario.js';

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
    const story = new Story().create('2025-04-01', { interval_total: 3 });
    expect(story.it.interval_total).toBe(3);
    story.start('2025-04-01', { infinite: true });
    expect(story.it).toMatchObject({ infinite: true, interval_total: null, ending_date: null });
  });
});

describe('an action that is not possible now', () => {
  it.each([
    ['CREATED', () => new Story().create('2025-04-01').pause('2025-04-02'), ['start', 'stop']],
    ['ACTIVE', () => new Story().start('2025-04-01').start('2025-04-02'), ['stop', 'pause']],
    [
      'PAUSED',
      () => new Story().start('2025-04-01').pause('2025-04-02').pause('2025-04-03'),
      ['start', 'stop'],
    ],
    ['NON_RENEWING', () => new Story().start('2025-04-01').stop('2025-04-02').start('2025-04-03'), []],
    ['CANCELLED', () => new Story().create('2025-04-01').stop('2025-04-02').start('2025-04-03'), []],
  ])('is refused while %s with what is possible', (current, run, allowed) => {
    const { code, details } = refusal(run);
    expect({ code, details }).toEqual({ code: 'subscription.state_conflict', details: { current, allowed } });
  });

  it('lets a stop at a date be taken back only before that date', () => {
    const story = new Story().start('2025-04-01').runTo('2025-04-02').stop('2025-04-02', '2025-04-16');
    expect(refusal(() => story.stop('2025-04-03')).details['allowed']).toEqual(['start']);
    expect(refusal(() => story.start('2025-04-16')).details['allowed']).toEqual([]);
  });

  it('refuses another end for one that is ending', () => {
    const story = new Story().start('2025-04-01').stop('2025-04-02', '2025-04-16');
    expect(fieldOf(() => story.change('2025-04-03', { infinite: true }))).toBe('subscription.state_conflict');
  });

  it('refuses to stop a subscription that has reached its end', () => {
    const story = new Story().start('2025-04-01', { interval_total: 1 }).runTo('2025-04-02');
    expect(fieldOf(() => story.stop('2025-06-01'))).toBe('subscription.state_conflict');
  });
});

describe('a value that contradicts the past', () => {
  const running = () => new Story().start('2025-04-01').runTo('2025-05-10');

  it('is an ending_date in the past, or before the current period', () => {
    const ending = (text: string) => ({ ending_date: new Date(text) });
    expect(fieldOf(() => running().change('2025-05-11', ending('2025-05-11')))).toBe('ending_date');
    expect(fieldOf(() => running().change('2025-05-11', ending('2025-04-20')))).toBe('ending_date');
    const future = new Story().start('2025-04-01', { starting_date: may });
    expect(fieldOf(() => future.change('2025-04-02', ending('2025-04-20')))).toBe('ending_date');
    expect(running().change('2025-05-11', ending('2025-05-12')).it.ending_date).toEqual(
      new Date('2025-05-12'),
    );
  });

  it('is an interval_total that is not above the intervals billed', () => {
    expect(fieldOf(() => running().change('2025-05-11', { interval_total: 2 }))).toBe('interval_total');
    expect(running().change('2025-05-11', { interval_total: 3 }).it.interval_total).toBe(3);
    const arrears = new Story({ plan: { prepay: false } }).start('2025-04-01').runTo('2025-05-10');
    expect(fieldOf(() => arrears.change('2025-05-11', { interval_total: 1 }))).toBe('interval_total');
    expect(arrears.change('2025-05-11', { interval_total: 2 }).it.interval_total).toBe(2);
  });

  it('is an ending_date that is not after the start', () => {
    const story = () => new Story().create('2025-04-01');
    expect(fieldOf(() => story().start('2025-04-01', { starting_date: may, ending_date: may }))).toBe(
      'ending_date',
    );
    expect(fieldOf(() => new Story().create('2025-04-01', { ending_date: new Date('2025-03-01') }))).toBe(
      'ending_date',
    );
  });

  it('is a stop in the past, or after the existing end', () => {
    expect(fieldOf(() => running().stop('2025-05-11', '2025-05-10'))).toBe('ending_date');
    const ends = new Story().start('2025-04-01', { interval_total: 1 }).runTo('2025-04-02');
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
    const story = new Story({ plan: { prepay: false } }).start('2025-04-01').runTo('2025-04-05');
    story.change('2025-04-05', { ending_date: new Date('2025-04-16') });
    expect(story.it).toMatchObject({
      current_billing_date_period_end: new Date('2025-04-16'),
      next_billing_date: new Date('2025-04-16'),
    });
    expect(story.runTo('2025-06-01').lines.slice(1)).toEqual([
      '2025-04-16 charge period/0 15.00 yes',
      '2025-04-16 COMPLETED',
    ]);
  });

  it('refunds nothing of a period that is already paid', () => {
    const story = new Story().start('2025-04-01').runTo('2025-04-05');
    story.change('2025-04-05', { ending_date: new Date('2025-04-16') }).runTo('2025-06-01');
    expect(story.lines.slice(1)).toEqual(['2025-04-01 charge period/0 30.00 yes', '2025-04-16 COMPLETED']);
  });

  it('that changes nothing sends no event', () => {
    const story = new Story().start('2025-04-01', { interval_total: 3 }).runTo('2025-04-05');
    const before = story.it;
    story.change('2025-04-06', { interval_total: 3 });
    expect(story.it).toEqual(before);
  });
});
