import {
  ask,
  bookedMinor,
  collect,
  heldMinor,
  owedMinor,
  pay,
  received,
  type Books,
} from '../src/domain/lines/books.js';
import { credit } from '../src/domain/lines/credit.js';
import { keyOf, LinePlay } from './line-fixture.js';

const PRICES = { 30: 30 };
const [FIRST, SECOND, THIRD] = [keyOf(0), keyOf(1), keyOf(2)];

/** 30.00 in advance, paused on 11 April, resumed on the 21st; 20.00 given back, 10.00 charged. */
function resumed(isPaid = true): LinePlay {
  const line = new LinePlay(PRICES).begin('30').pause('11');
  line.resume('21', '30');
  if (!isPaid)
    line.books = line.books.map((one) => (one.payment.period_key === '0' ? one : { ...one, paid: 0 }));
  return line;
}

describe('the credit of a pause on 26 April', () => {
  const given = (line: LinePlay): string[] => {
    const before = new Map(line.given);
    line.pause('26');
    return [...line.given]
      .map(([period_key, minor]) => [period_key, minor - (before.get(period_key) ?? 0)] as const)
      .filter(([, minor]) => minor > 0)
      .map(([period_key, minor]) => `${period_key} ${(minor / 100).toFixed(2)}`);
  };

  it('comes from the newest payment', () => {
    expect(given(resumed())).toEqual(['0-1 5.00']);
  });

  it('comes from the older one where the newest was given back by hand', () => {
    expect(given(resumed().giveBack('0-1', 1000))).toEqual(['0 5.00']);
    expect(given(resumed().giveBack('0-1', 700))).toEqual(['0 2.00', '0-1 3.00']);
  });

  it('is nothing where all was given back by hand, and the books still come to the cost', () => {
    const line = resumed().giveBack('0-1', 1000).giveBack('0', 1000);
    expect(given(line)).toEqual([]);
    expect(line).toMatchObject({ cost: 15, booked: 15 });
    // The days after a resume are paid for, as they are used.
    line.resume('29', '30').finish();
    expect(line.bills.at(-1)).toBe('04-29 2.00');
  });

  it('writes off debt first', () => {
    const line = resumed(false);
    expect(given(line)).toEqual([]);
    expect([line.owed, line.booked]).toEqual([5, 15]);
  });

  it('is owed where a dispute holds the money', () => {
    const line = resumed();
    line.disputed.add('0-1');
    const { taken, unbacked_minor } = line.credit(500);
    expect(taken).toEqual([{ payment: SECOND, given_minor: 0, owed_minor: 500 }]);
    expect(unbacked_minor).toBe(0);
  });
});

describe('the books of a period', () => {
  const asked: Books = ask(ask([], FIRST, 3000), SECOND, 1000);

  it('know what is booked, owed and held', () => {
    const { books, left_minor } = pay(asked, FIRST, 3000);
    expect([bookedMinor(books), owedMinor(books), heldMinor(books), left_minor]).toEqual([
      4000, 1000, 3000, 0,
    ]);
  });

  it('take no money twice', () => {
    const once = pay(asked, FIRST, 3000).books;
    expect(pay(once, FIRST, 3000)).toEqual({ books: once, left_minor: 3000 });
    expect(pay(asked, THIRD, 500)).toEqual({ books: asked, left_minor: 500 });
  });

  it('leave what was forgiven of a payment that succeeds late', () => {
    const { books, forgiven } = credit(asked, 1500, () => ({ free: 0, disputed: 0 }));
    expect(forgiven).toEqual([
      { payment: SECOND, minor: 1000 },
      { payment: FIRST, minor: 500 },
    ]);
    expect(pay(books, SECOND, 1000).left_minor).toBe(1000);
    expect(pay(books, FIRST, 3000).left_minor).toBe(500);
  });

  it('give collected debt to the payment that collected it, not that of the open payment', () => {
    const { books, left_minor } = collect(asked, THIRD, 3500, [SECOND]);
    expect(left_minor).toBe(500);
    expect(books.map(({ payment, asked: minor, paid }) => [payment.period_key, minor, paid])).toEqual([
      ['0-1', 1000, 0],
      ['0-2', 3000, 3000],
    ]);
    expect(bookedMinor(books)).toBe(4000);
    expect(pay(books, FIRST, 3000).left_minor).toBe(3000);
  });

  it('hold what a payment of another period has paid', () => {
    expect(received([], FIRST, 1500)).toEqual([
      { payment: FIRST, asked: 1500, paid: 1500, credited: 0, forgiven: 0 },
    ]);
    expect(received([], FIRST, 0)).toEqual([]);
  });

  it('refuse a credit of more than they hold', () => {
    expect(() => credit(asked, 4001, () => ({ free: 0, disputed: 0 }))).toThrow(RangeError);
    expect(() => credit(asked, -1, () => ({ free: 0, disputed: 0 }))).toThrow(RangeError);
  });
});
