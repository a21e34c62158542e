import fc from 'fast-check';
import {
  addRatio,
  compareRatio,
  divideRatio,
  isWholeSteps,
  multiplyRatio,
  ratio,
  ratioOfDecimal,
  ratioText,
  roundHalfAway,
  subtractRatio,
} from './ratio.js';

const fraction = fc
  .tuple(fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }), fc.bigInt({ min: 1n, max: 10n ** 12n }))
  .map(([n, d]) => ratio(n, d));

describe('steps', () => {
  it.each([
    [0.3, 0.1, true],
    [0.7, 0.1, true],
    [1.1, 0.1, true],
    [0.1 + 0.2, 0.1, false],
    [1_000_000, 0.000_001, true],
    [0.000_000_1, 0.000_001, false],
    [3, 1, true],
    [0.5, 1, false],
    [7, 6, false],
    [0, 1, true],
  ])('%d by %d: %s', (value, step, expected) => {
    expect(isWholeSteps(value, step)).toBe(expected);
  });
});

describe('exact fractions', () => {
  it('are kept in lowest terms, with the sign in the numerator', () => {
    expect(ratio(6, -4)).toEqual({ n: -3n, d: 2n });
    expect(ratio(0, -7)).toEqual({ n: 0n, d: 1n });
    expect(() => ratio(1, 0)).toThrow(RangeError);
  });

  it('add, subtract, multiply and divide without loss', () => {
    expect(addRatio(ratio(1, 3), ratio(1, 6))).toEqual(ratio(1, 2));
    expect(subtractRatio(ratio(1, 3), ratio(1, 3))).toEqual(ratio(0));
    expect(multiplyRatio(ratio(2, 3), ratio(3, 4))).toEqual(ratio(1, 2));
    expect(divideRatio(ratio(1, 2), ratio(-1, 4))).toEqual(ratio(-2));
  });

  it('a + b - b is a, and a * b / b too', () => {
    fc.assert(
      fc.property(fraction, fraction, (a, b) => {
        expect(subtractRatio(addRatio(a, b), b)).toEqual(a);
        if (b.n !== 0n) expect(divideRatio(multiplyRatio(a, b), b)).toEqual(a);
        expect(compareRatio(a, b)).toBe(0 - compareRatio(b, a));
      }),
    );
  });

  it('read decimals as they are written', () => {
    expect(ratioOfDecimal(0.1)).toEqual(ratio(1, 10));
    expect(ratioOfDecimal(-2.675)).toEqual(ratio(-2675, 1000));
    expect(ratioOfDecimal(1e21)).toEqual(ratio(10n ** 21n));
    expect(ratioOfDecimal(1.5e-7)).toEqual(ratio(15n, 10n ** 8n));
    expect(ratioOfDecimal(-0)).toEqual(ratio(0));
    for (const value of [NaN, Infinity, -Infinity]) expect(() => ratioOfDecimal(value)).toThrow(RangeError);
  });

  it('round halves away from zero, mirrored', () => {
    expect(roundHalfAway(ratio(5, 2))).toBe(3n);
    expect(roundHalfAway(ratio(-5, 2))).toBe(-3n);
    expect(roundHalfAway(ratio(249, 100))).toBe(2n);
    fc.assert(
      fc.property(fraction, (a) => {
        expect(roundHalfAway({ n: -a.n, d: a.d })).toBe(-roundHalfAway(a));
        const off = subtractRatio(ratio(roundHalfAway(a)), a);
        expect(compareRatio({ n: off.n < 0n ? -off.n : off.n, d: off.d }, ratio(1, 2))).toBeLessThanOrEqual(
          0,
        );
      }),
    );
  });

  it('are written as n/d', () => {
    expect(ratioText(ratio(250, 3))).toBe('250/3');
    expect(ratioText(ratio(-4, 2))).toBe('-2');
  });
});
