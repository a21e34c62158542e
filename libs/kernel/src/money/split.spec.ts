import fc from 'fast-check';
import { splitByWeights } from './split.js';

// Large enough for the doubles that check the exact shares to be precise.
const weights = fc.array(
  fc.oneof(fc.integer({ min: 0, max: 1e9 }), fc.double({ min: 1e-6, max: 1e6, noNaN: true })),
  { minLength: 1, maxLength: 12 },
);

describe('splits', () => {
  it.each([
    [500, [10, 20, 30], [83, 167, 250]],
    [299, [4300, 1400, 2300], [161, 52, 86]],
    [299, [1, 1, 1], [100, 100, 99]],
    [10, [0, 0], [5, 5]],
    [-20, [1, 1], [-10, -10]],
    [-5, [1, 1], [-3, -2]],
    [1, [0, 0, 0], [1, 0, 0]],
    [100, [0.1, 0.2], [33, 67]],
    [7, [0, 1], [0, 7]],
    [0, [], []],
  ])('%p over %p is %p', (total, over, parts) => {
    expect(splitByWeights(total, over)).toEqual(parts);
  });

  it('keep to the step of the currency', () => {
    expect(splitByWeights(100, [1, 1, 1], 10)).toEqual([40, 30, 30]);
    expect(() => splitByWeights(105, [1, 1], 10)).toThrow(RangeError);
  });

  it('add up, stay within one step of the exact share and mirror', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 1e12 }), weights, fc.constantFrom(1, 10), (n, over, step) => {
        const total = n * step;
        const parts = splitByWeights(total, over, step);
        expect(parts.reduce((a, b) => a + b, 0)).toBe(total || 0);
        expect(parts.every((part) => part % step === 0 && !Object.is(part, -0))).toBe(true);
        expect(splitByWeights(0 - total, over, step)).toEqual(parts.map((part) => 0 - part));
        const sum = over.reduce((a, b) => a + b, 0);
        if (sum === 0) return;
        parts.forEach((part, i) => {
          const exact = (total * (over[i] ?? 0)) / sum;
          expect(Math.abs(part - exact)).toBeLessThan(step + 1e-3 + Math.abs(exact) * 1e-9);
        });
      }),
    );
  });

  it('refuse invalid weights', () => {
    for (const bad of [-1, NaN, Infinity]) expect(() => splitByWeights(1, [1, bad])).toThrow(RangeError);
    expect(() => splitByWeights(1, [])).toThrow(RangeError);
    expect(() => splitByWeights(0.5, [1])).toThrow(RangeError);
  });
});
