import fc from 'fast-check';

import { MAX_INSTANT_MS, readInstant } from './instant.js';

describe('an instant in a request', () => {
  it('is a count of milliseconds', () => {
    expect(readInstant(1706659200000)).toEqual(new Date('2024-01-31T00:00:00Z'));
  });

  it('is a count of seconds below 1e11', () => {
    expect(readInstant(1706659200)).toEqual(new Date('2024-01-31T00:00:00Z'));
    expect(readInstant(0)).toEqual(new Date(0));
    expect(readInstant(99_999_999_999)).toEqual(new Date(99_999_999_999_000));
    expect(readInstant(100_000_000_000)).toEqual(new Date(100_000_000_000));
  });

  it.each([-1, 0.5, 1706659200000.5, NaN, Infinity, 8.64e15 + 2, 1e18, '1706659200000', null, true, [1]])(
    'is not %p',
    (value) => {
      expect(readInstant(value)).toBeNull();
    },
  );

  it('reaches to the last one that a Date can hold', () => {
    expect(readInstant(MAX_INSTANT_MS)).toEqual(new Date(8.64e15));
  });

  it('comes back as it went in', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1e11, max: 8.64e15 }), (ms) => {
        expect(readInstant(ms)?.getTime()).toBe(ms);
      }),
    );
  });
});
