import fc from 'fast-check';
import {
  isMinor,
  MAX_MINOR,
  roundInto,
  roundMoney,
  toMajor,
  toMinor,
  type RoundingStep,
  sumToMinor,
} from './money.js';
import { multiplyRatio, ratio, ratioOfDecimal } from './ratio.js';

const code = (expected: string) => expect.objectContaining({ code: expected });
const currency = fc.constantFrom('EUR', 'JPY', 'KWD', 'USD', 'CLF');

describe('amounts in minor units', () => {
  it.each([
    [19.99, 'EUR', 1999],
    [0.29, 'EUR', 29],
    [1.1, 'EUR', 110],
    [4.35, 'USD', 435],
    [1.15, 'USD', 115],
    [8.2, 'USD', 820],
    [100, 'JPY', 100],
    [1.01, 'BHD', 1010],
    [100, 'KWD', 100_000],
    [-15, 'EUR', -1500],
    [1e3, 'EUR', 100_000],
    [1.5e-1, 'EUR', 15],
    [9_999_999_999_999.99, 'EUR', MAX_MINOR],
  ])('%p %s are %p', (amount, of, minor) => {
    expect(toMinor(amount, of)).toBe(minor);
  });

  it.each([
    [2.675, 'USD'],
    [100.5, 'JPY'],
    [1.005, 'BHD'],
    [1.0101, 'BHD'],
    [0.1 + 0.2, 'EUR'],
    [1e-7, 'EUR'],
    [Number.MIN_VALUE, 'EUR'],
  ])('%p %s has more decimals than the currency and is refused, not rounded', (amount, of) => {
    expect(() => toMinor(amount, of)).toThrow(code('amount.too_precise'));
  });

  it.each([NaN, Infinity, -Infinity, 1e21, Number.MAX_VALUE, '10' as never])('%p is no amount', (amount) => {
    expect(() => toMinor(amount, 'EUR')).toThrow(code('amount.invalid'));
  });

  it('refuse an unknown currency', () => {
    expect(() => toMinor(1, 'XXX')).toThrow(code('currency.unknown'));
    expect(() => toMajor(1, 'eur')).toThrow(code('currency.unknown'));
  });

  it('are never -0', () => {
    expect(Object.is(toMinor(-0, 'EUR'), 0)).toBe(true);
    expect(Object.is(toMajor(-0, 'EUR'), 0)).toBe(true);
    expect(Object.is(roundMoney(ratio(-1, 3), 'EUR'), 0)).toBe(true);
  });

  it('go to major units and back unchanged, up to the largest', () => {
    const minor = fc.integer({ min: -MAX_MINOR, max: MAX_MINOR });
    fc.assert(
      fc.property(minor, currency, (value, of) => {
        const allowed = of === 'KWD' ? value - (value % 10) : value;
        const major = toMajor(allowed, of);
        expect(toMinor(major, of)).toBe(allowed || 0);
        expect(toMajor(toMinor(major, of), of)).toBe(major);
      }),
    );
  });

  it('are those of the exact fraction, or none', () => {
    const cents = fc.integer({ min: -10 * MAX_MINOR, max: 10 * MAX_MINOR });
    const hundredths = cents.map((value) => value / 100);
    fc.assert(
      fc.property(fc.oneof(hundredths, fc.double(), fc.double({ min: -1, max: 1 })), (amount) => {
        const exact = Number.isFinite(amount) ? multiplyRatio(ratioOfDecimal(amount), ratio(100)) : null;
        const isMoney = exact?.d === 1n && isMinor(Number(exact.n), 'EUR');
        if (isMoney) expect(toMinor(amount, 'EUR')).toBe(Number(exact.n));
        else expect(() => toMinor(amount, 'EUR')).toThrow();
      }),
    );
  });
});

describe('the rounding of money', () => {
  it('rounds halves away from zero', () => {
    expect(roundMoney(ratio(5, 2), 'EUR')).toBe(3);
    expect(roundMoney(ratio(-5, 2), 'EUR')).toBe(-3);
  });

  it('is to 0.010 in three-decimal currencies', () => {
    expect(roundMoney(ratio(100_000, 12), 'KWD')).toBe(8330);
    expect(roundMoney(ratio(1005), 'KWD')).toBe(1010);
    expect(roundMoney(ratio(-1005), 'KWD')).toBe(-1010);
    expect(roundMoney(ratio(10_049, 10), 'KWD')).toBe(1000);
  });

  it('mirrors the sign, so that a refund equals its charge', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }),
        fc.bigInt({ min: 2n, max: 10n ** 6n }),
        currency,
        (n, d, of) => {
          const rounded = roundMoney(ratio(n, d), of);
          expect(roundMoney(ratio(-n, d), of)).toBe(0 - rounded);
          expect(isMinor(rounded, of)).toBe(true);
        },
      ),
    );
  });

  it('refuses amounts too large to be exact', () => {
    expect(() => roundMoney(ratio(10n ** 15n), 'EUR')).toThrow(code('amount.invalid'));
    expect(roundMoney(ratio(MAX_MINOR), 'EUR')).toBe(MAX_MINOR);
  });

  it('records each step', () => {
    const steps: RoundingStep[] = [];
    roundInto(steps, 'price.final', ratio(25_000, 3), 'EUR', 'p1');
    expect(steps).toEqual([{ rule: 'price.final', of: 'p1', exact: '250/3', rounded: 83.33 }]);
  });
});

describe('A sum of amounts that the database made', () => {
  it('is exact, with any small error', () => {
    expect(sumToMinor(0.1 + 0.2, 'EUR')).toBe(30);
    expect(sumToMinor(100 * 1.1 + 0.3, 'JPY')).toBe(110);
    expect(sumToMinor(0.01 * 7, 'KWD')).toBe(70);
  });
});
